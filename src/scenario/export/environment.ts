/** An environment as a scenario writes it: what stands under `environments.NAME`, complete. */
import { allRows } from '../../core/table.ts';
import type { Env } from '../../domain/operation.ts';
import type { RoleRow } from '../../domain/role.ts';
import type { Settings } from '../../domain/settings.ts';
import { writeSettings } from '../../domain/settings-form.ts';
import type { State } from '../../domain/state.ts';
import { formatTime } from '../times.ts';
import type { EnvironmentForm, RoleForm } from '../written.ts';
import { exportAccount, exportLink, exportVerificationRequest } from './accounts.ts';
import { exportUser } from './users.ts';

/** Statuses are those of this instant. */
export type Now = Pick<Env, 'now' | 'start'>;

/** What is exported: an environment as it is. */
export interface Exported {
  readonly id: string;
  readonly state: State;
  readonly settings: Settings;
}

/**
 * What a scenario would say under `environments.NAME` to give this state: credentials included, since all of it is
 * test data, but never the temporary secrets, which no state holds (behaviour A5).
 */
export const exportEnvironment = ({ id, state, settings }: Exported, now: Now): EnvironmentForm => ({
  id,
  clients: [...allRows(state.clients)],
  access_tokens: state.access_tokens,
  settings: writeSettings(settings),
  organizations: [...allRows(state.organizations)],
  roles: Array.from(allRows(state.roles), exportRole),
  users: Array.from(allRows(state.users), (row) => exportUser(state, row, now)),
  connections: [...allRows(state.connections)].map((row) => ({ ...row, scopes: [...row.scopes] })),
  connected_accounts: Array.from(allRows(state.connected_accounts), (row) => exportAccount(state, row, now)),
  authorization_links: Array.from(allRows(state.authorization_links), exportLink),
  verification_requests: Array.from(allRows(state.verification_requests), exportVerificationRequest),
  custom_providers: [...allRows(state.custom_providers)],
  authentication_requests: Array.from(allRows(state.authentication_requests), (row) => ({
    ...row,
    timestamp: formatTime(row.timestamp),
  })),
});

const exportRole = (row: RoleRow): RoleForm => ({
  ...row,
  permissions: [...row.permissions],
  extends: [...row.extends],
});
