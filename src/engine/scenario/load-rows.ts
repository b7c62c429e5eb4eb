/**
 * Loads rows into a state, whether they come from a file, `PATCH .../state` or `PUT .../state`. Then checks that no row
 * names a row that is gone, and that the API returns the values that the scenario sets (behaviour X3).
 */
import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../core/errors.ts';
import { drawFrom } from '../core/ids.ts';
import { absolute, type Moment, resolve } from '../core/moment.ts';
import { isJsonObject, valueAt } from '../core/object.ts';
import { allRows, getRow, rowsBy, startWriter } from '../core/table.ts';
import { allSections, type Service } from '../service.ts';
import type { EngineState } from '../state.ts';
import { contradictionsIn } from './contradictions.ts';
import type { AnyEnvironmentForm } from './scenario.ts';
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
import { formatPath, type Problems, partOf, type Source } from './source.ts';
import { type FormatTime, formatTime, parseTime, timesAt } from './times.ts';

/** How many rows a file or object changed. */
export interface RowCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** The rows that one file or object has written, by table and id, in their order. */
type Written = ReadonlyMap<string, ReadonlyMap<string, WrittenRow>>;

/**
 * Adds the rows of several files or objects to a state, one after the other. Each can change rows of earlier ones.
 * @param parts the content that each file or object has for the environment; the schema check has accepted it
 */
export const loadRows = (
  service: Service,
  base: EngineState,
  parts: readonly Source<AnyEnvironmentForm>[],
  context: LoadContext,
): { readonly state: EngineState; readonly loaded: readonly { counts: RowCounts; written: Written }[] } => {
  const loader = new RowLoader(service, base, context);
  for (const part of parts) loader.reserveIds(part);
  const loaded = parts.map((part) => loader.load(part));
  const bearers = parts.flatMap(({ value }) => value.access_tokens ?? []);
  return { state: loader.close([...new Set([...base.access_tokens, ...bearers])]), loaded };
};

/** An existing row that was changed or removed. */
interface ChangedRow {
  readonly section: Section;
  readonly id: string;
  readonly before: AnyRow;
  readonly written: WrittenRow;
}

class RowLoader {
  readonly #service: Service;
  readonly #base: EngineState;
  readonly #open: OpenState;
  readonly #draw: ReturnType<typeof drawFrom>;
  readonly #writers = new Map<string, ReturnType<typeof startWriter<AnyRow, string>>>();
  /** Writes times so that `#read` reads the same ones. */
  readonly #time: FormatTime;
  /** The rows of this file or object that were loaded so far, by table and id. */
  #written = new Map<string, Map<string, WrittenRow>>();
  #changed: ChangedRow[] = [];

  constructor(service: Service, base: EngineState, context: LoadContext) {
    this.#service = service;
    this.#base = base;
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
    for (const section of this.#service.sections) {
      const list = listOf(section, part);
      const idsIn = ({ id, ...form }: Form): readonly unknown[] => [id, section.innerId?.(form)];
      if (list.value.every((row) => idsIn(row).every((id) => id === undefined))) continue;
      for (const { own } of writtenRows(list, this.#open.problems))
        for (const id of idsIn(own)) if (typeof id === 'string') this.#draw.reserve(id);
    }
  }

  load(part: Source) {
    const { sections } = this.#service;
    this.#written = new Map(allSections(this.#service).map(({ name }) => [name, new Map()]));
    this.#changed = [];
    for (const section of sections) {
      this.#putRows(section, listOf(section, part));
      section.complete?.(this.#open, (name) => this.#writtenIn(name));
    }
    this.#refuseBrokenNames();
    this.#refuseContradictions();
    return { counts: this.#countChanges(), written: this.#written };
  }

  close(access_tokens: readonly string[]): EngineState {
    const tables = Array.from(this.#writers, ([name, { table }]) => [name, table]);
    return { ...this.#base, ...Object.fromEntries(tables), generator: this.#draw.state(), access_tokens };
  }

  #writerOf(name: string) {
    const open = this.#writers.get(name);
    if (open) return open;
    const writer = startWriter(tableOf(this.#base, name));
    this.#writers.set(name, writer);
    Object.assign(this.#open.state, { [name]: writer.table }); // reads must see rows that are loaded already
    return writer;
  }

  #read(text: string): Moment | undefined {
    const { write, instants } = this.#open;
    const moment = parseTime(text);
    return moment && write ? absolute(resolve(moment, instants[0].now)) : moment;
  }

  #writtenIn(name: string): Map<string, WrittenRow> {
    return this.#written.get(name) ?? new Map<string, WrittenRow>();
  }

  #tableOf({ name }: Section) {
    return tableOf(this.#open.state, name);
  }

  #idOf(section: Section, row: AnyRow): string {
    return this.#tableOf(section).spec.id(row);
  }

  #putRows(section: Section, list: RowList): void {
    for (const written of writtenRows(list, this.#open.problems)) this.#putForm(section, written);
  }

  /** Adds a row, or changes or removes an existing row. */
  #putForm(section: Section, written: WrittenRow): void {
    const { problem, own } = written;
    const names = this.#namesOf(section, own);
    const known = names.find(({ row }) => row);
    if (known?.row) this.#changeRow(section, written, names, { ...known, row: known.row });
    else if (own.remove) problem('remove', 'there is no such row to remove');
    else this.#putRow(section, written);
  }

  #changeRow(section: Section, written: WrittenRow, names: readonly RowName[], known: KnownName): void {
    const { write = {} } = this.#open;
    const { own, problem } = written;
    const isWhole = own.remove || write.whole?.includes(section.name);
    const form = isWhole ? own : this.#mergeForm(section, known.row, own);
    const isWritten = this.#writtenIn(section.name).has(this.#idOf(section, known.row));
    // `form` also has the members that stay: only connector and identifier together refer to an account (behaviour A4)
    const others = own.remove ? names : [...names, ...this.#namesOf(section, form)];
    const clash = isWritten ? known : others.find(({ row }) => row && row !== known.row);
    if (write.isCreate && !own.remove && clash !== known) this.#requireNew(section, written, names, known);
    if (clash) problem(clash.member, `another ${section.noun} has ${clash.key}`);
    else if (own.remove) this.#removeRow(section, known.row, written);
    else this.#putRow(section, { ...written, form }, known.row);
  }

  /**
   * Refuses to replace a row where a new one is wanted (behaviour N4). A row that only names the owner of inner rows, such
   * as the user of a membership, is not written.
   * @throws Refusal 409
   */
  #requireNew(
    section: Section,
    { own, source }: WrittenRow,
    names: readonly RowName[],
    known: KnownName,
  ): void {
    const part = section.part?.section.name ?? '';
    const naming = [part, ...names.map(({ member }) => member)];
    if (part in own && Object.keys(own).every((name) => naming.includes(name))) return;
    const id = this.#idOf(section, known.row);
    const description = `The ${section.noun} with ${known.key} exists already: ${id}.`;
    const field = formatPath([...source.at, known.member]);
    const hint = 'Nothing was changed. Choose another name, or change that row.';
    const violations = [{ field, constraint: 'conflict', description }];
    throw new Refusal('RESOURCE_ALREADY_EXISTS', description, hint, { violations });
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
    const named = form as unknown as AnyRow; // the cast is safe: ids and keys have the same names in a form as in a row
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
    this.#writtenIn(section.name).set(id, written);
    if (!section.part) return;
    const { section: inner, forms } = section.part;
    this.#putRows(inner, { ...partOf(source, inner.name), value: forms(own, row) });
  }

  /** The members of a row, with ids in place of the names of other rows. Adds a problem for each unknown name. */
  #withIds({ references = {} }: Section, written: WrittenRow): Form {
    const form: Record<string, unknown> = { ...written.form };
    for (const [member, kind] of Object.entries(references)) {
      const name = form[member];
      const row =
        kind && typeof name === 'string' ? findNamed(this.#open, written, member, kind, name) : undefined;
      if (row) form[member] = row.id;
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
  #countChanges(): RowCounts {
    const rows = this.#changed.map((row) => [row.before, this.#now(row)]);
    const kept = rows.filter(([, after]) => after !== undefined);
    return {
      changed: kept.filter(([before, after]) => !isDeepStrictEqual(before, after)).length,
      added: [...this.#written.values()].reduce((sum, { size }) => sum + size, -kept.length),
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
    const sections = allSections(this.#service);
    const copied = new Set(sections.flatMap(({ copies = [] }) => copies));
    const broken = this.#brokenRows(copied);
    if (broken.size === 0) return;
    for (const referring of sections.filter(({ names }) => names))
      for (const row of allRows(this.#tableOf(referring)))
        for (const target of referring.names?.(row) ?? []) {
          const found = broken.get(target);
          const member = found?.members.find((each) => !copied.has(each) || referring.copies?.includes(each));
          if (!found || member === undefined) continue;
          broken.delete(target);
          this.#refuseBroken(found, member, referring, row);
        }
  }

  /** The rows of which a change can break references, by the names that others call them; with what was changed. */
  #brokenRows(copied: ReadonlySet<string>) {
    const broken = new Map<string, ChangedRow & { readonly members: readonly string[] }>();
    for (const row of this.#changed) {
      const { section, id, before } = row;
      const after = this.#now(row);
      const depended = [...(section.decisive ?? []), ...copied];
      const isChanged = (member: string): boolean => valueAt(after, member) !== valueAt(before, member);
      const members = after ? depended.filter(isChanged) : ['remove'];
      if (members.length === 0) continue;
      for (const name of [id, ...(section.keys ?? []).map((key) => valueAt(before, key))])
        broken.set(`${section.name}/${name}`, { ...row, members });
    }
    return broken;
  }

  #refuseBroken({ section, written }: ChangedRow, member: string, referring: Section, row: AnyRow): void {
    const id = this.#idOf(referring, row);
    const kind = Object.values(this.#service.references).find((each) => each.kind === referring.name);
    const who = `the ${referring.noun} ${kind ? nameOf(kind, this.#open.state, id) : id}`;
    const rest = member === 'remove' ? '; remove or change that row too' : `, so ${member} cannot change`;
    written.problem(member, `${who} refers to this ${section.noun}${rest}`);
  }

  /** Adds a problem for each member for which the API would return another value than the scenario sets. */
  #refuseContradictions(): void {
    const { state, instants } = this.#open;
    const reading = {
      ...{ state, instants, references: this.#service.references, time: this.#time },
      read: (text: string) => this.#read(text),
    };
    for (const section of allSections(this.#service))
      for (const [id, { own, problem }] of this.#writtenIn(section.name)) {
        const row = getRow(this.#tableOf(section), id);
        for (const [path, shown] of row ? contradictionsIn(reading, section, row, own) : [])
          problem(
            path,
            `would read ${shown} after loading, because of other members; write that value, or change those members`,
          );
      }
  }
}

/** A name of a row that is there already. */
type KnownName = RowName & { readonly row: AnyRow };

type RowList = Source & { readonly value: readonly Form[] };

const listOf = ({ name }: Section, part: Source): RowList => {
  const list = partOf(part, name);
  return { ...list, value: (list.value ?? []) as readonly Form[] }; // the cast is safe: the schema check accepts only a list of rows here
};

/** Yields the rows of a list. Creates the copies of a repeated row one by one. */
function* writtenRows(list: RowList, problems: Problems): Generator<WrittenRow> {
  for (const [index, { repeat, remove, ...members }] of list.value.entries()) {
    const source = partOf(list, index);
    const row = remove ? { ...members, remove } : members;
    const copy = copiesOf(row);
    for (let n = 1; n <= (repeat ?? 1); n += 1) {
      const own = repeat === undefined ? row : copy(n);
      yield {
        own,
        form: own,
        source,
        problem: (member, message) => {
          const path = [member ?? []].flat();
          return problems.at(source, valueAt(own, ...path) === undefined ? [] : path, message);
        },
      };
    }
  }
}

/** Returns a function that creates the n-th copy of a row, with `{n}` replaced in its strings. */
export const copiesOf = <Row>(row: Row): ((n: number) => Row) => {
  const text = JSON.stringify(row);
  return (n) => JSON.parse(text.replaceAll('{n}', String(n)));
};
