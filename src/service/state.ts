/**
 * All data of an environment, as one immutable value. Snapshots store this value; a reset restores the initial one.
 *
 * Rows have the member names of the API, and do not store what can be computed from other rows or the clock. Tokens, and
 * ids of verification requests, are stored without the environment's key, which is added whenever clients see them. A row
 * without `expires_at` never expires.
 */
import { type EngineState, emptyStateOf } from '../engine/state.ts';
import { connected_accounts } from './accounts/row.ts';
import { connections } from './connections/row.ts';
import { organizations, users } from './directory/row.ts';
import { authorization_links, verification_requests } from './links/row.ts';
import { authentication_requests } from './logs/row.ts';
import { memberships, roles } from './memberships/row.ts';
import { custom_providers } from './providers/row.ts';

/** All tables, still without rows. */
const TABLES = {
  organizations,
  roles,
  users,
  memberships,
  connections,
  connected_accounts,
  authorization_links,
  verification_requests,
  custom_providers,
  authentication_requests,
};

export type Tables = typeof TABLES;
export interface State extends EngineState, Readonly<Tables> {}

export const emptyState = (seed: number): State => emptyStateOf(TABLES, seed);
