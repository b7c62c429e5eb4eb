/**
 * Loads rows into a state, whether they come from a file, `PATCH .../state` or `PUT .../state`. Then checks that no row
 * names a row that is gone, and that the API returns the values that the scenario sets (behaviour X3).
 */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../contract/document.ts';
import { isSecretMember } from '../contract/marks.ts';
import { Refusal } from '../core/errors.ts';
import type { Instant } from '../core/moment.ts';
import { valueAt } from '../core/object.ts';
import { allRows, getRow, rowsBy } from '../core/table.ts';
import { cut } from '../core/text.ts';
import { allSections, type Service } from '../service.ts';
import type { EngineState } from '../state.ts';
import type { AnyEnvironmentForm } from './forms.ts';
import {
  type AnyRow,
  type Form,
  type LoadContext,
  type OpenState,
  openState,
  type RowCounts,
  tableOf,
  type WrittenRow,
  writtenRows,
} from './loading.ts';
import { findNamed, mergeForm, nameOf, type RowName, type Section, type WrittenRows } from './section.ts';
import { formatPath, partOf, type Source } from './source.ts';
import { formatTime, NEVER, parseTime } from './times.ts';
import type { Path } from './yaml.ts';

interface Load {
  readonly open: OpenState;
  /** The rows that were loaded so far, by table and id. */
  readonly written: (table: string) => Map<string, WrittenRow>;
  /** Existing rows that were changed or removed. */
  readonly changed: ChangedRow[];
}

interface ChangedRow {
  readonly section: Section;
  readonly id: string;
  readonly before: AnyRow;
  readonly written: WrittenRow;
}

/**
 * Adds the rows of several files or objects to a state, one after the other. Each can change rows of earlier ones.
 * @param parts the content that each file or object has for the environment; the schema check has accepted it
 */
export const loadRows = (
  service: Service,
  base: EngineState,
  parts: readonly Source<AnyEnvironmentForm>[],
  context: LoadContext,
): EngineState => {
  const open = openState(base, context);
  for (const part of parts) reserveIds(service, open, part);
  for (const part of parts) loadPart(service, open, part);
  const bearers = parts.flatMap(({ value }) => value.access_tokens ?? []);
  return open.close([...new Set([...base.access_tokens, ...bearers])]);
};

const idOf = (state: EngineState, { name }: Section, row: AnyRow): string =>
  tableOf(state, name).spec.id(row);

const listOf = (section: Section, part: Source) => {
  const list = partOf(part, section.name);
  return { ...list, value: (list.value ?? []) as readonly Form[] }; // the cast is safe: the schema check accepts only a list of rows here
};

/** Reserves all ids in a file or object, so that the mock generates only higher ids (behaviour I1). */
const reserveIds = ({ sections }: Service, { reserve, problems }: OpenState, part: Source): void => {
  for (const section of sections) {
    const list = listOf(section, part);
    const idsIn = ({ id, ...form }: Form): readonly unknown[] => [id, section.innerId?.(form)];
    if (list.value.every((row) => idsIn(row).every((id) => id === undefined))) continue;
    for (const { own } of writtenRows(list, problems))
      for (const id of idsIn(own)) if (typeof id === 'string') reserve(id);
  }
};

const loadPart = (service: Service, open: OpenState, part: Source): void => {
  const tables = new Map(allSections(service).map(({ name }) => [name, new Map<string, WrittenRow>()]));
  const written = (name: string) => tables.get(name) ?? new Map<string, WrittenRow>();
  const load: Load = { open, written, changed: [] };
  for (const section of service.sections) {
    putRows(load, section, listOf(section, part));
    section.complete?.(open, load.written);
  }
  refuseBrokenNames(service, open.state, load.changed);
  refuseContradictions(service, open, load.written);
  open.onPart?.(part.value, countChanges(open.state, load.changed, tables));
};

/** A row that is written as it was before does not count. */
const countChanges = (
  state: EngineState,
  changed: readonly ChangedRow[],
  written: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): RowCounts => {
  const rows = changed.map(({ section, id, before }) => [before, getRow(tableOf(state, section.name), id)]);
  const kept = rows.filter(([, after]) => after !== undefined);
  return {
    changed: kept.filter(([before, after]) => !isDeepStrictEqual(before, after)).length,
    added: [...written.values()].reduce((sum, { size }) => sum + size, -kept.length),
    removed: rows.length - kept.length,
  };
};

const putRows = (load: Load, section: Section, list: Parameters<typeof writtenRows>[0]): void => {
  for (const written of writtenRows(list, load.open.problems)) putForm(load, section, written);
};

/** Adds a row, or changes or removes an existing row. */
const putForm = (load: Load, section: Section, written: WrittenRow): void => {
  const names = namesOf(load.open.state, section, written.own);
  const known = names.find(isKnown);
  const { remove } = written.own;
  if (known) (remove ? removeKnown : changeKnown)({ load, section, written, names, known });
  else if (remove) written.problem('remove', 'there is no such row to remove');
  else putRow(load, section, written);
};

type Known = RowName & { readonly row: AnyRow };

const isKnown = (name: RowName): name is Known => name.row !== undefined;

/** A row that is there already. */
interface KnownRow {
  readonly load: Load;
  readonly section: Section;
  readonly written: WrittenRow;
  readonly names: readonly RowName[];
  readonly known: Known;
}

/** The name that another row has, or that the same file or object has written already. */
const clashOf = ({ load, section, names, known }: KnownRow): RowName | undefined =>
  load.written(section.name).has(idOf(load.open.state, section, known.row))
    ? known
    : names.find(({ row }) => row !== undefined && row !== known.row);

const refuseClash = ({ noun }: Section, { problem }: WrittenRow, { member, key }: RowName): undefined =>
  problem(member, `another ${noun} has ${key}`);

const removeKnown = (row: KnownRow): void => {
  const { load, section, written, known } = row;
  const clash = clashOf(row);
  if (clash) refuseClash(section, written, clash);
  else removeRow(load, section, known.row, written);
};

const changeKnown = (row: KnownRow): void => {
  const { load, section, written, names, known } = row;
  const { state, settings, write = {} } = load.open;
  const isWhole = write.whole?.includes(section.name);
  const form = isWhole ? written.form : mergeForm(section, { state, settings }, known.row, written.own);
  // `form` also has the members that stay: only connector and identifier together refer to an account (behaviour A4)
  const clash = clashOf({ ...row, names: [...names, ...namesOf(state, section, form)] });
  if (write.isCreate && clash !== known) requireNew(row);
  if (clash) refuseClash(section, written, clash);
  else putRow(load, section, { ...written, form }, known.row);
};

/**
 * Refuses to replace a row where a new one is wanted (behaviour N4). A row that only names the owner of inner rows, such
 * as the user of a membership, is not written.
 * @throws Refusal 409
 */
const requireNew = ({ load, section, written: { own, source }, names, known }: KnownRow): void => {
  const part = section.part?.section.name ?? '';
  const naming = [part, ...names.map((name) => name.member), ...(section.pair ?? [])];
  if (part in own && Object.keys(own).every((name) => naming.includes(name))) return;
  const id = idOf(load.open.state, section, known.row);
  const description = `The ${section.noun} with ${known.key} exists already: ${id}.`;
  const field = formatPath([...source.at, known.member]);
  const hint = 'Nothing was changed. Choose another name, or change that row.';
  const violations = [{ field, constraint: 'conflict', description }];
  throw new Refusal('RESOURCE_ALREADY_EXISTS', description, hint, { violations });
};

/** The members of `form` that identify a row, such as its id, each with the existing row that has the same value. */
const namesOf = (state: EngineState, section: Section, form: Form): readonly RowName[] => {
  const { name, idMember = 'id', keys = [], findPair } = section;
  const table = tableOf(state, name);
  const named = form as unknown as AnyRow; // the cast is safe: ids and keys have the same names in a form as in a row
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

const putRow = (load: Load, section: Section, written: WrittenRow, before?: AnyRow): void => {
  const { open, changed } = load;
  const row = section.toRow(open, { ...written, form: withIds(open, section, written) });
  if (row === undefined) return;
  const isKeyDerived = section.keys?.some((member) => written.form[member] === undefined);
  const names = isKeyDerived ? namesOf(open.state, section, { ...row }) : [];
  const clash = names.find((each) => each.row && each.row !== before);
  if (clash) return void written.problem(undefined, `another ${section.noun} has ${clash.key}`);
  const id = idOf(open.state, section, row);
  if (before && idOf(open.state, section, before) !== id) removeRow(load, section, before, written);
  else if (before) changed.push({ section, id, before, written });
  open.put(section.name, row);
  load.written(section.name).set(id, written);
  open.write?.onRow?.(section.name, id);
  if (!section.part) return;
  const { section: inner, forms } = section.part;
  putRows(load, inner, { ...partOf(written.source, inner.name), value: forms(written.own, row) });
};

/** The members of a row, with ids in place of the names of other rows. Adds a problem for each unknown name. */
const withIds = (open: OpenState, { references = {} }: Section, written: WrittenRow): Form => {
  const form: Record<string, unknown> = { ...written.form };
  for (const [member, kind] of Object.entries(references)) {
    const name = form[member];
    const row = kind && typeof name === 'string' ? findNamed(open, written, member, kind, name) : undefined;
    if (row) form[member] = row.id;
  }
  return form;
};

const removeRow = (load: Load, section: Section, before: AnyRow, written: WrittenRow): void => {
  const { open, changed } = load;
  const id = idOf(open.state, section, before);
  const parts = section.part?.rowsOf(open.state, before) ?? [];
  open.remove(section.name, id);
  changed.push({ section, id, before, written });
  for (const part of parts) if (section.part) removeRow(load, section.part.section, part, written);
};

/**
 * Refuses to remove a row to which another row refers, or to change members that another row depends on (behaviour X3).
 * Runs after a whole file is loaded, since a file can remove rows together with all rows that refer to them.
 */
const refuseBrokenNames = (service: Service, state: EngineState, changed: readonly ChangedRow[]): void => {
  const copied = new Set(allSections(service).flatMap(({ copies = [] }) => copies));
  const broken = new Map<string, ChangedRow & { readonly members: readonly string[] }>(
    changed.flatMap((row) => {
      const members = breakingMembers(state, row, copied);
      if (members.length === 0) return [];
      const names = [row.id, row.section.otherName?.(row.before) ?? row.id];
      return names.map((name) => [`${row.section.name}/${name}`, { ...row, members }] as const);
    }),
  );
  if (broken.size === 0) return;
  for (const [target, referring, row] of namings(service, state)) {
    const { name, noun, copies = [] } = referring;
    const found = broken.get(target);
    const member = found?.members.find((each) => !copied.has(each) || copies.includes(each));
    if (!found || member === undefined) continue;
    broken.delete(target);
    const { section, written } = found;
    const id = idOf(state, referring, row);
    const kind = Object.values(service.references).find((each) => each.kind === name);
    const what = `the ${noun} ${kind ? nameOf(kind, state, id) : id} refers to this ${section.noun}`;
    const rest = member === 'remove' ? '; remove or change that row too' : `, so ${member} cannot change`;
    written.problem(member, what + rest);
  }
};

/** The changes to a row that can break references to it: `remove`, or changed members on which other rows depend. */
const breakingMembers = (
  state: EngineState,
  { section, id, before }: ChangedRow,
  copied: ReadonlySet<string>,
): readonly string[] => {
  const after = getRow(tableOf(state, section.name), id);
  if (!after) return ['remove'];
  const members = [...(section.decisive ?? []), ...copied];
  return members.filter((member) => valueAt(after, member) !== valueAt(before, member));
};

type Naming = readonly [target: string, referringSection: Section, referringRow: AnyRow];

/** Yields every reference from one row to another. The target is a string such as `connections/ID`. */
function* namings(service: Service, state: EngineState): Generator<Naming> {
  for (const section of allSections(service))
    for (const row of section.names ? allRows(tableOf(state, section.name)) : [])
      for (const target of section.names?.(row) ?? []) yield [target, section, row];
}

/** Adds a problem for each member for which the API would return another value than the scenario sets. */
const refuseContradictions = (service: Service, open: OpenState, rows: WrittenRows): void => {
  for (const section of allSections(service))
    for (const [id, written] of rows(section.name)) {
      const row = getRow(tableOf(open.state, section.name), id);
      if (row) refuseUnlike({ ...service, ...open }, section, row, written);
    }
};

const refuseUnlike = (
  { state, instants, references }: OpenState & Pick<Service, 'references'>,
  section: Section,
  row: AnyRow,
  { own, problem }: WrittenRow,
): void => {
  const names = { state, references };
  const isStored = ([member, value]: [string, unknown]): boolean =>
    Object.hasOwn(row, member) && isSame(names, member, value, valueAt(row, member));
  // Skips members whose value in the loaded row equals the value in the scenario, because the check below is slow.
  const toCheck = Object.entries(own).filter(
    (each) => !section.anyName?.includes(each[0]) && !isStored(each),
  );
  if (toCheck.length === 0) return;
  const [first, ...others] = instants;
  const formAt = (at: Instant) => section.toForm(state, row, { at, time: formatTime });
  const returned = formAt(first);
  for (const [member, value] of toCheck) {
    const differenceFrom = (form: object) => differenceIn(names, [member], value, form);
    const found = differenceFrom(returned);
    // With an unknown clock, there are several `instants`: only a difference that is equal at all of them is a problem.
    if (!found || others.some((at) => !isDeepStrictEqual(differenceFrom(formAt(at)), found))) continue;
    problem(
      found.path,
      `would read ${show(found)} after loading, because of other members; write that value, or change those members`,
    );
  }
};

/** What is needed to understand the name of a row. */
interface Names extends Pick<Service, 'references'> {
  readonly state: EngineState;
}

interface Difference {
  readonly path: Path;
  readonly returned: unknown;
}

/**
 * The first place where a value in the scenario differs from the value that the API returns. Skips members that the API
 * never returns.
 * @param path the last step is the name or position of the value in `holder`
 */
const differenceIn = (names: Names, path: Path, written: unknown, holder: object): Difference | undefined => {
  const member = path.at(-1) ?? '';
  const returned = valueAt(holder, member);
  if (!Object.hasOwn(holder, member) || written === returned) return undefined;
  if (isNested(written, returned)) {
    for (const [name, value] of Object.entries(Object(written))) {
      const step = Array.isArray(written) ? Number(name) : name;
      const found = differenceIn(names, [...path, step], value, returned);
      if (found) return found;
    }
    return undefined;
  }
  return isSame(names, member, written, returned) ? undefined : { path, returned };
};

const isNested = (written: unknown, returned: unknown): returned is object =>
  Array.isArray(written) && Array.isArray(returned)
    ? written.length === returned.length && written.some(isJsonObject)
    : isJsonObject(written) && isJsonObject(returned);

const isSame = (names: Names, member: string | number, written: unknown, returned: unknown): boolean =>
  written === returned ||
  isDeepStrictEqual(meaningOf(names, member, written), meaningOf(names, member, returned));

/** Returns equal values for strings that mean the same time or row, and for lists that differ only in order. */
const meaningOf = ({ state, references }: Names, member: string | number, value: unknown): unknown => {
  if (Array.isArray(value)) return [...value].sort();
  if (typeof value !== 'string') return value;
  if (value === NEVER) return undefined;
  return parseTime(value) ?? references[String(member)]?.find(state, value)?.id ?? value;
};

const show = ({ path, returned }: Difference): string => {
  if (path.some((step) => isSecretMember(String(step))) || isJsonObject(returned)) return 'otherwise';
  return cut([returned ?? []].flat().join(', ')) || 'none';
};
