/** The one path on which rows get into a state: of a file, of `PATCH .../state` and of `PUT .../state`. */
import { isDeepStrictEqual } from 'node:util';
import { allRows, getRow, rowsBy } from '../core/table.ts';
import type { State } from '../domain/state.ts';
import type { Path, Problems } from './problem.ts';
import { type RowControl, type RowSource, rowSources, type WrittenRow, writtenRow } from './row-source.ts';
import type { EnvironmentForm } from './sections/index.ts';
import { SECTIONS } from './sections/index.ts';
import { type Nameable, refer } from './sections/references.ts';
import { type Found, mergeForms, type Put, type Section } from './sections/section.ts';
import type { Source } from './source.ts';
import {
  type RowOf,
  startWriting,
  type TableName,
  tableOf,
  type Writing,
  type WritingOptions,
} from './writing.ts';

type AnyRow = RowOf<TableName>;

/** What a source writes of an environment, compared with the schema before. */
export interface EnvironmentPart {
  readonly source: Source;
  readonly form: EnvironmentForm;
  /** Where that is in the source. */
  readonly path: Path;
}

/** A state with the rows of several parts put into it, each on top of those before. */
export const putParts = (base: State, parts: readonly EnvironmentPart[], options: WritingOptions): State => {
  const writing = startWriting(base, options);
  for (const part of parts) reserveIds(writing, part);
  for (const part of parts) {
    for (const section of SECTIONS) putSection(writing, section, part);
    writing.settle();
  }
  const bearers = parts.flatMap(({ form }) => form.access_tokens ?? []);
  return writing.finish([...new Set([...base.access_tokens, ...bearers])]);
};

/** What is drawn lies above every id that is written, in later parts too (behaviour I1). */
const reserveIds = (writing: Writing, part: EnvironmentPart): void => {
  for (const section of SECTIONS) {
    if (!rowsOf(section, part).some((row) => idsIn(row).length > 0)) continue;
    for (const each of sourcesOf(section, part)) for (const id of idsIn(each.form)) writing.reserve(id);
  }
};

const putSection = (writing: Writing, section: Section, part: EnvironmentPart): void =>
  putRows(writing, section, sourcesOf(section, part));

const rowsOf = ({ name }: Section, { form }: EnvironmentPart): readonly RowControl[] =>
  Reflect.get(form, name) ?? [];

const sourcesOf = (section: Section, part: EnvironmentPart): Iterable<RowSource<RowControl>> =>
  rowSources(part.source, rowsOf(section, part), [...part.path, section.name]);

/** The ids that a form writes out. */
const idsIn = (form: object): readonly string[] =>
  [form, Reflect.get(form, 'user_profile') ?? {}]
    .map((holder): unknown => Reflect.get(holder, 'id'))
    .filter((id) => typeof id === 'string');

const putRows = (writing: Writing, section: Section, sources: Iterable<RowSource<RowControl>>): void => {
  const { id } = tableOf(writing.state, section.name).spec;
  const done = new Set<string>();
  const all: Put<AnyRow, RowControl>[] = [];
  for (const source of sources) {
    const target = findTarget(writing, section, source, done);
    if (target === 'refused') continue;
    if (source.form.remove) {
      removeWritten(writing, section, source, target.under);
      continue;
    }
    const put = putRow(writing, section, source, target);
    if (!put) continue;
    done.add(id(put.row));
    if (section.settle) all.push(put);
  }
  section.settle?.(writing, all);
};

/** The row that a source writes on top of, if there is one, and the form of both. */
interface PutTarget {
  readonly under: AnyRow | undefined;
  readonly form: RowControl;
}

const targetOf = (
  { state, settings }: Writing,
  section: Section,
  under: AnyRow | undefined,
  form: RowControl,
): PutTarget => ({
  under,
  form: under ? mergeForms(section, section.toForm(state, under, { settings }), form) : form,
});

/** @param done ids of the rows that the source has put: it writes each once, and gives none the name of another */
const findTarget = (
  writing: Writing,
  section: Section,
  source: RowSource<RowControl>,
  done: ReadonlySet<string>,
): PutTarget | 'refused' => {
  const { state, problems } = writing;
  const { id } = tableOf(state, section.name).spec;
  const found = foundRows(state, section, source.form);
  const under = found.find(({ row }) => row)?.row;
  if (!under) return { under, form: source.form };
  const target = targetOf(writing, section, under, source.form);
  const isOther = ({ row }: Found): boolean => row !== undefined && row !== under;
  // One half of a pair may be written, and the other half be that of the row (behaviour A4).
  const clash =
    found.find((each) => isOther(each) || (each.row && done.has(id(each.row)))) ??
    foundRows(state, section, target.form).find(isOther);
  if (!clash) return target;
  writtenRow(source, source.form, problems).problem(clash.member, `another ${section.noun} has ${clash.key}`);
  return 'refused';
};

/** What a form names, by id and by natural key, and the rows that have those names. */
const foundRows = (state: State, section: Section, form: RowControl): readonly Found[] => {
  const { name, idMember = 'id', keys, findPair } = section;
  const table = tableOf(state, name);
  const named = form as AnyRow; // what names a row is the same in its form
  const id: string | undefined = table.spec.id(named);
  const found: Found[] = [];
  if (id !== undefined) found.push({ member: idMember, key: `this ${idMember}`, row: getRow(table, id) });
  for (const member of keys.filter((each) => Reflect.get(form, each) !== undefined)) {
    const key = String(table.spec.indexes[member]?.(named));
    found.push({ member, key: `the ${member} "${key}"`, row: rowsBy(table, member, key)[0] });
  }
  if (findPair) found.push(findPair(state, form));
  return found;
};

const putRow = (
  writing: Writing,
  section: Section,
  source: RowSource<RowControl>,
  { under, form }: PutTarget,
): Put<AnyRow, RowControl> | undefined => {
  const written = withIds(writing, section, writtenRow(source, form, writing.problems));
  const row = section.toRow(writing, written);
  if (row === undefined) return undefined;
  const { id } = tableOf(writing.state, section.name).spec;
  if (under && id(under) !== id(row)) removeRow(writing, section, under, written);
  writing.put(section.name, row);
  if (section.part) {
    const { section: inner, forms } = section.part;
    putRows(writing, inner, rowSources(source.source, forms(source.form, row), [...source.path, inner.name]));
  }
  if (!isDeepStrictEqual(under, row)) putFollowers(writing, section.name, row, source);
  return { row, written };
};

/** The row with the ids of those that it names; a name that nothing has is a problem, and stays. */
const withIds = (
  writing: Writing,
  { references }: Section,
  written: WrittenRow<RowControl>,
): WrittenRow<RowControl> => {
  if (!references) return written;
  const form = { ...written.form };
  for (const [member, kind] of Object.entries<Nameable>(references)) {
    const row = refer(writing, written, member, kind, Reflect.get(form, member));
    if (row) Reflect.set(form, member, row.id);
  }
  return { ...written, form };
};

/** Rows that are made from one that has changed are made again; what is then wrong is a problem of the change. */
const putFollowers = (
  writing: Writing,
  name: TableName,
  changed: AnyRow,
  source: RowSource<RowControl>,
): void => {
  for (const section of SECTIONS) {
    if (!section.follows?.includes(name)) continue;
    for (const row of rowsNaming(section, name, writing.state, changed)) {
      const title = `the ${section.noun} ${section.title(row)}`;
      const problems: Problems = {
        ...writing.problems,
        add: (problem) => writing.problems.add({ ...problem, message: `${title}: ${problem.message}` }),
      };
      putRow({ ...writing, problems }, section, { ...source, form: {} }, targetOf(writing, section, row, {}));
    }
  }
};

/** The rows of a list that name a row of another one, by their references or in another way. */
const rowsNaming = (
  { name, references, names }: Section,
  other: TableName,
  state: State,
  row: AnyRow,
): readonly AnyRow[] => {
  const find = names?.[other] as ((state: State, row: AnyRow) => readonly AnyRow[]) | undefined; // rows of that list
  const kind = Object.values<Nameable>(references ?? {}).find(
    (each) => each.table === other && !each.isLabel,
  );
  if (!kind) return find?.(state, row) ?? [];
  const table = tableOf(state, name);
  const id = tableOf(state, other).spec.id(row);
  return kind.foreignKey in table.entries
    ? rowsBy(table, kind.foreignKey, id)
    : [...allRows(table)].filter((each) => Reflect.get(each, kind.foreignKey) === id);
};

const removeWritten = (
  writing: Writing,
  section: Section,
  source: RowSource<RowControl>,
  row: AnyRow | undefined,
): void => {
  const written = writtenRow(source, source.form, writing.problems);
  if (row) removeRow(writing, section, row, written);
  else written.problem('remove', 'there is no such row to remove');
};

/** Whether others name the row is asked at the end, since they may go with it. */
const removeRow = (
  writing: Writing,
  section: Section,
  row: AnyRow,
  written: WrittenRow<RowControl>,
): void => {
  const id = tableOf(writing.state, section.name).spec.id(row);
  writing.remove(section.name, id);
  const { part } = section;
  if (part)
    for (const each of part.rowsOf(writing.state, row)) removeRow(writing, part.section, each, written);
  writing.later(() => {
    if (tableOf(writing.state, section.name).positions.has(id)) return;
    for (const other of SECTIONS) {
      const [naming] = rowsNaming(other, section.name, writing.state, row);
      const what = naming && `the ${other.noun} ${other.title(naming)}`;
      if (what)
        return written.problem('remove', `${what} names this ${section.noun}; remove or change that too`);
    }
  });
};
