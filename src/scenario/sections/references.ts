/** Rows that others name, by id or by natural key; a reference to none is a problem with the nearest name there is. */

import { didYouMean } from '../../core/nearest.ts';
import { getRow, rowsBy, type Table } from '../../core/table.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import { type Connector, connectorKind } from '../../domain/connector.ts';
import type { AccountRow, ConnectionRow, OrganizationRow, RoleRow, UserRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import { findUserByEmail } from '../../domain/user.ts';
import type { Member, WrittenRow } from '../row-source.ts';
import type { Writing } from '../writing.ts';
import type { AccountName } from './members.ts';

/** A kind of row that can be named. */
export interface Nameable<Row> {
  readonly noun: string;
  /** @param reference an id or a natural key */
  readonly find: (state: State, reference: string) => Row | undefined;
  /** Natural keys, for advice. */
  readonly names: (state: State) => Iterable<string>;
}

export const ORGANIZATION: Nameable<OrganizationRow> = {
  noun: 'organization',
  find: ({ organizations }, reference) =>
    getRow(organizations, reference) ?? rowsBy(organizations, 'name', reference)[0],
  names: ({ organizations }) => organizations.entries.name.keys(),
};

export const ROLE: Nameable<RoleRow> = {
  noun: 'role',
  find: ({ roles }, reference) => getRow(roles, reference) ?? rowsBy(roles, 'name', reference)[0],
  names: ({ roles }) => roles.entries.name.keys(),
};

export const USER: Nameable<UserRow> = {
  noun: 'user',
  find: (state, reference) => getRow(state.users, reference) ?? findUserByEmail(state, reference),
  names: ({ users }) => users.entries.email.keys(),
};

export const CONNECTION: Nameable<ConnectionRow> = {
  noun: 'connection',
  find: ({ connections }, reference) =>
    getRow(connections, reference) ?? rowsBy(connections, 'key_id', reference.toLowerCase())[0],
  names: ({ connections }) => connections.entries.key_id.keys(),
};

export const ACCOUNT: Nameable<AccountRow> = {
  noun: 'account',
  find: (state, reference) => {
    const [connector = '', ...identifier] = reference.split('/'); // no connector has a slash in it
    const key_id = CONNECTION.find(state, connector)?.key_id ?? connector;
    return getRow(state.connected_accounts, reference) ?? findByPair(state, key_id, identifier.join('/'));
  },
  names: function* ({ connected_accounts }) {
    for (const row of connected_accounts.rows.values()) yield nameOfAccount(row);
  },
};

export const nameOfAccount = ({ connector, identifier }: AccountRow): string => `${connector}/${identifier}`;

/** So many names are looked through for the one that was meant, and so many are listed. */
const MOST_COMPARED = 5_000;
const MOST_LISTED = 40;

/** The row that a member names. */
export const refer = <Row>(
  { state }: Writing,
  written: WrittenRow<unknown>,
  member: Member,
  { noun, find, names }: Nameable<Row>,
  reference: string | undefined,
): Row | undefined => {
  if (reference === undefined) return undefined;
  const row = find(state, reference);
  if (row !== undefined) return row;
  const known = take(names(state), MOST_COMPARED);
  const listed = known.length > MOST_LISTED || known.length === 0 ? '' : ` There are ${known.join(', ')}.`;
  return written.problem(
    member,
    `there is no ${noun} "${reference}".${didYouMean(reference, known) || listed}`,
  );
};

const take = (names: Iterable<string>, most: number): string[] => {
  const taken: string[] = [];
  for (const name of names) {
    if (taken.length === most) break;
    taken.push(name);
  }
  return taken;
};

/** The account that a link or a verification request is about, and its connector. */
export const referToAccount = (
  writing: Writing,
  written: WrittenRow<AccountName>,
): { readonly account: AccountRow; readonly connector: Connector } | undefined => {
  const { account: reference, connector, identifier } = written.form;
  const isPair = connector !== undefined && identifier !== undefined;
  if (reference === undefined && !isPair)
    return written.problem(
      undefined,
      'needs account (an id, or connector/identifier), or connector and identifier',
    );
  const [member, name] =
    reference === undefined ? ['identifier', `${connector}/${identifier}`] : ['account', reference];
  const account = refer(writing, written, member, ACCOUNT, name);
  const found = account && connectorOf(writing.state, account);
  return account && found && { account, connector: found };
};

export const connectorOf = ({ connections }: State, { connection_id }: AccountRow): Connector | undefined => {
  const connection = getRow(connections, connection_id);
  const kind = connection && connectorKind(connection);
  return kind && { connection, kind };
};

/** How a form names an organization: by the name, which people read. */
export const nameOfOrganization = ({ organizations }: State, id: string): string =>
  nameOf(organizations, id, ({ name }) => name);

export const nameOfRole = ({ roles }: State, id: string): string => nameOf(roles, id, ({ name }) => name);

export const nameOfConnection = ({ connections }: State, id: string): string =>
  nameOf(connections, id, ({ key_id }) => key_id);

export const nameOfUser = ({ users }: State, id: string): string => nameOf(users, id, ({ email }) => email);

/** The natural key of a row; its id where the row is gone, or where the key is the id of another. */
const nameOf = <Row, Index extends string>(
  table: Table<Row, Index>,
  id: string,
  keyOf: (row: Row) => string,
): string => {
  const row = getRow(table, id);
  const key = row === undefined ? id : keyOf(row);
  return getRow(table, key) === undefined ? key : id;
};

/** An account by connector and identifier, unless the connector can be mistaken for an id. */
export const nameOfAccountById = (state: State, id: string): string => {
  const row = getRow(state.connected_accounts, id);
  const name = row && nameOfAccount(row);
  return name !== undefined && ACCOUNT.find(state, name) === row ? name : id;
};

/** What is written later may name another account in another way. */
export const withoutAccount = <Form extends AccountName>(under: Form, over: AccountName): Form => {
  if ((over.account ?? over.connector ?? over.identifier) === undefined) return under;
  const { account: _account, connector: _connector, identifier: _identifier, ...rest } = under;
  return rest as Form; // these members are optional
};
