/** Lists the rows of an environment page by page: as in replies of the API, with a few more members. */

import { runIn } from '../../engine/control/handlers/shared.ts';
import { wireTimes } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { readPage } from '../../engine/core/page.ts';
import { countSelected, type Selection, select, takeSelected } from '../../engine/core/selection.ts';
import { getRow, type Table } from '../../engine/core/table.ts';
import { tableOf } from '../../engine/scenario/loading.ts';
import { accountStatus, presentAccount } from '../../service/accounts/rules.ts';
import { presentConnection } from '../../service/connections/rules.ts';
import { newestFirst, presentEntry } from '../../service/logs/rules.ts';
import { isInvited, presentInvite, presentMembership, presentUser } from '../../service/memberships/rules.ts';
import type { Env } from '../../service/operation.ts';
import type { AccountRow, LinkRow, MembershipRow, VerificationRequestRow } from '../../service/rows.ts';
import type { State } from '../../service/state.ts';
import type { ConsoleHandlers, ConsoleQuery, ConsoleSchemas } from './call-types.ts';

export const rows = {
  listResources: ({ path: { kind }, query }, context) => {
    const look = (state: State, wanted: PageQuery, env: Env) => ({ reply: KINDS[kind](wanted, state, env) });
    return { status: 200, body: runIn(context, look, query).reply };
  },

  searchRows: ({ query }, context) => {
    const look = (state: State, wanted: PageQuery, env: Env) => ({
      reply: Object.fromEntries(
        Object.entries(KINDS).map(([kind, read]) => [kind, read(wanted, state, env).rows]),
      ),
    });
    return { status: 200, body: runIn(context, look, { ...query, page_size: FOUND_OF_EACH }).reply };
  },

  countResources: (_input, { environment }) => {
    const { data } = environment.current;
    const kinds = Object.keys(KINDS) as KindName[]; // the cast is safe: the keys of `KINDS` are exactly the names of the kinds
    return {
      status: 200,
      body: Object.fromEntries(kinds.map((kind) => [kind, tableOf(data, kind).rows.size])),
    };
  },
} satisfies Partial<ConsoleHandlers>;

type PageQuery = ConsoleQuery<'listResources'>;
type KindName = ConsoleSchemas['ResourceKind'];
type RowOf<Name extends KindName> = State[Name] extends Table<infer Row, never> ? Row : never;
type ShownRow = Record<string, unknown>;
type Show<Row> = (row: Row, state: State, env: Env) => ShownRow;
type ReadRows = (wanted: PageQuery, state: State, env: Env) => ConsoleSchemas['ResourcePage'];

interface Special<Row> {
  /** Returns the values of a row that a search looks in. Default: the values that the console shows. */
  readonly searched?: Show<Row>;
  /** The order of the rows. Default: the order of the table. */
  readonly sort?: (selection: Selection<Row>, env: Env) => Selection<Row>;
}

const PAGE_SIZE = 50;

const FOUND_OF_EACH = 4;

/**
 * Creates a function that reads a page of rows. Without a search, the function calls `show` only for the rows of
 * that page, so that a large table does not take longer.
 */
const rowsOf =
  <Name extends KindName>(
    list: Name,
    show: Show<RowOf<Name>>,
    { searched = show, sort = (selection) => selection }: Special<RowOf<Name>> = {},
  ): ReadRows =>
  ({ query: given, page_size = PAGE_SIZE, page_token }, state, env) => {
    const table = state[list] as unknown as Table<RowOf<Name>, never>;
    let selection: Selection<RowOf<Name>> | undefined;
    const { rows, ...page } = readPage({
      list,
      filters: { query: given },
      page_size,
      page_token,
      select: ({ query }) => {
        const named = getRow(table, query ?? '');
        const words = wordsOf(query ?? '');
        const matches = (row: RowOf<Name>): boolean =>
          named ? row === named : holds(searched(row, state, env), words);
        selection = sort(select(table, {}, query === undefined ? undefined : matches), env);
        return selection;
      },
    });
    return {
      rows: rows.map((row) => show(row, state, env)),
      first: page_token === undefined ? 1 : placeOf(selection, rows[0]),
      ...page,
    };
  };

/** The number of a row in a list, from 1. */
const placeOf = <Row>(selection: Selection<Row> | undefined, row: Row | undefined): number =>
  selection && row
    ? takeSelected(selection, countSelected(selection), 'forward').findIndex((one) => one.row === row) + 1
    : 1;

/** Whether a row contains every word, ignoring case. */
const holds = (row: ShownRow, words: readonly string[]): boolean => {
  const text = JSON.stringify(Object.values(row)).toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The words of a search, with quotes and backslashes escaped as in JSON, since rows are searched as JSON. */
const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => JSON.stringify(word).slice(1, -1));

/** Shows a row with all its members. Used for kinds of rows that the API never shows. */
const asItIs = (row: object): ShownRow => ({ ...row });

/** An account as `/auth` returns it, plus its organization and user, and whether a refresh would succeed. */
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
  const { token, account_id, auth_request_id, state: passedOn, user_verify_url, expires_at, used_at } = row;
  return {
    token: env.withEnvironmentKey(token),
    status: used_at !== undefined ? 'USED' : env.hasEnded(expires_at) ? 'EXPIRED' : 'OPEN',
    link: `${env.baseUrl}/magicLink/${env.withEnvironmentKey(token)}`,
    connected_account_id: account_id,
    ...accountName(state, account_id),
    ...defined({
      user_verify_url,
      state: passedOn,
      auth_request_id: auth_request_id && env.withEnvironmentKey(auth_request_id),
    }),
    ...wireTimes({ expires_at, used_at }, env),
  };
};

/** A verification request, without tokens: tokens stay hidden until the user is verified (behaviour V3). */
const showVerificationRequest = (row: VerificationRequestRow, state: State, env: Env): ShownRow => ({
  auth_request_id: env.withEnvironmentKey(row.auth_request_id),
  status: env.hasEnded(row.expires_at) ? 'EXPIRED' : 'OPEN',
  connected_account_id: row.account_id,
  ...accountName(state, row.account_id),
  ...defined({ state: row.state }),
  ...wireTimes({ expires_at: row.expires_at }, env),
});

const accountName = (state: State, id: string): ShownRow => {
  const account = getRow(state.connected_accounts, id);
  return account ? { connector: account.connector, identifier: account.identifier } : {};
};

const KINDS: { readonly [Name in KindName]: ReadRows } = {
  connected_accounts: rowsOf('connected_accounts', showAccount, {
    // A search adds only the status to stored rows. Adding all that the console shows takes long for 100,000 rows.
    searched: (row, state, env) => ({ ...row, status: accountStatus(state, row, env) }),
  }),
  users: rowsOf('users', ({ id }, state, env) => ({ ...presentUser(state, id, env) })),
  memberships: rowsOf('memberships', showMembership),
  organizations: rowsOf('organizations', asItIs),
  roles: rowsOf('roles', asItIs),
  connections: rowsOf('connections', (row, state) => ({
    ...presentConnection(state, row),
    scopes: row.scopes,
  })),
  custom_providers: rowsOf('custom_providers', asItIs),
  authorization_links: rowsOf('authorization_links', showLink),
  verification_requests: rowsOf('verification_requests', showVerificationRequest),
  stubs: rowsOf('stubs', ({ replies, ...row }) => ({ ...replies[0], ...row })),
  authentication_requests: rowsOf(
    'authentication_requests',
    (row, _state, env) => ({ ...presentEntry(row, env) }),
    { sort: (selection, { start }) => newestFirst(selection, start) },
  ),
};
