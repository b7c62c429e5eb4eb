/** Rows that were removed, put back where they stood, if nothing has taken their place meanwhile. */
import { Refusal } from '../core/errors.ts';
import { allRows, getRow, type Table } from '../core/table.ts';
import { startWriter } from '../core/table-writer.ts';
import type { State } from './state.ts';

type AnyRow = Readonly<Record<string, unknown>>;
type AnyTable = Table<AnyRow, string>;

/** The tables whose rows people remove: what no two rows share, and which rows a row needs. */
const RULES = {
  organizations: { unique: [['name']], needs: {} },
  roles: { unique: [['name']], needs: {} },
  stubs: { unique: [], needs: {} },
  custom_providers: { unique: [['display_name']], needs: {} },
  connections: { unique: [['key_id']], needs: { organization_id: 'organizations' } },
  users: { unique: [['email'], ['external_id']], needs: {} },
  memberships: { unique: [], needs: { user_id: 'users', organization_id: 'organizations' } },
  connected_accounts: {
    unique: [['connection_id', 'identifier']],
    needs: { connection_id: 'connections' },
  },
} as const satisfies Partial<Record<keyof State, TableRules>>;

interface TableRules {
  readonly unique: readonly (readonly string[])[];
  readonly needs: Readonly<Record<string, keyof State>>;
}

type RemovableTable = keyof typeof RULES;

/** Ids of removed rows, by table. */
export type RemovedRows = Partial<Record<RemovableTable, readonly string[]>>;

export const isRemovable = (name: string): name is RemovableTable => Object.hasOwn(RULES, name);

const tableOf = (state: State, name: keyof State): AnyTable => state[name] as unknown as AnyTable; // one of its tables

/**
 * The state with rows of an earlier one put back; the memberships of a user come back with the user.
 * @throws Refusal 409 if another row has the name of one of them, 400 if a row that one needs is gone
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
  const memberships = [...allRows(before.memberships)].filter(({ user_id }) => user_id === id);
  return putRowsBack(next, before, { memberships: memberships.map(before.memberships.spec.id) });
};

const requirePlace = (state: State, name: RemovableTable, row: AnyRow): void => {
  const { unique, needs }: TableRules = RULES[name];
  const isSame = (other: AnyRow, members: readonly string[]): boolean =>
    members.every((member) => row[member] !== undefined && textOf(row[member]) === textOf(other[member]));
  for (const other of allRows(tableOf(state, name))) {
    const members = unique.find((each) => isSame(other, each));
    if (members)
      throw new Refusal(
        'RESOURCE_ALREADY_EXISTS',
        `Another row has the ${members.at(-1)} ${JSON.stringify(row[members.at(-1) ?? ''])} now. Change that one first.`,
      );
  }
  for (const [member, table] of Object.entries(needs))
    if (row[member] !== undefined && !getRow(tableOf(state, table), String(row[member])))
      throw new Refusal(
        'FAILED_PRECONDITION',
        `${row[member]}, which the row names as its ${member}, is gone. Put that back first.`,
      );
};

const textOf = (value: unknown): string => String(value).toLowerCase();
