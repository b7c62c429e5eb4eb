/** Loads rows into a state, whether they come from a file, `PATCH .../state` or `PUT .../state`. */
import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../core/object.ts';
import { getRow, rowsBy } from '../core/table.ts';
import type { State } from '../domain/state.ts';
import { refuseContradictions } from './contradictions.ts';
import { type NamedRow, refuseBrokenNames } from './named-rows.ts';
import {
  type LoadContext,
  type OpenState,
  openState,
  type RowOf,
  type TableName,
  tableOf,
} from './open-state.ts';
import type { Path } from './problem.ts';
import { type EnvironmentForm, SECTIONS } from './sections/index.ts';
import { findNamed } from './sections/references.ts';
import { mergeForm, type RowName, type Section } from './sections/section.ts';
import type { Source } from './source.ts';
import { type AnyForm, type RowList, type WrittenRow, writtenRows } from './written-row.ts';

type AnyRow = RowOf<TableName>;

/** The part of a source that describes one environment. It has passed the schema. */
export interface EnvironmentPart {
  readonly source: Source;
  readonly form: EnvironmentForm;
  /** Where the content is in the source. */
  readonly path: Path;
}

/** A part that is being loaded. */
interface PartLoad {
  readonly open: OpenState;
  /** The loaded rows, by table and id. */
  readonly put: Map<TableName, Map<string, WrittenRow>>;
  /** Existing rows that were changed or removed, as they were before. */
  readonly replaced: NamedRow[];
}

/** Adds the rows of several parts to a state; later parts change the rows of earlier ones. */
export const loadRows = (base: State, parts: readonly EnvironmentPart[], context: LoadContext): State => {
  const open = openState(base, context);
  for (const part of parts) reserveIds(open, part);
  for (const part of parts) loadPart(open, part);
  const bearers = parts.flatMap(({ form }) => form.access_tokens ?? []);
  return open.close([...new Set([...base.access_tokens, ...bearers])]);
};

/**
 * Reserves every id that a part writes. The ids that the mock draws are then higher than all of them (behaviour I1).
 */
const reserveIds = (open: OpenState, part: EnvironmentPart): void => {
  for (const section of SECTIONS) {
    const list = listOf(section, part);
    if (!list.rows.some((row) => idsIn(row).length > 0)) continue;
    for (const { own } of writtenRows(list, open.problems)) for (const id of idsIn(own)) open.reserve(id);
  }
};

const listOf = ({ name }: Section, { source, form, path }: EnvironmentPart): RowList => {
  const lists: { readonly [Name in TableName]?: readonly AnyForm[] | undefined } = form;
  return { source, rows: lists[name] ?? [], path: [...path, name] };
};

const idsIn = (form: AnyForm): readonly string[] =>
  [valueAt(form, 'id'), valueAt(form, 'user_profile', 'id')].filter((id) => typeof id === 'string');

const loadPart = (open: OpenState, part: EnvironmentPart): void => {
  const load: PartLoad = { open, put: new Map(), replaced: [] };
  for (const section of SECTIONS) {
    putRows(load, section, listOf(section, part));
    section.complete?.(open, load.put);
  }
  refuseBrokenNames(open.state, load.replaced);
  refuseContradictions(open, load.put);
};

const putRows = (load: PartLoad, section: Section, list: RowList): void => {
  if (list.rows.length === 0) return;
  const put = load.put.get(section.name) ?? new Map<string, WrittenRow>();
  load.put.set(section.name, put);
  for (const written of writtenRows(list, load.open.problems)) {
    const under = findRow(load, section, written);
    if (under === 'refused') continue;
    if (!written.own.remove) putRow(load, section, list, written, under);
    else if (under) removeRow(load, section, under, written);
    else written.problem('remove', 'there is no such row to remove');
  }
};

/**
 * The existing row that a form changes, if there is such a row. Refuses a row that is written twice, and a name that
 * belongs to another row.
 */
const findRow = (
  { open, put }: PartLoad,
  section: Section,
  { own, problem }: WrittenRow,
): AnyRow | undefined | 'refused' => {
  const { state } = open;
  const { id } = tableOf(state, section.name).spec;
  const names = namesOf(state, section, own);
  const under = names.find(({ row }) => row)?.row;
  if (!under) return undefined;
  const isOther = ({ row }: RowName): boolean => row !== undefined && row !== under;
  const isPut = ({ row }: RowName): boolean =>
    row !== undefined && put.get(section.name)?.has(id(row)) === true;
  // Also looks after merging: if two members together name a row, the form may write only one of them (behaviour A4).
  const clash =
    names.find((name) => isOther(name) || isPut(name)) ??
    namesOf(state, section, mergeForm(section, open, under, own)).find(isOther);
  if (!clash) return under;
  problem(clash.member, `another ${section.noun} has ${clash.key}`);
  return 'refused';
};

/** The ids and natural keys in a form, and the rows that have them. */
const namesOf = (state: State, section: Section, form: AnyForm): readonly RowName[] => {
  const { name, idMember = 'id', keys, findPair } = section;
  const table = tableOf(state, name);
  const named = form as unknown as AnyRow; // the form and the row use the same member names
  const id: string | undefined = table.spec.id(named);
  const names: RowName[] = [];
  if (id !== undefined) names.push({ member: idMember, key: `this ${idMember}`, row: getRow(table, id) });
  for (const member of keys.filter((each) => form[each] !== undefined)) {
    const key = String(table.spec.indexes[member]?.(named));
    names.push({ member, key: `the ${member} "${key}"`, row: rowsBy(table, member, key)[0] });
  }
  if (findPair) names.push(findPair(state, form));
  return names;
};

const putRow = (
  load: PartLoad,
  section: Section,
  { source }: RowList,
  written: WrittenRow,
  under: AnyRow | undefined,
): void => {
  const { open, put, replaced } = load;
  const { own, path } = written;
  const merged = under ? { ...written, form: mergeForm(section, open, under, own) } : written;
  const row = section.toRow(open, { ...merged, form: withIds(open, section, merged) });
  if (row === undefined) return;
  const { id } = tableOf(open.state, section.name).spec;
  if (under && id(under) !== id(row)) removeRow(load, section, under, written);
  else if (under && !isDeepStrictEqual(under, row))
    replaced.push({ section, id: id(row), before: under, written });
  open.put(section.name, row);
  put.get(section.name)?.set(id(row), written);
  if (!section.part) return;
  const { section: inner, forms } = section.part;
  putRows(load, inner, { source, rows: forms(own, row), path: [...path, inner.name] });
};

/**
 * Replaces the names of rows in a form by their ids. Adds a problem for an unknown name, and leaves that name as it is.
 */
const withIds = (open: OpenState, { references = {} }: Section, written: WrittenRow): AnyForm => {
  const form: Record<string, unknown> = { ...written.form };
  for (const [member, kind] of Object.entries(references)) {
    const name = form[member];
    const row = kind && typeof name === 'string' ? findNamed(open, written, member, kind, name) : undefined;
    if (row) form[member] = row.id;
  }
  return form;
};

const removeRow = (load: PartLoad, section: Section, row: AnyRow, written: WrittenRow): void => {
  const { open, replaced } = load;
  const id = tableOf(open.state, section.name).spec.id(row);
  const parts = section.part?.rowsOf(open.state, row) ?? [];
  open.remove(section.name, id);
  replaced.push({ section, id, before: row, written });
  for (const part of parts) if (section.part) removeRow(load, section.part.section, part, written);
};
