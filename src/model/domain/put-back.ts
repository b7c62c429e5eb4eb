/** Puts removed rows back, for the console's undo. */
import { Refusal } from '../../core/errors.ts';
import { getRow, positionsOf, rowsBy, startWriter, type Table } from '../../core/table.ts';
import type { State } from './state.ts';

type AnyRow = Readonly<Record<string, unknown>>;

interface TableRules {
  /** For each index with unique keys, the member to show in a message about a duplicate key. */
  readonly unique?: Readonly<Record<string, string>>;
  /** For each member that holds the id of another row, the table of that row. */
  readonly needs?: Readonly<Record<string, keyof State>>;
}

/** The tables whose removed rows can be put back, with the rules that such a row must meet. */
const RULES: { readonly [Name in keyof State]?: TableRules } = {
  organizations: { unique: { name: 'name' } },
  roles: { unique: { name: 'name' } },
  stubs: {},
  custom_providers: { unique: { display_name: 'display_name' } },
  connections: { unique: { key_id: 'key_id' }, needs: { organization_id: 'organizations' } },
  users: { unique: { email: 'email', external_id: 'external_id' } },
  memberships: { needs: { user_id: 'users', organization_id: 'organizations' } },
  connected_accounts: { unique: { pair: 'identifier' }, needs: { connection_id: 'connections' } },
};

const tableOf = (state: State, name: keyof State): Table<AnyRow, string> =>
  state[name] as unknown as Table<AnyRow, string>; // the cast is safe: RULES has only names of tables

/**
 * Puts rows of an earlier state back into the current state. The memberships of a user come back with the user.
 * @param removed ids of removed rows, by table; unknown tables are ignored
 * @throws Refusal 409 if another row now has a unique key of a removed row, 400 if a removed row needs a missing row
 */
export const putRowsBack = (
  current: State,
  before: State,
  removed: Readonly<Record<string, readonly string[]>>,
): State => {
  let state = current;
  for (const [name, rules] of Object.entries(RULES) as [keyof State, TableRules][])
    for (const id of removed[name] ?? []) state = putBack(state, before, name, id, rules);
  return state;
};

const putBack = (state: State, before: State, name: keyof State, id: string, rules: TableRules): State => {
  const position = tableOf(before, name).positions.get(id);
  const row = getRow(tableOf(before, name), id);
  const table = tableOf(state, name);
  if (position === undefined || !row || getRow(table, id)) return state;
  requirePlace(state, table, row, rules);
  const writer = startWriter(table);
  writer.putBack(row, position);
  const next = { ...state, [name]: writer.finish() };
  if (name !== 'users') return next;
  const memberships = rowsBy(before.memberships, 'user_id', id);
  return putRowsBack(next, before, { memberships: memberships.map(before.memberships.spec.id) });
};

const requirePlace = (
  state: State,
  table: Table<AnyRow, string>,
  row: AnyRow,
  { unique = {}, needs = {} }: TableRules,
): void => {
  for (const [index, member] of Object.entries(unique)) {
    const key = table.spec.indexes[index]?.(row);
    if (typeof key === 'string' && positionsOf(table, index, key).size > 0)
      throw new Refusal(
        'RESOURCE_ALREADY_EXISTS',
        `Another row now has the ${member} ${JSON.stringify(row[member])}. Change that row first.`,
      );
  }
  for (const [member, needed] of Object.entries(needs))
    if (row[member] !== undefined && !getRow(tableOf(state, needed), String(row[member])))
      throw new Refusal(
        'FAILED_PRECONDITION',
        `The row has the ${member} ${row[member]}, which no longer exists. Put ${row[member]} back first.`,
      );
};
