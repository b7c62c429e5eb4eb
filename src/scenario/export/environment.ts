/** An environment as a scenario writes it: what stands under `environments.NAME`, complete. */
import { allRows, type Table } from '../../core/table.ts';
import type { Env } from '../../domain/operation.ts';
import type { AuthLogRow, ConnectionRow, RoleRow } from '../../domain/rows.ts';
import type { Settings } from '../../domain/settings.ts';
import { writeSettings } from '../../domain/settings-form.ts';
import type { State } from '../../domain/state.ts';
import { formatTime } from '../times.ts';
import type { AuthLogForm, ConnectionForm, EnvironmentForm, RoleForm, SectionName } from '../written.ts';
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

/** Gives the rows of a section's table that are to be exported, in order. */
export type RowsOf = <Row, Index extends string>(
  table: Table<Row, Index>,
  section: SectionName,
) => Iterable<Row>;

/**
 * What a scenario would say under `environments.NAME` to give this state: credentials included, since all of it is
 * test data, but never the temporary secrets, which no state holds (behaviour A5).
 */
export const exportEnvironment = (environment: Exported, now: Now): EnvironmentForm =>
  exportRows(environment, now, allRows);

/** The same of some of its rows. */
export const exportRows = ({ id, state, settings }: Exported, now: Now, rowsOf: RowsOf): EnvironmentForm => ({
  id,
  clients: [...rowsOf(state.clients, 'clients')],
  access_tokens: state.access_tokens,
  settings: writeSettings(settings),
  organizations: [...rowsOf(state.organizations, 'organizations')],
  roles: Array.from(rowsOf(state.roles, 'roles'), exportRole),
  users: Array.from(rowsOf(state.users, 'users'), (row) => exportUser(state, row, now)),
  connections: Array.from(rowsOf(state.connections, 'connections'), exportConnection),
  connected_accounts: Array.from(rowsOf(state.connected_accounts, 'connected_accounts'), (row) =>
    exportAccount(state, row, now),
  ),
  authorization_links: Array.from(rowsOf(state.authorization_links, 'authorization_links'), exportLink),
  verification_requests: Array.from(
    rowsOf(state.verification_requests, 'verification_requests'),
    exportVerificationRequest,
  ),
  custom_providers: [...rowsOf(state.custom_providers, 'custom_providers')],
  authentication_requests: Array.from(
    rowsOf(state.authentication_requests, 'authentication_requests'),
    exportEntry,
  ),
});

const exportConnection = (row: ConnectionRow): ConnectionForm => ({ ...row, scopes: [...row.scopes] });

const exportEntry = (row: AuthLogRow): AuthLogForm => ({ ...row, timestamp: formatTime(row.timestamp) });

const exportRole = (row: RoleRow): RoleForm => ({
  ...row,
  permissions: [...row.permissions],
  extends: [...row.extends],
});
