/**
 * Loads rows into a state, whether they come from a file, `PATCH .../state` or `PUT .../state`. Then checks that no row
 * names a row that is gone, and that the API returns the values that the scenario sets (behaviour X3).
 */
import { isDeepStrictEqual } from 'node:util';
import { isSecretMember } from '../contract/marks.ts';
import { Refusal } from '../core/errors.ts';
import { drawFrom } from '../core/ids.ts';
import { absolute, type Moment, resolve } from '../core/moment.ts';
import { isJsonObject, lazily, valueAt } from '../core/object.ts';
import { allRows, getRow, rowsBy, startWriter } from '../core/table.ts';
import { cut } from '../core/text.ts';
import { allSections, type Service } from '../service.ts';
import type { EngineState } from '../state.ts';
import type { AnyEnvironmentForm } from './scenario.ts';
import type { Path } from './scenario-text.ts';
import {
  type AnyRow,
  type Form,
  findNamed,
  formOf,
  type LoadContext,
  nameOf,
  type OpenState,
  type RowName,
  type Section,
  tableOf,
  type WrittenRow,
} from './section.ts';
import { formatPath, type Source } from './source.ts';
import { type FormatTime, formatTime, NEVER, parseTime, timesAt } from './times.ts';
import { idsIn, listOf, type RowList, writtenRows } from './written-rows.ts';

/**
 * Adds the rows of several files or objects to a state, one after the other. Each can change rows of earlier ones.
 * @param parts the content that each file or object has for the environment; the schema check has accepted it
 * @returns the new state, and what the last file or object has changed and written
 */
export const loadRows = (
  service: Service,
  base: EngineState,
  parts: readonly Source<AnyEnvironmentForm>[],
  context: LoadContext,
) => {
  const loader = new RowLoader(service, base, context);
  for (const part of parts) loader.reserveIds(part);
  for (const part of parts) loader.load(part);
  const bearers = parts.flatMap(({ value }) => value.access_tokens ?? []);
  return loader.close([...new Set([...base.access_tokens, ...bearers])]);
};

/** An existing row that was changed or removed. */
interface ChangedRow {
  readonly section: Section;
  readonly id: string;
  readonly before: AnyRow;
  readonly written: WrittenRow;
}

type KnownName = RowName & { readonly row: AnyRow };

const writtenByTable = () => lazily((_table: string) => new Map<string, WrittenRow>());

class RowLoader {
  readonly #open: OpenState & { readonly api: Service };
  readonly #draw: ReturnType<typeof drawFrom>;
  readonly #writerOf = lazily((name: string) => {
    const writer = startWriter(tableOf(this.#open.state, name));
    Object.assign(this.#open.state, { [name]: writer.table }); // reads must see rows that are loaded already
    return writer;
  });
  /** Writes times so that `#read` reads the same ones. */
  readonly #time: FormatTime;
  /** What this file or object has loaded so far: the rows of a table by their ids, in their order. */
  #written = writtenByTable();
  #changed: ChangedRow[] = [];

  constructor(service: Service, base: EngineState, context: LoadContext) {
    this.#draw = drawFrom(base.generator);
    this.#time = context.write ? timesAt(context.instants[0], false) : formatTime;
    this.#open = {
      ...context,
      api: service,
      state: { ...base },
      put: (name, row) => this.#writerOf(name).put(row),
      id: (written, prefix) => written ?? this.#draw.id(prefix),
      token: (written) => written ?? this.#draw.token(),
      momentOr: (text, fallback) => (text === undefined ? undefined : this.#read(text)) ?? fallback,
      endOr: (text, fallback) => (text === undefined ? fallback : this.#read(text)),
    };
  }

  /** Reserves all ids in a file or object, so that the mock generates only higher ids (behaviour I1). */
  reserveIds(part: Source): void {
    for (const section of this.#open.api.sections) {
      const list = listOf(section, part);
      if (list.value.every((row) => idsIn(row).length === 0)) continue;
      for (const { own } of writtenRows(list)) for (const id of idsIn(own)) this.#draw.reserve(id);
    }
  }

  load(part: Source): void {
    this.#written = writtenByTable();
    this.#changed = [];
    for (const section of this.#open.api.sections) {
      this.#putRows(section, listOf(section, part));
      section.complete?.(this.#open, this.#written);
    }
    this.#refuseBrokenNames();
    this.#refuseContradictions();
  }

  close(access_tokens: readonly string[]) {
    const state = { ...this.#open.state, generator: this.#draw.state(), access_tokens };
    return { state, counts: this.#countChanges(), written: this.#written };
  }

  #read(text: string): Moment | undefined {
    const { write, instants } = this.#open;
    const moment = parseTime(text);
    return moment && write ? absolute(resolve(moment, instants[0].now)) : moment;
  }

  #tableOf({ name }: Section) {
    return tableOf(this.#open.state, name);
  }

  #idOf(section: Section, row: AnyRow): string {
    return this.#tableOf(section).spec.id(row);
  }

  #putRows(section: Section, list: RowList): void {
    for (const written of writtenRows(list)) this.#putForm(section, written);
  }

  /** Adds a row, or changes or removes an existing row. */
  #putForm(section: Section, written: WrittenRow): void {
    const { problem, own } = written;
    const names = this.#namesOf(section, own);
    const known = names.find((name): name is KnownName => name.row !== undefined);
    if (known) this.#changeRow(section, written, names, known);
    else if (own.remove) problem('remove', 'there is no such row to remove');
    else this.#putRow(section, written);
  }

  #changeRow(section: Section, written: WrittenRow, names: readonly RowName[], known: KnownName): void {
    const { write = {} } = this.#open;
    const { own, problem } = written;
    const id = this.#idOf(section, known.row);
    const isWhole = own.remove || write.whole?.includes(section.name);
    const form = isWhole ? own : this.#mergeForm(section, known.row, own);
    // `form` also has the members that stay: only connector and identifier together refer to an account (behaviour A4)
    const others = own.remove ? names : [...names, ...this.#namesOf(section, form)];
    const isWritten = this.#written(section.name).has(id);
    const clash = isWritten ? known : others.find(({ row }) => row && row !== known.row);
    if (write.isCreate && !own.remove && clash !== known) requireNew(section, written, names, known, id);
    if (clash) problem(clash.member, `another ${section.noun} has ${clash.key}`);
    else if (own.remove) this.#removeRow(section, known.row, written);
    else this.#putRow(section, { ...written, form }, known.row);
  }

  /** Converts an existing row to a row of a scenario file, and then overrides it with the members of `over`. */
  #mergeForm(section: Section, row: AnyRow, over: Form): Form {
    const { state, settings } = this.#open;
    const under = formOf(section, state, row, { settings, time: this.#time });
    const merged: Record<string, unknown> = { ...under, ...over };
    for (const member of section.joined ?? []) {
      const [own, added] = [under[member], over[member]];
      if (isJsonObject(own) && isJsonObject(added)) merged[member] = { ...own, ...added };
    }
    for (const replaced of Object.keys(over).flatMap((member) => section.replaces?.[member] ?? []))
      if (!(replaced in over)) delete merged[replaced];
    return merged;
  }

  /** The members of `form` that identify a row, such as its id, each with the existing row that has the same value. */
  #namesOf(section: Section, form: Form): readonly RowName[] {
    const { idMember = 'id', keys = [], findPair } = section;
    const table = this.#tableOf(section);
    const named = (section.asRow?.(form) ?? form) as AnyRow; // the cast is safe: it has the members of ids and keys
    const id: string | undefined = table.spec.id(named);
    const names: RowName[] = [];
    if (id !== undefined) names.push({ member: idMember, key: `this ${idMember}`, row: getRow(table, id) });
    for (const member of keys.filter((each) => form[each] !== undefined)) {
      const key = String(table.spec.indexes[member]?.(named));
      names.push({ member, key: `the ${member} "${key}"`, row: rowsBy(table, member, key)[0] });
    }
    if (findPair) names.push(findPair(this.#open.state, form));
    return names;
  }

  #putRow(section: Section, written: WrittenRow, before?: AnyRow): void {
    const open = this.#open;
    const { form, own, source, problem } = written;
    const row = section.toRow(open, { ...written, form: this.#withIds(section, written) });
    if (row === undefined) return;
    const isKeyDerived = section.keys?.some((member) => form[member] === undefined);
    const names = isKeyDerived ? this.#namesOf(section, { ...row }) : [];
    const clash = names.find((each) => each.row && each.row !== before);
    if (clash) return void problem(undefined, `another ${section.noun} has ${clash.key}`);
    const id = this.#idOf(section, row);
    if (before && this.#idOf(section, before) !== id) this.#removeRow(section, before, written);
    else if (before) this.#changed.push({ section, id, before, written });
    open.put(section.name, row);
    this.#written(section.name).set(id, written);
    const { part } = section;
    if (part) this.#putRows(part.section, source.with(part.forms(own, row), [part.section.name]));
  }

  /** The members of a row, with ids in place of the names of other rows. Adds a problem for each unknown name. */
  #withIds({ references = {} }: Section, written: WrittenRow): Form {
    const form: Record<string, unknown> = { ...written.form };
    for (const [member, kind] of Object.entries(references)) {
      const name = form[member];
      if (kind && typeof name === 'string')
        form[member] = findNamed(this.#open, written, member, kind, name)?.id ?? name;
    }
    return form;
  }

  #removeRow(section: Section, before: AnyRow, written: WrittenRow): void {
    const id = this.#idOf(section, before);
    const parts = section.part?.rowsOf(this.#open.state, before) ?? [];
    this.#writerOf(section.name).remove(id);
    this.#changed.push({ section, id, before, written });
    for (const part of parts) if (section.part) this.#removeRow(section.part.section, part, written);
  }

  /** A row that is written as it was before does not count. */
  #countChanges() {
    const rows = this.#changed.map((row) => ({ before: row.before, after: this.#now(row) }));
    const kept = rows.filter(({ after }) => after !== undefined);
    const all = allSections(this.#open.api).reduce((sum, { name }) => sum + this.#written(name).size, 0);
    return {
      changed: kept.filter(({ before, after }) => !isDeepStrictEqual(before, after)).length,
      added: all - kept.length,
      removed: rows.length - kept.length,
    };
  }

  #now({ section, id }: ChangedRow): AnyRow | undefined {
    return getRow(this.#tableOf(section), id);
  }

  /**
   * Refuses to remove a row to which another row refers, or to change members that another row depends on (behaviour X3).
   * Runs after a whole file is loaded, since a file can remove rows together with all rows that refer to them.
   */
  #refuseBrokenNames(): void {
    const broken = this.#brokenNames();
    if (broken.size === 0) return;
    for (const section of allSections(this.#open.api).filter(({ names }) => names))
      for (const row of allRows(this.#tableOf(section)))
        for (const target of section.names?.(row) ?? []) {
          broken.get(target)?.(section, row);
          broken.delete(target);
        }
  }

  /** The names that others call changed rows, with what to do if a row still refers to such a name. */
  #brokenNames() {
    const broken = new Map<string, (referring: Section, row: AnyRow) => void>();
    for (const change of this.#changed) {
      const { section, id, before, written } = change;
      const after = this.#now(change);
      const isChanged = (member: string): boolean => valueAt(after, member) !== valueAt(before, member);
      const member = after ? section.decisive?.find(isChanged) : 'remove';
      if (member === undefined) continue;
      const rest = member === 'remove' ? '; remove or change that row too' : `, so ${member} cannot change`;
      for (const name of [id, ...(section.keys ?? []).map((key) => valueAt(before, key))])
        broken.set(`${section.name}/${name}`, (referring, row) =>
          written.problem(member, `${this.#shown(referring, row)} refers to this ${section.noun}${rest}`),
        );
    }
    return broken;
  }

  #shown(section: Section, row: AnyRow): string {
    const id = this.#idOf(section, row);
    const kind = Object.values(this.#open.api.references).find((each) => each.kind === section.name);
    return `the ${section.noun} ${kind ? nameOf(kind, this.#open.state, id) : id}`;
  }

  /** Adds a problem for each member for which the API would return another value than the scenario sets. */
  #refuseContradictions(): void {
    for (const section of allSections(this.#open.api))
      for (const [id, { own, problem }] of this.#written(section.name)) {
        const row = getRow(this.#tableOf(section), id);
        for (const [path, message] of row ? this.#contradictionsIn(section, row, own) : [])
          problem(path, message);
      }
  }

  #contradictionsIn(section: Section, row: AnyRow, own: Form): readonly Contradiction[] {
    // Skips members whose value in the loaded row equals the value in the scenario, because the check below is slow.
    const toCheck = Object.entries(own).filter(
      ([member, value]) =>
        !section.anyName?.includes(member) &&
        !(Object.hasOwn(row, member) && this.#isSame(member, value, valueAt(row, member))),
    );
    if (toCheck.length === 0) return [];
    const { state, instants } = this.#open;
    const forms = instants.map((at) => section.toForm(state, row, { at, time: this.#time }));
    return toCheck.flatMap(([member, value]) => {
      // With an unknown clock, there are several instants: only a difference that is equal at all of them is a problem.
      const [found, ...others] = forms.map((form) => this.#differenceIn([member], value, form));
      return found && others.every((other) => isDeepStrictEqual(other, found)) ? [found] : [];
    });
  }

  /**
   * The first place where a written value differs from the value that the API returns. Skips members that the API never
   * returns. @param path the last step is the name or position of the value in `holder`
   */
  #differenceIn(path: Path, written: unknown, holder: object): Contradiction | undefined {
    const member = path.at(-1) ?? '';
    const returned = valueAt(holder, member);
    if (!Object.hasOwn(holder, member) || this.#isSame(member, written, returned)) return undefined;
    if (!isNested(written, returned)) return [path, contradict(path, returned)];
    for (const [name, value] of Object.entries(Object(written))) {
      const step = Array.isArray(written) ? Number(name) : name;
      const found = this.#differenceIn([...path, step], value, returned);
      if (found) return found;
    }
    return undefined;
  }

  #isSame(member: string | number, written: unknown, returned: unknown): boolean {
    if (written === returned) return true;
    return isDeepStrictEqual(this.#meaningOf(member, written), this.#meaningOf(member, returned));
  }

  /** Returns equal values for strings that mean the same time or row, and for lists that differ only in order. */
  #meaningOf(member: string | number, value: unknown): unknown {
    if (Array.isArray(value)) return [...value].sort();
    if (typeof value !== 'string') return value;
    if (value === NEVER) return undefined;
    const { state, api } = this.#open;
    return this.#read(value) ?? api.references[member]?.find(state, value)?.id ?? value;
  }
}

/** The place of a value, and a message that shows what the API would return there. */
type Contradiction = readonly [Path, string];

const isNested = (written: unknown, returned: unknown): returned is object =>
  Array.isArray(written) && Array.isArray(returned)
    ? written.length === returned.length && written.some(isJsonObject)
    : isJsonObject(written) && isJsonObject(returned);

const contradict = (path: Path, returned: unknown): string => {
  const isHidden = path.some((step) => isSecretMember(String(step))) || isJsonObject(returned);
  const shown = isHidden ? 'otherwise' : cut([returned ?? []].flat().join(', ')) || 'none';
  return `would read ${shown} after loading, because of other members; write that value, or change those members`;
};

/**
 * Refuses to replace a row where a new one is wanted (behaviour N4). A row that only names the owner of inner rows, such
 * as the user of a membership, is not written. @throws Refusal 409
 */
const requireNew = (
  { noun, part }: Section,
  { own, source }: WrittenRow,
  names: readonly RowName[],
  { member, key }: RowName,
  id: string,
): void => {
  const inner = part?.section.name ?? '';
  const naming = [inner, ...names.map((each) => each.member)];
  if (inner in own && Object.keys(own).every((name) => naming.includes(name))) return;
  const description = `The ${noun} with ${key} exists already: ${id}.`;
  const hint = 'Nothing was changed. Choose another name, or change that row.';
  const violations = [{ field: formatPath([...source.at, member]), constraint: 'conflict', description }];
  throw new Refusal('RESOURCE_ALREADY_EXISTS', description, hint, { violations });
};
