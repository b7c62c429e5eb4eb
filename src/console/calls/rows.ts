/** Lists and finds the rows of an environment, in the form that a scenario writes them. */
import { stringify } from 'yaml';
import type { EnvironmentContext } from '../../engine/control/call-types.ts';
import { idOf, runIn } from '../../engine/control/handlers/shared.ts';
import { notFound } from '../../engine/core/errors.ts';
import type { Instant } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { allRows, getRow } from '../../engine/core/table.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { type AnyRow, type Form, tableOf } from '../../engine/scenario/loading.ts';
import { type ExportContext, exportRow } from '../../engine/scenario/section.ts';
import { timesAt } from '../../engine/scenario/times.ts';
import type { EngineState } from '../../engine/state.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './call-types.ts';
import { kindsOf, membersOf, type RowKind, requireKind } from './kinds.ts';

type ShownRow = ConsoleSchemas['Row'];
type Members = Readonly<Record<string, unknown>>;

export const rows = {
  listKinds: (_input, { environment }) => {
    const { service } = environment;
    const countOf = (name: string | undefined): number =>
      name === undefined ? 0 : rowsOf(environment, requireKind(service, name)).size;
    const kinds = kindsOf(service).map((kind) => {
      const { label, one, group, name, status, columns, also, shows, fields } = kind.view;
      return {
        ...defined({ kind: kind.kind, label, one, group, name, status, columns, also, shows, fields }),
        actions: kind.actions,
        count: countOf(kind.kind) + countOf(also),
        members: Object.keys(membersOf(service, kind)),
      };
    });
    // The cast is safe: the types of the document only lack `readonly`.
    return { status: 200, body: { kinds } as unknown as ConsoleSchemas['Kinds'] };
  },

  listRows: ({ path: { kind: name }, query: { query = '', page = 1 } }, context) => {
    const { service } = context.environment;
    const reading = read(context);
    const isAny = name === 'any';
    const kinds = isAny ? kindsOf(service).filter(({ owner }) => !owner) : [requireKind(service, name)];
    const found = kinds.map((kind) => [kind, find(reading, kind, wordsOf(query))] as const);
    const size = isAny ? FOUND_OF_EACH : PAGE_SIZE;
    const rows = found.flatMap(([kind, all]) =>
      show(reading, kind, all.slice((page - 1) * size, page * size)),
    );
    const total = found.reduce((sum, [, all]) => sum + all.length, 0);
    return { status: 200, body: { rows, total, page_size: size } };
  },

  getRow: ({ path: { kind: name, id } }, context) => {
    const { kind, row } = requireRow(context, name, id);
    const { environment } = context;
    const reading = read(context);
    const parts = kind.view.shows.map((each) => {
      const part = requireKind(environment.service, each);
      const found = belonging(reading, part, [row]).get(row) ?? [];
      return { kind: each, rows: show(reading, part, found.slice(0, SHOWN_OF_EACH)), total: found.length };
    });
    const { present } = kind.view;
    const api =
      present &&
      runIn(context, (state, given: AnyRow, env) => ({ reply: present(state, given, env) }), row).reply;
    const [shown] = show(reading, kind, [row]) as [ShownRow];
    const edit = presentForm(environment, kind, row);
    return { status: 200, body: { row: shown, parts, ...edit, ...(api && { api: { ...api } }) } };
  },
} satisfies Partial<ConsoleHandlers>;

const PAGE_SIZE = 50;
const FOUND_OF_EACH = 4;
const SHOWN_OF_EACH = 20;

/** The rows of a kind, and how many. E-mails have their number in the outbox as their id. */
const rowsOf = ({ outbox, current: { data } }: Environment, { section }: RowKind) => {
  if (section)
    return {
      all: () => [...allRows(tableOf(data, section.name))],
      size: tableOf(data, section.name).rows.size,
    };
  const emails = outbox.list().map((email, place) => ({ ...email, id: String(place + 1) }));
  return { all: () => emails, size: emails.length };
};

/** The row with this id or natural key. @throws Refusal 404 */
export const requireRow = (context: EnvironmentContext, name: string, id: string) => {
  const { environment } = context;
  const kind = requireKind(environment.service, name);
  const row = kind.section
    ? getRow(tableOf(environment.current.data, name), idOf(context, name, id))
    : rowsOf(environment, kind)
        .all()
        .find((email) => Object(email).id === id);
  if (!row) throw notFound(`${kind.view.one} ${id}`, 'It may have been deleted, or its key has changed.');
  return { kind, row };
};

export const fieldsOf = ({ view }: RowKind, isNew: boolean) =>
  view.fields.filter(({ onlyNew }) => isNew || !onlyNew);

/** A row as a scenario would write it, without what is derived, and without the rows inside it. */
export const formOf = (environment: Environment, { section }: RowKind, row: AnyRow): Form | undefined => {
  if (!section) return undefined;
  const { data, settings } = environment.current;
  const context = { settings, time: timesAt(environment.instant(), false) };
  const { [section.part?.section.name ?? '']: _inside, ...form } = exportRow(section, data, row, context);
  return form;
};

/** A row as the form that changes it: fields, and what has none as YAML. */
const presentForm = (environment: Environment, kind: RowKind, row: AnyRow) => {
  const form = formOf(environment, kind, row);
  if (!form) return {};
  const names = fieldsOf(kind, false).map(({ name }) => name);
  const rest = Object.entries(form).filter(([name]) => !names.includes(name));
  const fields = names.map((name) => [name, [form[name] ?? ''].flat().join(', ')]);
  const text = rest.length > 0 ? stringify(Object.fromEntries(rest), { lineWidth: 0 }) : '';
  return { edit: { fields: Object.fromEntries(fields), text } };
};

const wordsOf = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** All values in a row, without the names of its members. A loop, since a search reads 100,000 rows. */
const leavesOf = (value: object): string => {
  let text = '';
  for (const name in value) {
    const part: unknown = value[name as keyof typeof value];
    text += typeof part === 'object' && part !== null ? leavesOf(part) : ` ${part}`;
  }
  return text;
};

/** Members that name a row without belonging to it. */
const NOT_NAMING = ['id', 'name', 'inviter_email'];

/** The rows of an environment as they are now. */
interface Reading extends ExportContext {
  readonly environment: Environment;
  readonly data: EngineState;
  readonly at: Instant;
  readonly baseUrl: string;
}

const read = ({ environment, environments: { baseUrl } }: EnvironmentContext): Reading => {
  const at = environment.instant();
  return { environment, data: environment.current.data, at, time: timesAt(at, false), baseUrl };
};

/** The newest first, of kinds that have an order of their own. */
const all = ({ environment, data, at }: Reading, kind: RowKind): readonly AnyRow[] => {
  const { inOrder } = kind.section ?? {};
  if (inOrder) return [...inOrder(data, at)].reverse();
  const found = rowsOf(environment, kind).all();
  return kind.section ? found : found.toReversed();
};

const idIn = ({ data }: Reading, { section }: RowKind, row: AnyRow): string =>
  section ? tableOf(data, section.name).spec.id(row) : String(Object(row).id);

/** The kind of the rows inside the rows of a kind, and the rows inside one. */
const insideOf = ({ environment: { service }, data }: Reading, { section }: RowKind) => {
  const { part } = section ?? {};
  return (
    part && {
      kind: requireKind(service, part.section.name),
      of: (row: AnyRow) => part.rowsOf(data, row),
    }
  );
};

/** The rows of a kind that name one of the owners by its id or key, by owner. */
const belonging = (
  reading: Reading,
  part: RowKind,
  owners: readonly AnyRow[],
): ReadonlyMap<AnyRow, readonly AnyRow[]> => {
  const byKey = new Map<unknown, AnyRow>();
  for (const owner of owners)
    for (const name of ['id', 'email', 'name', 'identifier']) byKey.set(Object(owner)[name], owner);
  byKey.delete(undefined);
  const found = new Map<AnyRow, AnyRow[]>(owners.map((owner) => [owner, []]));
  // Loops, since there may be 100,000 rows.
  for (const row of all(reading, part)) for (const owner of ownersOf(row, byKey)) found.get(owner)?.push(row);
  return found;
};

const ownersOf = (row: AnyRow, byKey: ReadonlyMap<unknown, AnyRow>): Iterable<AnyRow> => {
  const owners = new Set<AnyRow>();
  for (const name in row) {
    if (NOT_NAMING.includes(name)) continue;
    const value: unknown = row[name as keyof typeof row];
    for (const key of Array.isArray(value) ? value : [value]) {
      const owner = typeof key === 'string' && byKey.get(key);
      if (owner) owners.add(owner);
    }
  }
  return owners;
};

/** The status as people see it. The whole form takes longer to make. */
const statusOf = (reading: Reading, { section, view }: RowKind, row: AnyRow): unknown => {
  const { data, at } = reading;
  const name = view.status ?? '';
  const more: Members = { ...view.more?.(data, row, at) };
  return name in more ? more[name] : Object(section?.toForm(data, row, reading))[name];
};

const show = (reading: Reading, kind: RowKind, shown: readonly AnyRow[]): ShownRow[] => {
  const { service } = reading.environment;
  const inside = insideOf(reading, kind);
  const counted = kindsOf(service)
    .filter((each) => kind.view.columns.includes(each.kind) && !each.owner)
    .map((part) => [part, belonging(reading, part, shown)] as const);
  return shown.map((row) => ({
    ...showOne(reading, kind, row),
    ...(inside && { inner: show(reading, inside.kind, inside.of(row)).map((each) => ({ ...each })) }),
    ...(counted.length > 0 && {
      counts: Object.fromEntries(
        counted.map(([part, by]) => [part.kind, countByStatus(reading, part, by.get(row) ?? [])]),
      ),
    }),
  }));
};

const countByStatus = (reading: Reading, kind: RowKind, counted: readonly AnyRow[]) => {
  const counts = new Map<string, number>();
  for (const row of counted) {
    const status = String(statusOf(reading, kind, row));
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return Array.from(counts, ([status, count]) => ({ status, count, tone: toneOf(kind, status) }));
};

const toneOf = ({ view: { tones } }: RowKind, status: string): string => tones[status] ?? 'quiet';

const showOne = (reading: Reading, kind: RowKind, row: AnyRow): ShownRow => {
  const { data, at, environment, baseUrl } = reading;
  const { view, section } = kind;
  const id = idIn(reading, kind, row);
  const form: Members = section
    ? { ...exportRow(section, data, row, reading), ...view.more?.(data, row, at) }
    : { ...row };
  const say = (member = ''): string => [form[member] ?? ''].flat().join(', ');
  const title = say(view.name) || id;
  const status = say(view.status);
  const reference = Object.values(environment.service.references).find((each) => each.kind === kind.kind);
  const path = view.page?.(row);
  return {
    ...{ kind: kind.kind, id, title, about: view.about.map(say).filter(Boolean).join(' · '), form },
    key: reference?.keyOf(row as { readonly id: string }) ?? title,
    ...(status !== '' && { status, tone: toneOf(kind, status) }),
    actions: kind.actions
      .filter(({ when = {} }) =>
        Object.entries(when).every(([member, values]) => values.includes(say(member))),
      )
      .map(({ when: _when, ...told }) => told),
    ...(path !== undefined && { link: baseUrl + path + environment.key }),
  };
};

/** What a search looks in besides the values of a row: the keys of the rows that it names, and its status. */
const textsOf = (reading: Reading, kind: RowKind, words: readonly string[]) => {
  const { environment, data } = reading;
  const references = Object.entries(environment.service.references);
  const statuses = Object.keys(kind.view.tones).map((status) => status.toLowerCase());
  // A status takes longer to find out than what a row holds.
  const isStatus = words.some((word) => statuses.some((status) => status.includes(word)));
  return (row: AnyRow): string => {
    let text = isStatus ? ` ${statusOf(reading, kind, row)}` : '';
    for (const [member, { kind: of, keyOf }] of references) {
      const id: unknown = Object(row)[member] ?? Object(row)[`${member}_id`];
      const named = typeof id === 'string' && getRow(tableOf(data, of), id);
      if (named) text += ` ${keyOf(named as { readonly id: string })}`;
    }
    return text;
  };
};

const find = (reading: Reading, kind: RowKind, words: readonly string[]): readonly AnyRow[] => {
  const table = all(reading, kind);
  if (words.length === 0) return table;
  const named = words.length === 1 && table.find((row) => idIn(reading, kind, row) === words[0]);
  if (named) return [named];
  const inside = insideOf(reading, kind);
  const textOf = textsOf(reading, kind, words);
  const innerText = inside && textsOf(reading, inside.kind, words);
  return table.filter((row) => {
    const inner = innerText ? inside.of(row).map(innerText).join('') : '';
    const text = `${leavesOf(row)}${textOf(row)}${inner}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};
