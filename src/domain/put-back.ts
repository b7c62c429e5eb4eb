/** Puts removed rows back, unless other rows have taken their place. */
import { Refusal } from '../core/errors.ts';
import { getRow, positionsOf, rowsBy, startWriter, type Table } from '../core/table.ts';
import type { State } from './state.ts';

type AnyRow = Readonly<Record<string, unknown>>;
type AnyTable = Table<AnyRow, string>;

/**
 * For each table from which people remove rows: its unique indexes, with the member that each compares, and the members
 * that name a row of another table.
 */
const RULES = {
  organizations: { unique: { name: 'name' }, needs: {} },
  roles: { unique: { name: 'name' }, needs: {} },
  stubs: { unique: {}, needs: {} },
  custom_providers: { unique: { display_name: 'display_name' }, needs: {} },
  connections: { unique: { key_id: 'key_id' }, needs: { organization_id: 'organizations' } },
  users: { unique: { email: 'email', external_id: 'external_id' }, needs: {} },
  memberships: { unique: {}, needs: { user_id: 'users', organization_id: 'organizations' } },
  connected_accounts: { unique: { pair: 'identifier' }, needs: { connection_id: 'connections' } },
} as const satisfies Partial<Record<keyof State, TableRules>>;

interface TableRules {
  readonly unique: Readonly<Record<string, string>>;
  readonly needs: Readonly<Record<string, keyof State>>;
}

type RemovableTable = keyof typeof RULES;

/** Ids of removed rows, by table. */
export type RemovedRows = Partial<Record<RemovableTable, readonly string[]>>;

export const isRemovable = (name: string): name is RemovableTable => Object.hasOwn(RULES, name);

const tableOf = (state: State, name: keyof State): AnyTable => state[name] as unknown as AnyTable; // every member named here is a table

/**
 * Puts rows of an earlier state back into the current one; a user comes back with the memberships.
 * @throws Refusal 409 if another row has taken the name of a removed row, 400 if a removed row names a row that no
 * longer exists
 */
export const putRowsBack = (current: State, before: State, removed: RemovedRows): State => {
  let state = current;
  for (const [name, ids = []] of Object.entries(removed))
    for (const id of ids) if (isRemovable(name)) state = putBack(state, before, name, id);
  return state;
};

const putBack = (state: State, before: State, name: RemovableTable, id: string): State => {
  const position = tableOf(before, name).positions.get(id);
  const row = getRow(tableOf(before, name), id);
  const table = tableOf(state, name);
  if (position === undefined || !row || getRow(table, id)) return state;
  requirePlace(state, name, row);
  const writer = startWriter(table);
  writer.putBack(row, position);
  const next = { ...state, [name]: writer.finish() };
  if (name !== 'users') return next;
  const memberships = rowsBy(before.memberships, 'user_id', id);
  return putRowsBack(next, before, { memberships: memberships.map(before.memberships.spec.id) });
};

const requirePlace = (state: State, name: RemovableTable, row: AnyRow): void => {
  const { unique, needs }: TableRules = RULES[name];
  const table = tableOf(state, name);
  for (const [index, member] of Object.entries(unique)) {
    const key = table.spec.indexes[index]?.(row);
    if (typeof key === 'string' && positionsOf(table, index, key).size > 0)
      throw new Refusal(
        'RESOURCE_ALREADY_EXISTS',
        `Another row now has the ${member} ${JSON.stringify(row[member])}. Change that one first.`,
      );
  }
  for (const [member, needed] of Object.entries(needs))
    if (row[member] !== undefined && !getRow(tableOf(state, needed), String(row[member])))
      throw new Refusal(
        'FAILED_PRECONDITION',
        `The row has the ${member} ${row[member]}, which no longer exists. Put ${row[member]} back first.`,
      );
};
