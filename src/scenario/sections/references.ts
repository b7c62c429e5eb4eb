/** Rows that others name, by id or by natural key; a reference to none is a problem with the nearest name there is. */
import { didYouMean } from '../../core/nearest.ts';
import { allRows, getRow, rowsBy, type Table } from '../../core/table.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import { type Connector, connectorKind } from '../../domain/connector.ts';
import type { AccountRow, ConnectionRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { Member, WrittenRow } from '../row-source.ts';
import type { RowOf, TableName, Writing } from '../writing.ts';
import type { AccountName } from './members.ts';
import { tableOf } from './section.ts';

/** A kind of row that can be named. */
interface Nameable<Row> {
  readonly noun: string;
  /** @param reference an id or a natural key */
  find(state: State, reference: string): Row | undefined;
  /** The natural key of a row, which people read; its id where the key could be taken for something else. */
  nameOf(state: State, id: string): string;
  /** Natural keys, for advice. */
  names(state: State): Iterable<string>;
}

/** Rows that have one member as their natural key, with an index of that name. */
const nameable = <Name extends TableName>(
  table: Name,
  noun: string,
  member: keyof RowOf<Name> & string,
): Nameable<RowOf<Name>> => {
  const find = (state: State, reference: string): RowOf<Name> | undefined => {
    const rows = tableOf(state, table);
    // The index says how natural keys are compared; it looks at nothing but the member.
    const named: unknown = { [member]: reference };
    const key = String(rows.spec.indexes[member]?.(named as RowOf<Name>));
    return (getRow(rows, reference) ?? rowsBy(rows, member, key)[0]) as RowOf<Name> | undefined;
  };
  return {
    noun,
    find,
    nameOf: (state, id) => {
      const row = getRow(tableOf(state, table), id) as RowOf<Name> | undefined;
      const name = row && String(row[member]);
      return name !== undefined && find(state, name) === row ? name : id;
    },
    names: (state) => tableOf(state, table).entries[member]?.keys() ?? [],
  };
};

export const ORGANIZATION = nameable('organizations', 'organization', 'name');
export const ROLE = nameable('roles', 'role', 'name');
export const USER = nameable('users', 'user', 'email');
export const CONNECTION = nameable('connections', 'connection', 'key_id');

/** An account has a pair for a name: `connector/identifier`. */
export const ACCOUNT: Nameable<AccountRow> = {
  noun: 'account',
  find: (state, reference) => {
    const [connector = '', ...identifier] = reference.split('/'); // no connector has a slash in it
    const key_id = CONNECTION.find(state, connector)?.key_id ?? connector;
    return getRow(state.connected_accounts, reference) ?? findByPair(state, key_id, identifier.join('/'));
  },
  nameOf: (state, id) => {
    const row = getRow(state.connected_accounts, id);
    const name = row && pairOf(row);
    return name !== undefined && ACCOUNT.find(state, name) === row ? name : id;
  },
  names: function* (state) {
    for (const row of allRows(state.connected_accounts)) yield pairOf(row);
  },
};

export const pairOf = ({ connector, identifier }: AccountRow): string => `${connector}/${identifier}`;

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
  const row = reference === undefined ? undefined : find(state, reference);
  if (reference === undefined || row !== undefined) return row;
  const known: string[] = [];
  for (const name of names(state)) if (known.push(name) === MOST_COMPARED) break;
  const listed = known.length > 0 && known.length <= MOST_LISTED ? ` There are ${known.join(', ')}.` : '';
  return written.problem(
    member,
    `there is no ${noun} "${reference}".${didYouMean(reference, known) || listed}`,
  );
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
  const found = account && connectorOf(getRow(writing.state.connections, account.connection_id));
  return account && found && { account, connector: found };
};

export const connectorOf = (connection: ConnectionRow | undefined): Connector | undefined => {
  const kind = connection && connectorKind(connection);
  return kind && { connection, kind };
};

/** What links and verification requests have in common. */
export const aboutAccount = <Row>(tableOf: (state: State) => Table<Row, 'account_id'>) => ({
  title: ({ account_id }: { readonly account_id: string }) => `of ${account_id}`,
  keys: [],
  names: {
    connected_accounts: (state: State, { id }: AccountRow) => rowsBy(tableOf(state), 'account_id', id),
  },
  follows: ['connected_accounts'] as const,
  merge: <Form extends AccountName>(under: Form, over: Form): Form => ({
    ...withoutAccount(under, over),
    ...over,
  }),
});

/** What is written later may name another account in another way. */
const withoutAccount = <Form extends AccountName>(under: Form, over: AccountName): Form => {
  if ((over.account ?? over.connector ?? over.identifier) === undefined) return under;
  const { account: _account, connector: _connector, identifier: _identifier, ...rest } = under;
  return rest as Form; // these members are optional
};
