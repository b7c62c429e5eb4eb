/** The kinds of rows that a page can be asked for: their tables, what is searched, and how they are shown. */
import { isSequence, isText, readPage } from '../core/page.ts';
import type { Position } from '../core/position-tree.ts';
import { type Selection, select } from '../core/selection.ts';
import type { Table } from '../core/table.ts';
import { isLogPosition, newestFirst, presentEntry } from '../domain/auth-log.ts';
import { presentConnection } from '../domain/connection.ts';
import type { Env } from '../domain/operation.ts';
import type { ConnectionRow, OrganizationRow, ProviderRow, RoleRow, UserRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';
import { presentUser } from '../domain/user-view.ts';
import {
  membershipTexts,
  type Shown,
  selectAccounts,
  showAccount,
  showLink,
  showMembership,
  showVerificationRequest,
} from './resource-views.ts';
import type { ControlSchemas } from './types.ts';

/** What a page is asked by. */
export interface Wanted {
  readonly query?: string;
  readonly page_size?: number;
  readonly page_token?: string;
}

type ReadResources = (wanted: Wanted, state: State, env: Env) => ControlSchemas['ResourcePage'];

interface Kind<Row> {
  readonly list: ControlSchemas['ResourceKind'];
  readonly select: (state: State, query: string | undefined, env: Env) => Selection<Row>;
  readonly show: (row: Row, state: State, env: Env) => Shown;
  /** What a position in its page tokens is; default: a number. */
  readonly isPosition?: (value: unknown) => value is Position;
}

const PAGE_SIZE = 50;

/** Only the rows of the page are shown, so that a page costs the same among any number of rows. */
const pagesOf =
  <Row>({ list, select, show, isPosition = isSequence }: Kind<Row>): ReadResources =>
  ({ query, page_size = PAGE_SIZE, page_token }, state, env) => {
    const { rows, ...page } = readPage({
      shape: { list, filters: { query: isText }, isPosition },
      filters: { query },
      page_size,
      page_token,
      select: (filters) => select(state, filters.query, env),
    });
    return { rows: rows.map((row) => show(row, state, env)), ...page };
  };

type TextsOf<Row> = (row: Row, state: State, env: Env) => readonly (string | undefined)[];

/** Rows whose id or one of whose texts contains what is looked for, in any case. */
const byText =
  <Row, Index extends string>(table: (state: State) => Table<Row, Index>, texts: TextsOf<Row>) =>
  (state: State, query: string | undefined, env: Env): Selection<Row> => {
    const rows = table(state);
    if (query === undefined) return select(rows, {});
    const wanted = query.toLowerCase();
    return select(rows, {}, (row) =>
      [rows.spec.id(row), ...texts(row, state, env)].some((text) => text?.toLowerCase().includes(wanted)),
    );
  };

const selectLog = byText(
  (state) => state.authentication_requests,
  (row) => [row.email, row.status, row.client_id, row.connection_id],
);

/** Every kind by its name in the control plane's document. */
export const RESOURCES: { readonly [Name in ControlSchemas['ResourceKind']]: ReadResources } = {
  connected_accounts: pagesOf({ list: 'connected_accounts', select: selectAccounts, show: showAccount }),
  users: pagesOf<UserRow>({
    list: 'users',
    select: byText(
      (state) => state.users,
      (row) => [row.email, row.external_id, row.user_profile?.name],
    ),
    show: ({ id }, state, env) => ({ ...presentUser(state, id, env) }),
  }),
  memberships: pagesOf({
    list: 'memberships',
    select: byText((state) => state.memberships, membershipTexts),
    show: showMembership,
  }),
  organizations: pagesOf<OrganizationRow>({
    list: 'organizations',
    select: byText(
      (state) => state.organizations,
      (row) => [row.name, row.display_name],
    ),
    show: (row) => ({ ...row }),
  }),
  roles: pagesOf<RoleRow>({
    list: 'roles',
    select: byText(
      (state) => state.roles,
      (row) => [row.name, row.display_name, ...row.permissions],
    ),
    show: (row) => ({ ...row }),
  }),
  connections: pagesOf<ConnectionRow>({
    list: 'connections',
    select: byText(
      (state) => state.connections,
      (row) => [row.key_id, row.type, row.status, row.provider, row.provider_key],
    ),
    show: (row, state) => ({ ...presentConnection(state, row), scopes: row.scopes }),
  }),
  custom_providers: pagesOf<ProviderRow>({
    list: 'custom_providers',
    select: byText(
      (state) => state.custom_providers,
      (row) => [row.identifier, row.display_name],
    ),
    show: (row) => ({ ...row }),
  }),
  authorization_links: pagesOf({
    list: 'authorization_links',
    select: byText(
      (state) => state.authorization_links,
      (row, _state, env) => [row.account_id, env.withEnvironmentKey(row.token)],
    ),
    show: showLink,
  }),
  verification_requests: pagesOf({
    list: 'verification_requests',
    select: byText(
      (state) => state.verification_requests,
      (row, _state, env) => [row.account_id, env.withEnvironmentKey(row.auth_request_id)],
    ),
    show: showVerificationRequest,
  }),
  authentication_requests: pagesOf({
    list: 'authentication_requests',
    isPosition: isLogPosition,
    select: (state, query, env) => newestFirst(selectLog(state, query, env), {}, env.start),
    show: (row, _state, env) => ({ ...presentEntry(row, env) }),
  }),
};
