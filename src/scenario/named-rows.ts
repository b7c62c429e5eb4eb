/** Refuses to remove a row that other rows name, and to change a member that other rows depend on (behaviour X3). */

import { valueAt } from '../core/object.ts';
import { allRows, getRow, rowsBy } from '../core/table.ts';
import type { State } from '../domain/state.ts';
import { type RowOf, type TableName, tableOf } from './open-state.ts';
import { ALL_SECTIONS } from './sections/index.ts';
import type { Section } from './sections/section.ts';
import type { WrittenRow } from './written-row.ts';

/** A row that a source changed or removed. `before` is the row before the change. */
export interface NamedRow {
  readonly section: Section;
  readonly id: string;
  readonly before: RowOf<TableName>;
  readonly written: WrittenRow;
}

/** Call this only after a source is fully loaded, since it may remove rows together with the rows that name them. */
export const refuseBrokenNames = (state: State, replaced: readonly NamedRow[]): void => {
  const broken = new Map<TableName, Map<string, NamedRow>>();
  for (const row of replaced) {
    const { section, id, before } = row;
    if (brokenMember(state, row) === undefined) continue;
    const name = section.namedBy === undefined ? id : String(valueAt(before, section.namedBy));
    broken.set(section.name, (broken.get(section.name) ?? new Map<string, NamedRow>()).set(name, row));
  }
  for (const [name, rows] of broken) for (const other of ALL_SECTIONS) refuseNamed(state, name, rows, other);
};

/** The first forbidden change of a row: `remove`, or the name of the changed member on which other rows depend. */
const brokenMember = (state: State, { section, id, before }: NamedRow): string | undefined => {
  const after = getRow(tableOf(state, section.name), id);
  if (!after) return 'remove';
  return section.decisive?.find((member) => valueAt(after, member) !== valueAt(before, member));
};

const refuseNamed = (
  state: State,
  name: TableName,
  rows: ReadonlyMap<string, NamedRow>,
  other: Section,
): void => {
  const refused = new Set<string>();
  for (const [named, naming] of namings(state, name, rows, other)) {
    const row = rows.get(named);
    if (!row || refused.has(named)) continue;
    refused.add(named);
    const member = brokenMember(state, row) ?? '';
    const what = `the ${other.noun} ${other.title(naming)} names this ${row.section.noun}`;
    const advice =
      member === 'remove'
        ? '; remove or change that row too'
        : `, so ${member} cannot change; remove that row first`;
    row.written.problem(member, what + advice);
  }
};

/**
 * Finds the rows of a list that name one of the given rows; yields that name and the row. Uses an index if the table
 * has one, and otherwise reads all rows once.
 */
function* namings(
  state: State,
  name: TableName,
  rows: ReadonlyMap<string, NamedRow>,
  { name: otherName, names }: Section,
): Generator<readonly [string, RowOf<TableName>]> {
  if (!names) return;
  const table = tableOf(state, otherName);
  const [first] = rows.values();
  const index = `${first?.section.noun}_id`;
  const candidates =
    index in table.entries
      ? [...rows.keys()].flatMap((id) => rowsBy(table, index, id).slice(0, 1))
      : allRows(table);
  for (const row of candidates)
    yield* names(row).flatMap(([list, ids]) => (list === name ? ids.map((id) => [id, row] as const) : []));
}
