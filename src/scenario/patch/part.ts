/** The part of a state that a patch is about: what has to be built anew, however much there is beside it. */
import { getRow, rowsBy, type Table } from '../../core/table.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import type { AccountRow, UserRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import { findUserByEmail } from '../../domain/user.ts';
import type { EnvironmentDraft } from '../draft.ts';
import type { RowsOf } from '../export/environment.ts';
import type { AccountForm, SectionName, UserForm } from '../written.ts';

type Ids = ReadonlySet<string>;

/**
 * Rows of the sections that can be large, by id: those that a patch names, and what depends on them. All other sections
 * are a part of every patch as a whole.
 */
export interface Part {
  readonly users: Ids;
  readonly connected_accounts: Ids;
  readonly authorization_links: Ids;
  readonly verification_requests: Ids;
  readonly authentication_requests: Ids;
}

export const findPart = (state: State, { sections }: EnvironmentDraft): Part => {
  const users = sections.users.flatMap(({ form }) => namedUsers(state, form));
  const links = sections.authorization_links.map(({ form }) => form.token);
  const requests = sections.verification_requests.map(({ form }) => form.auth_request_id);
  const entries = sections.authentication_requests.map(({ form }) => form.auth_request_id);
  const namedRequests = rowsOf(state.verification_requests, requests);
  const accounts = new Set([
    ...sections.connected_accounts.flatMap(({ form }) => namedAccounts(state, form)),
    ...namedRequests.map((row) => row.account_id),
  ]);
  const ofAccounts = <Row>(table: Table<Row, 'account_id'>): readonly Row[] =>
    [...accounts].flatMap((id) => rowsBy(table, 'account_id', id));
  return {
    users: new Set(users),
    connected_accounts: accounts,
    authorization_links: idsIn(state.authorization_links, [
      ...rowsOf(state.authorization_links, links),
      ...ofAccounts(state.authorization_links),
    ]),
    verification_requests: idsIn(state.verification_requests, [
      ...namedRequests,
      ...ofAccounts(state.verification_requests),
    ]),
    authentication_requests: idsIn(
      state.authentication_requests,
      rowsOf(state.authentication_requests, entries),
    ),
  };
};

const rowsOf = <Row, Index extends string>(
  table: Table<Row, Index>,
  ids: readonly (string | undefined)[],
): readonly Row[] => ids.flatMap((id) => getRow(table, id ?? '') ?? []);

const idsIn = <Row, Index extends string>({ spec }: Table<Row, Index>, rows: readonly Row[]): Ids =>
  new Set(rows.map(spec.id));

/** Whether every row that a patch names keeps its id. */
export const keepsIds = (state: State, { sections }: EnvironmentDraft): boolean => {
  const keeps = ({ id }: { readonly id?: string }, named: readonly string[]): boolean =>
    id === undefined || named.every((each) => each === id);
  return (
    sections.users.every(({ form }) => keeps(form, namedUsers(state, form))) &&
    sections.connected_accounts.every(({ form }) => keeps(form, namedAccounts(state, form)))
  );
};

const namedUsers = (state: State, { id = '', email = '' }: UserForm): readonly string[] =>
  [getRow(state.users, id), findUserByEmail(state, email)].flatMap((row) => row?.id ?? []);

const namedAccounts = (state: State, form: AccountForm): readonly string[] => {
  const { id = '', connector = form.connection_id ?? '', identifier = '' } = form;
  const key_id = getRow(state.connections, connector)?.key_id ?? connector;
  const rows = [getRow(state.connected_accounts, id), findByPair(state, key_id, identifier)];
  return rows.flatMap((row) => row?.id ?? []);
};

/** Gives the rows of the part, in the order of the table; of the other sections all there are. */
export const rowsOfPart =
  (part: Part, all: RowsOf): RowsOf =>
  (table, section) => {
    const idsOfSections: Partial<Record<SectionName, Ids>> = part;
    const ids = idsOfSections[section];
    return ids ? inOrder(table, ids) : all(table, section);
  };

const inOrder = <Row, Index extends string>(table: Table<Row, Index>, ids: Ids): Row[] =>
  [...ids]
    .flatMap((id) => {
      const position = table.positions.get(id);
      return position === undefined ? [] : { position, id };
    })
    .sort((left, right) => (left.position < right.position ? -1 : 1))
    .flatMap(({ id }) => getRow(table, id) ?? []);

/** Rows that are not built anew but may be referred to. */
export interface Beside {
  /** @param reference an id, or an e-mail address in any case */
  readonly user: (reference: string) => UserRow | undefined;
  /** @param reference an id, or `connector/identifier` with the connector's key_id */
  readonly account: (reference: string) => AccountRow | undefined;
}

/** What a state holds beside a part of it. */
export const besidePart = (state: State, part: Part): Beside => {
  const unless = <Row extends { readonly id: string }>(ids: Ids, row: Row | undefined): Row | undefined =>
    row && !ids.has(row.id) ? row : undefined;
  return {
    user: (reference) =>
      unless(part.users, getRow(state.users, reference) ?? findUserByEmail(state, reference)),
    account: (reference) => {
      const [connector = '', ...identifier] = reference.split('/');
      const pair = findByPair(state, connector, identifier.join('/'));
      return unless(part.connected_accounts, getRow(state.connected_accounts, reference) ?? pair);
    },
  };
};
