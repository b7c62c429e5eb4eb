/** Rows of an environment page by page, for a person who looks at them: as the API shows them, with what is known besides. */

import { hasEnded } from '../../core/moment.ts';
import { defined } from '../../core/object.ts';
import { isSequence, isText, readPage } from '../../core/page.ts';
import type { Position } from '../../core/position-tree.ts';
import { type Selection, select } from '../../core/selection.ts';
import { getRow, rowsBy, type Table } from '../../core/table.ts';
import { accountStatus } from '../../domain/account.ts';
import { presentAccount } from '../../domain/account-view.ts';
import { isLogPosition, newestFirst, presentEntry } from '../../domain/auth-log.ts';
import { presentConnection } from '../../domain/connection.ts';
import { presentInvite } from '../../domain/invite.ts';
import { isInvited, membershipStatus } from '../../domain/membership.ts';
import type { Env } from '../../domain/operation.ts';
import type { AccountRow, LinkRow, MembershipRow, VerificationRequestRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import { presentMembership, presentUser } from '../../domain/user-view.ts';
import { wireTimes } from '../../domain/wire.ts';
import type { ControlSchemas, Handlers } from '../types.ts';
import { requireEnvironment, simulate } from './lookup.ts';

export const resources = {
  listResources: ({ path: { env, kind }, query }, context) => {
    const look = (state: State, wanted: PageQuery, open: Env) => ({
      reply: KINDS[kind](kind, wanted, state, open),
    });
    return { status: 200, body: simulate(context, env, look, query) };
  },

  countResources: ({ path: { env } }, context) => {
    const { data } = requireEnvironment(context, env).current;
    const kinds = Object.keys(KINDS) as KindName[]; // the keys of a literal are known
    return { status: 200, body: Object.fromEntries(kinds.map((kind) => [kind, data[kind].rows.size])) };
  },
} satisfies Partial<Handlers>;

/** What a page is asked by. */
interface PageQuery {
  readonly query?: string;
  readonly page_size?: number;
  readonly page_token?: string;
}

type KindName = ControlSchemas['ResourceKind'];
type ReadRows = (list: KindName, wanted: PageQuery, state: State, env: Env) => ControlSchemas['ResourcePage'];
type Select<Row> = (state: State, query: string | undefined, env: Env) => Selection<Row>;
type ShownRow = Record<string, unknown>;

const PAGE_SIZE = 50;

/**
 * Only the rows of the page are shown, so that a page costs the same among any number of rows.
 * @param isPosition what a position in the page tokens is
 */
const rowsOf =
  <Row>(
    selectRows: Select<Row>,
    show: (row: Row, state: State, env: Env) => ShownRow,
    isPosition: (value: unknown) => value is Position = isSequence,
  ): ReadRows =>
  (list, { query, page_size = PAGE_SIZE, page_token }, state, env) => {
    const { rows, ...page } = readPage({
      shape: { list, filters: { query: isText }, isPosition },
      filters: { query },
      page_size,
      page_token,
      select: (filters) => selectRows(state, filters.query, env),
    });
    return { rows: rows.map((row) => show(row, state, env)), ...page };
  };

/** Whether a row holds every word, in any case. @param texts what it shows that it does not hold itself */
const holds = (row: object, texts: readonly (string | undefined)[], words: readonly string[]): boolean => {
  const text = `${JSON.stringify(Object.values(row))} ${texts.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** JSON writes quotes and backslashes in another way than people do. */
const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => JSON.stringify(word).slice(1, -1));

const byText =
  <Row extends object, Index extends string>(
    table: (state: State) => Table<Row, Index>,
    texts: (row: Row, state: State, env: Env) => readonly (string | undefined)[] = () => [],
  ): Select<Row> =>
  (state, query, env) => {
    const rows = table(state);
    if (query === undefined) return select(rows, {});
    const words = wordsOf(query);
    return select(rows, {}, (row) => holds(row, texts(row, state, env), words));
  };

const searchAccounts = byText(
  (state) => state.connected_accounts,
  (row, state, env) => [accountStatus(state, row, env)],
);

/** Accounts by id, or by what they show. */
const selectAccounts: Select<AccountRow> = (state, query, env) => {
  const named = query === undefined ? undefined : getRow(state.connected_accounts, query);
  return named
    ? select(state.connected_accounts, { identifier: [named.identifier] }, ({ id }) => id === query)
    : searchAccounts(state, query, env);
};

/** As `/auth` shows an account, with its owner and whether its provider would refresh. */
const showAccount = (row: AccountRow, state: State, env: Env): ShownRow => ({
  ...presentAccount(state, row, env),
  ...defined({ organization_id: row.organization_id, user_id: row.user_id }),
  refresh: row.refresh,
});

const showMembership = (row: MembershipRow, state: State, env: Env): ShownRow => ({
  user_id: row.user_id,
  ...defined({ email: getRow(state.users, row.user_id)?.email }),
  ...presentMembership(state, row, env),
  ...(isInvited(row) && {
    invite: {
      ...presentInvite(row, env),
      link: `${env.baseUrl}/invitations/${env.withEnvironmentKey(row.invite.token)}`,
    },
  }),
});

const showLink = (row: LinkRow, state: State, env: Env): ShownRow => {
  const { token, account_id, state: passedOn, user_verify_url, expires_at, used_at } = row;
  return {
    token: env.withEnvironmentKey(token),
    status: used_at !== undefined ? 'USED' : hasEnded(expires_at, env) ? 'EXPIRED' : 'OPEN',
    link: `${env.baseUrl}/magicLink/${env.withEnvironmentKey(token)}`,
    connected_account_id: account_id,
    ...accountName(state, account_id),
    ...defined({ user_verify_url, state: passedOn }),
    ...wireTimes({ expires_at, used_at }, env),
  };
};

/** Its tokens can be read nowhere until the user is verified (behaviour V3). */
const showVerificationRequest = (row: VerificationRequestRow, state: State, env: Env): ShownRow => ({
  auth_request_id: env.withEnvironmentKey(row.auth_request_id),
  status: hasEnded(row.expires_at, env) ? 'EXPIRED' : 'OPEN',
  connected_account_id: row.account_id,
  ...accountName(state, row.account_id),
  ...defined({ state: row.state }),
  ...wireTimes({ expires_at: row.expires_at }, env),
});

const accountName = (state: State, id: string): ShownRow => {
  const account = getRow(state.connected_accounts, id);
  return account ? { connector: account.connector, identifier: account.identifier } : {};
};

const selectLog = byText((state) => state.authentication_requests);

/** Every kind of rows: how they are searched, and how they are shown. */
const KINDS: { readonly [Name in KindName]: ReadRows } = {
  connected_accounts: rowsOf(selectAccounts, showAccount),
  users: rowsOf(
    byText(
      (state) => state.users,
      ({ id }, { memberships, organizations }, env) =>
        rowsBy(memberships, 'user_id', id).flatMap((row) => [
          getRow(organizations, row.organization_id)?.name,
          membershipStatus(row, env),
        ]),
    ),
    ({ id }, state, env) => ({ ...presentUser(state, id, env) }),
  ),
  memberships: rowsOf(
    byText(
      (state) => state.memberships,
      (row, { users, organizations }, env) => [
        getRow(users, row.user_id)?.email,
        getRow(organizations, row.organization_id)?.display_name,
        getRow(organizations, row.organization_id)?.name,
        membershipStatus(row, env),
      ],
    ),
    showMembership,
  ),
  organizations: rowsOf(
    byText((state) => state.organizations),
    (row) => ({ ...row }),
  ),
  roles: rowsOf(
    byText((state) => state.roles),
    (row) => ({ ...row }),
  ),
  connections: rowsOf(
    byText((state) => state.connections),
    (row, state) => ({ ...presentConnection(state, row), scopes: row.scopes }),
  ),
  custom_providers: rowsOf(
    byText((state) => state.custom_providers),
    (row) => ({ ...row }),
  ),
  authorization_links: rowsOf(
    byText(
      (state) => state.authorization_links,
      (row, state, env) => Object.values(showLink(row, state, env)).map(String),
    ),
    showLink,
  ),
  verification_requests: rowsOf(
    byText(
      (state) => state.verification_requests,
      (row, state, env) => Object.values(showVerificationRequest(row, state, env)).map(String),
    ),
    showVerificationRequest,
  ),
  stubs: rowsOf(
    byText((state) => state.stubs),
    (row) => ({ ...row }),
  ),
  authentication_requests: rowsOf(
    (state, query, env) => newestFirst(selectLog(state, query, env), {}, env.start),
    (row, _state, env) => ({ ...presentEntry(row, env) }),
    isLogPosition,
  ),
};
