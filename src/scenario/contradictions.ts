/** Checks that the API returns every value as the scenario wrote it, once all rows are loaded (behaviour X3). */
import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../core/object.ts';
import { isSecretName } from '../core/secrets.ts';
import { getRow } from '../core/table.ts';
import { cut } from '../core/text.ts';
import { findByName } from '../domain/names.ts';
import type { State } from '../domain/state.ts';
import { isJsonObject } from '../openapi/document.ts';
import { type OpenState, type RowOf, type TableName, tableOf } from './open-state.ts';
import type { Path } from './problem.ts';
import { ALL_SECTIONS } from './sections/index.ts';
import { NAMED_BY } from './sections/references.ts';
import type { Section, WrittenRows } from './sections/section.ts';
import { formatTime, NEVER, parseTime } from './times.ts';
import type { WrittenRow } from './written-row.ts';

/** Adds a problem for each member whose value the API would return differently from the written value. */
export const refuseContradictions = (open: OpenState, rows: WrittenRows): void => {
  for (const section of ALL_SECTIONS)
    for (const [id, written] of rows.get(section.name) ?? []) {
      const row = getRow(tableOf(open.state, section.name), id);
      if (row) refuseUnlike(open, section, row, written);
    }
};

const refuseUnlike = (
  open: OpenState,
  section: Section,
  row: RowOf<TableName>,
  { own, problem }: WrittenRow,
): void => {
  const { state } = open;
  // Reading a member back is slow, so this skips members that the row stores exactly as written.
  const unsure = Object.entries(own).filter(([member, value]) => !isStored(state, row, member, value));
  if (unsure.length === 0) return;
  const [read, ...others] = open.instants.map((at) => reader(open, section, row, at));
  for (const [member, value] of unsure) {
    const differenceAt = (of: typeof read) => difference(state, [member], value, of?.(member));
    const found = differenceAt(read);
    // With an unknown clock, skips members that read differently at its two instants: they depend on the clock.
    if (!found || others.some((of) => !isDeepStrictEqual(differenceAt(of), found))) continue;
    problem(found.path, `would read ${show(found)}; write that value, or change the members that decide it`);
  }
};

/** Compares objects deeply: a member that the row does not store may be derived from other members. */
const isStored = (state: State, row: object, member: string, value: unknown): boolean => {
  if (!Object.hasOwn(row, member)) return false;
  const stored = valueAt(row, member);
  return typeof value === 'object'
    ? isDeepStrictEqual(value, stored)
    : difference(state, [member], value, stored) === undefined;
};

/**
 * Returns a function that reads a member of the row at an instant. It returns UNREAD for members that can only be
 * written.
 */
const reader = (open: OpenState, section: Section, row: RowOf<TableName>, at: OpenState['instants'][0]) => {
  const { state, settings } = open;
  const computed = section.computed?.(open, row) ?? {};
  let members: ReadonlyMap<string, unknown> | undefined;
  return (member: string): unknown => {
    if (section.unchecked?.includes(member)) return UNREAD;
    if (computed[member]) return computed[member]();
    members ??= new Map(
      Object.entries(section.toForm(state, row, { settings, at, time: formatTime }).members),
    );
    return members.has(member) ? members.get(member) : UNREAD;
  };
};

const UNREAD = Symbol('only written');

interface Difference {
  readonly path: Path;
  readonly reads: unknown;
}

/** The first place where the value that is read differs from the written value. */
const difference = (state: State, path: Path, written: unknown, reads: unknown): Difference | undefined => {
  if (reads === UNREAD || written === undefined || written === reads) return undefined;
  if (isJsonObject(written) && isJsonObject(reads)) return firstDifference(state, path, written, reads);
  if (Array.isArray(reads)) {
    const list = [written].flat();
    if (list.length === reads.length && list.some(isJsonObject))
      return firstDifference(state, path, list, reads);
    return isDeepStrictEqual(sameList(state, path, list), sameList(state, path, reads))
      ? undefined
      : { path, reads };
  }
  return same(state, path, written) === same(state, path, reads) ? undefined : { path, reads };
};

/** The first difference between two objects, or between two lists. */
const firstDifference = (
  state: State,
  path: Path,
  written: object,
  reads: object,
): Difference | undefined => {
  for (const [name, value] of Object.entries(written)) {
    const step = Array.isArray(written) ? Number(name) : name;
    const read: unknown = Object.hasOwn(reads, name) ? valueAt(reads, step) : UNREAD;
    const found = difference(state, [...path, step], value, read);
    if (found) return found;
  }
  return undefined;
};

/** Returns equal values for texts that mean the same time or the same row. */
const same = (state: State, path: Path, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (value === NEVER) return undefined;
  const kind = NAMED_BY.get(String(path.at(-1)));
  return parseTime(value) ?? (kind && findByName(state, kind.kind, value)?.id) ?? value;
};

/** Sorts lists whose order does not matter. */
const sameList = (state: State, path: Path, list: readonly unknown[]): readonly unknown[] =>
  Array.from(list, (item) => same(state, path, item)).sort();

const show = ({ path, reads }: Difference): string => {
  if (path.some((step) => isSecretName(String(step))) || isJsonObject(reads)) return 'otherwise';
  return cut([reads ?? []].flat().join(', ')) || 'none';
};
