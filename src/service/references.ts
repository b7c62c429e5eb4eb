/** References to other rows, by id or by natural key. */
import { allRows, getRow, type Table } from '../engine/core/table.ts';
import { didYouMean } from '../engine/core/text.ts';
import { type MemberPath, type OpenState, tableOf, type WrittenRow } from '../engine/scenario/loading.ts';
import { described, type MemberSchema, TEXT } from '../engine/scenario/member-schemas.ts';
import { type Connector, connectorOf } from './connections/rules.ts';
import { findByName, type NamedRows } from './find-by-name.ts';
import type { AccountRow } from './rows.ts';
import type { State } from './state.ts';

/** A kind of row that other rows refer to. */
export interface RowReference<Kind extends keyof NamedRows = keyof NamedRows> {
  readonly kind: Kind;
  readonly noun: string;
  /** The schema of a member that refers to a row of this kind. */
  readonly schema: MemberSchema<string>;
  /** The natural key of a row, such as the name of an organization. */
  keyOf(row: NamedRows[Kind]): string;
}

const nameable = <Kind extends keyof NamedRows>(
  kind: Kind,
  noun: string,
  keyName: string,
  keyOf: (row: NamedRows[Kind]) => string,
): RowReference<Kind> => ({
  kind,
  noun,
  schema: described(TEXT, `The ${noun}, by id or ${keyName}.`),
  keyOf,
});

const pairOf = ({ connector, identifier }: AccountRow): string => `${connector}/${identifier}`;

export const ORGANIZATION = nameable('organizations', 'organization', 'by name', ({ name }) => name);
export const ROLE = nameable('roles', 'role', 'by name', ({ name }) => name);
export const USER = nameable('users', 'user', 'by email', ({ email }) => email);
export const CONNECTION = nameable('connections', 'connection', 'by key_id', ({ key_id }) => key_id);
export const ACCOUNT = nameable('connected_accounts', 'account', 'as connector/identifier', pairOf);

/** The natural key of a row, or its id if the key is ambiguous. */
export const nameOf = <Kind extends keyof NamedRows, Id extends string | undefined>(
  { kind, keyOf }: RowReference<Kind>,
  state: State,
  id: Id,
): string | Id => {
  const row = id && findByName(state, kind, id);
  const key = row && row.id === id ? keyOf(row) : id;
  return key && findByName(state, kind, key)?.id === id ? key : id;
};

/** The kind of row to which each member refers. */
export const NAMED_BY: ReadonlyMap<string, RowReference> = new Map<string, RowReference>([
  ['roles', ROLE],
  ['organization_id', ORGANIZATION],
  ['user_id', USER],
  ['connection_id', CONNECTION],
  ['connector', CONNECTION],
  ['account', ACCOUNT],
]);

const MOST_COMPARED = 5_000;
const MOST_LISTED = 20;

/**
 * Finds the row to which a member refers. For an unknown name, adds a problem that suggests a similar name.
 * @param advice the end of the problem's message: what else could be written
 */
export const findNamed = <Kind extends keyof NamedRows>(
  { state }: OpenState,
  written: WrittenRow<unknown>,
  member: MemberPath,
  { kind, noun, keyOf }: RowReference<Kind>,
  name: string | undefined,
  advice = '',
): NamedRows[Kind] | undefined => {
  const row = name === undefined ? undefined : findByName(state, kind, name);
  if (name === undefined || row !== undefined) return row;
  const known: string[] = [];
  for (const each of allRows(tableOf(state, kind) as Table<unknown> as Table<NamedRows[Kind]>))
    if (known.push(keyOf(each)) === MOST_COMPARED) break;
  const listed =
    known.length > 0 && known.length <= MOST_LISTED ? ` The ${noun}s are ${known.join(', ')}.` : '';
  return written.problem(
    member,
    `there is no ${noun} "${name}".${didYouMean(name, known) || listed}${advice}`,
  );
};

/** Links and verification requests refer to their account by `account`, or by connector and identifier. */
export const ACCOUNT_NAME = { account: ACCOUNT.schema, connector: CONNECTION.schema, identifier: TEXT };

/** The members of `Section` that links and verification requests have in common. */
export const ABOUT_ACCOUNT = {
  example: '{ account: mail/ada@acme.test }',
  references: { account: ACCOUNT },
  names: ({ account_id }: { readonly account_id: string }) => [`connected_accounts/${account_id}`],
};

/** The account of a link or verification request, and the account's connector. */
export const accountOf = (
  open: OpenState,
  written: WrittenRow<{ readonly [Name in keyof typeof ACCOUNT_NAME]?: string }>,
): { readonly account: AccountRow; readonly connector: Connector } | undefined => {
  const { account: id, connector, identifier } = written.form;
  if (id === undefined && (connector === undefined || identifier === undefined))
    return written.problem(
      undefined,
      'needs "account" (an id, or CONNECTOR/IDENTIFIER), or both "connector" and "identifier"',
    );
  const account =
    id === undefined
      ? findNamed(open, written, 'identifier', ACCOUNT, `${connector}/${identifier}`)
      : getRow(open.state.connected_accounts, id);
  const found = account && connectorOf(open.state, account);
  return account && found && { account, connector: found };
};
