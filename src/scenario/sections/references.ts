/** Rows that others name, by id or by natural key; a reference to none is a problem with the nearest name there is. */
import { didYouMean } from '../../core/nearest.ts';
import { allRows, getRow, rowsBy } from '../../core/table.ts';
import { findByPair } from '../../domain/account-lookup.ts';
import { type Connector, connectorOf } from '../../domain/connector.ts';
import type { AccountRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { MemberPath, WrittenRow } from '../row-source.ts';
import { type RowOf, type TableName, tableOf, type Writing } from '../writing.ts';
import { described, type MemberSchema, TEXT } from './members.ts';

/** A kind of row that can be named. */
export interface Nameable<Row extends { readonly id: string } = { readonly id: string }> {
  readonly noun: string;
  readonly table: TableName;
  /** The member under which rows of other tables have its id. */
  readonly foreignKey: string;
  /** A text that names no row is kept as it is, and rows can be removed while it names them. */
  readonly isLabel?: boolean;
  /** Of a member that names one. */
  readonly schema: MemberSchema<string>;
  /** @param reference an id or a natural key */
  find(state: State, reference: string): Row | undefined;
  /** The natural key of a row, which people read; its id where the key could be taken for something else. */
  nameOf(state: State, id: string): string;
  /** Natural keys, for advice. */
  names(state: State): Iterable<string>;
}

type NamedTable = 'organizations' | 'roles' | 'users' | 'connections';

/** Rows that have one member as their natural key, with an index of that name. */
const nameable = <Name extends NamedTable>(
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
    table,
    foreignKey: `${noun}_id`,
    schema: described(TEXT, `The ${noun}, by id or by ${member}.`),
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

/** The owners of an account are labels (behaviour I2). */
export const ORGANIZATION_LABEL = { ...ORGANIZATION, isLabel: true };
export const USER_LABEL = { ...USER, isLabel: true };

/** An account has a pair for a name: `connector/identifier`. */
export const ACCOUNT: Nameable<AccountRow> = {
  noun: 'account',
  table: 'connected_accounts',
  foreignKey: 'account_id',
  schema: described(TEXT, 'The account, by id or as connector/identifier.'),
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
export const refer = <Row extends { readonly id: string }>(
  { state }: Writing,
  written: WrittenRow<unknown>,
  member: MemberPath,
  { noun, find, names, isLabel }: Nameable<Row>,
  reference: string | undefined,
): Row | undefined => {
  const row = reference === undefined ? undefined : find(state, reference);
  if (reference === undefined || row !== undefined || isLabel) return row;
  const known: string[] = [];
  for (const name of names(state)) if (known.push(name) === MOST_COMPARED) break;
  const listed = known.length > 0 && known.length <= MOST_LISTED ? ` There are ${known.join(', ')}.` : '';
  return written.problem(
    member,
    `there is no ${noun} "${reference}".${didYouMean(reference, known) || listed}`,
  );
};

/** How links and verification requests name their account: by `account`, or by the pair. */
export const ACCOUNT_NAME = { account: ACCOUNT.schema, connector: CONNECTION.schema, identifier: TEXT };

type AccountName = { readonly [Name in keyof typeof ACCOUNT_NAME]?: string };

/** What links and verification requests have in common. */
export const ABOUT_ACCOUNT = {
  title: ({ account_id }: { readonly account_id: string }) => `of ${account_id}`,
  keys: [],
  references: { account: ACCOUNT },
  follows: ['connected_accounts'] as const,
  replaced: { account: ['connector', 'identifier'] as const },
};

/** The account that a link or a verification request is about, and its connector. */
export const requireAccount = (
  writing: Writing,
  written: WrittenRow<AccountName>,
): { readonly account: AccountRow; readonly connector: Connector } | undefined => {
  const { account: id, connector, identifier } = written.form;
  if (id === undefined && (connector === undefined || identifier === undefined))
    return written.problem(
      undefined,
      'needs account (an id, or connector/identifier), or connector and identifier',
    );
  const account =
    id === undefined
      ? refer(writing, written, 'identifier', ACCOUNT, `${connector}/${identifier}`)
      : getRow(writing.state.connected_accounts, id);
  const found = account && connectorOf(writing.state, account);
  return account && found && { account, connector: found };
};
