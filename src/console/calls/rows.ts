/** Lists, searches and opens the rows of an environment, in the form that a scenario writes them. */
import { stringify } from 'yaml';
import { type EnvironmentContext, loadControlContract } from '../../engine/control/control-document.ts';
import { idOf } from '../../engine/control/handlers/environments.ts';
import { requireFound } from '../../engine/core/errors.ts';
import { type JsonObject, lazily, valueAt } from '../../engine/core/object.ts';
import { allRows, getRow } from '../../engine/core/table.ts';
import { listNames } from '../../engine/core/text.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import { scenarioSchema } from '../../engine/scenario/schema.ts';
import { type AnyRow, exportRow, type Form, readable, tableOf } from '../../engine/scenario/section.ts';
import { timesAt } from '../../engine/scenario/times.ts';
import { allSections, type Service } from '../../engine/service.ts';
import type { ConsoleHandlers, ConsoleSchemas } from './console-document.ts';

export const rows = {
  listKinds: (_input, { environment }) => {
    const kinds = Array.from(kindsOf(environment.service).values(), (kind) => {
      const { section, owner, members, about, key, shows, ...told } = kind;
      const table = section && tableOf(environment.current.data, section.name);
      const count = table?.rows.size ?? environment.outbox.list().length;
      return { ...told, members: Object.keys(members), count };
    });
    // The cast is safe: the types of the document only lack `readonly`.
    return { body: { kinds } as unknown as ConsoleSchemas['Kinds'] };
  },

  listRows: ({ path: { kind: name }, query: { query = '' } }, context) => {
    const reading = read(context);
    const isAny = name === 'any';
    const kinds = isAny
      ? [...kindsOf(context.environment.service).values()].filter(({ owner }) => !owner)
      : [requireKind(context, name)];
    const found = kinds.map((kind) => ({ kind, all: find(reading, kind, query) }));
    const most = isAny ? FOUND_OF_EACH : MOST;
    const shown = found.flatMap(({ kind, all }) => show(reading, kind, all.slice(0, most)));
    return { body: { rows: shown, total: found.reduce((sum, { all }) => sum + all.length, 0) } };
  },

  getRow: ({ path }, context) => {
    const { kind, row } = requireRow(context, path.kind, path.id);
    const form = writtenForm(context, kind, row);
    const [shown] = show(read(context), kind, [row], true) as [ConsoleSchemas['FullRow']];
    const body = { row: shown, ...(form && { edit: splitForm(kind, form) }) };
    if (!kind.present) return { body };
    const { state, env } = context.environment.openStep();
    return { body: { ...body, api: { ...kind.present(state, row, env) } } };
  },
} satisfies Partial<ConsoleHandlers>;

const MOST = 200;
const FOUND_OF_EACH = 4;
const SHOWN_OF_EACH = 20;

/** A kind of rows: what the service tells of it, and else what follows from its section. */
export type RowKind = ReturnType<typeof readKind>;

/** The kinds by name, in the order of the navigation. */
export const kindsOf = lazily((service: Service) => {
  const schema = scenarioSchema(service, loadControlContract().document);
  const viewed = Object.keys(service.views);
  const names = viewed.length > 0 ? viewed : allSections(service).map(({ name }) => name);
  return new Map(names.map((name) => [name, readKind(service, name, schema)]));
});

const readKind = (service: Service, kind: string, schema: JsonObject) => {
  const section = allSections(service).find(({ name }) => name === kind); // e-mails are in no table
  /** The section of the rows that have these rows inside, such as users of memberships. */
  const owner = service.sections.find(({ part }) => part?.section.name === kind);
  const path = owner ? [owner.name, 'properties', kind, 'items'] : [kind];
  const { repeat, remove, ...rest } = Object(valueAt(schema, '$defs', ...path, 'properties'));
  /** The schemas of the members that a scenario can write in a row. */
  const members: Readonly<Record<string, JsonObject>> = rest;
  const { fields = [], ...view }: Service['views'][string] = service.views[kind] ?? { group: 'Rows' };
  return {
    kind,
    section,
    owner,
    members,
    name: section?.keys?.[0] ?? section?.idMember ?? 'id',
    label: readable(kind),
    one: section?.noun ?? kind,
    fields: fields.map((field) => ({ pick: picksOf(members[field.name]), ...field })),
    actions: (service.actions[kind] ?? []).map(({ step, input, ...told }) => ({
      label: readable(told.name),
      ...told,
    })),
    columns: [],
    ...view,
  };
};

/** @throws Refusal 404 for an unknown name */
export const requireKind = ({ environment }: EnvironmentContext, name: string): RowKind => {
  const kinds = kindsOf(environment.service);
  return requireFound(kinds.get(name), `kind ${name}`, `The kinds are ${listNames([...kinds.keys()])}.`);
};

/** What a member can be, if its schema lists it. */
const picksOf = ({ type, enum: values }: JsonObject = {}) =>
  type === 'boolean' ? ['true', 'false'] : values;

/** E-mails have their number in the outbox as their id, from 1. */
const emailsOf = ({ outbox }: Environment): readonly AnyRow[] =>
  outbox.list().map((email, place) => ({ ...email, id: String(place + 1) }));

/** The row with this id or natural key. @throws Refusal 404 */
export const requireRow = (context: EnvironmentContext, name: string, id: string) => {
  const { environment } = context;
  const kind = requireKind(context, name);
  const row = kind.section
    ? getRow(tableOf(environment.current.data, name), idOf(context, name, id))
    : emailsOf(environment)[Number(id) - 1];
  const hint = 'It may have been deleted, or its key has changed.';
  return { kind, row: requireFound(row, `${kind.one} ${id}`, hint) };
};

export const fieldsOf = ({ fields }: RowKind, isNew: boolean) =>
  fields.filter(({ onlyNew }) => isNew || !onlyNew);

/** A row as a scenario would write it, without what is derived, and without the rows inside it. */
export const writtenForm = ({ environment }: EnvironmentContext, { section }: RowKind, row: AnyRow) => {
  if (!section) return undefined;
  const { data, settings } = environment.current;
  const context = { settings, time: timesAt(environment.instant(), false) };
  const { [section.part?.section.name ?? '']: _inside, ...form } = exportRow(section, data, row, context);
  return form;
};

const textOf = (value: unknown): string => [value ?? ''].flat().join(', ');

/** What the form of a row begins with: the fields, and what has none as YAML. */
const splitForm = (kind: RowKind, form: Form) => {
  const names = fieldsOf(kind, false).map(({ name }) => name);
  const rest = Object.entries(form).filter(([name]) => !names.includes(name));
  const text = rest.length > 0 ? stringify(Object.fromEntries(rest), { lineWidth: 0 }) : '';
  return { fields: Object.fromEntries(names.map((name) => [name, textOf(form[name])])), text };
};

/** The rows of an environment as they are now. */
type Reading = ReturnType<typeof read>;

const read = ({ environment, environments: { baseUrl } }: EnvironmentContext) => {
  const at = environment.instant();
  const references = Object.entries(environment.service.references);
  return { environment, baseUrl, references, data: environment.current.data, at, time: timesAt(at, false) };
};

/** All rows of a kind; the newest first, if the kind has an order of its own. */
const listAll = ({ environment, data, at }: Reading, { section }: RowKind): readonly AnyRow[] => {
  if (!section) return emailsOf(environment).toReversed();
  return section.inOrder
    ? [...section.inOrder(data, at)].reverse()
    : [...allRows(tableOf(data, section.name))];
};

/** A row as people see it: as a scenario writes it, and what its kind adds. */
const seen = (reading: Reading, { section, more }: RowKind, row: AnyRow): Form =>
  section
    ? { ...exportRow(section, reading.data, row, reading), ...more?.(reading.data, row, reading.at) }
    : { ...row };

/** All values in a row, without the names of its members. A loop, since a search reads 100,000 rows. */
const valuesOf = (value: object): string => {
  let text = '';
  for (const name in value) {
    const part: unknown = value[name as keyof typeof value];
    text += typeof part === 'object' && part !== null ? valuesOf(part) : ` ${part}`;
  }
  return text;
};

/** The status of a row. What its kind adds is quicker than its whole form. */
const statusOf = (reading: Reading, kind: RowKind, row: AnyRow): string => {
  const { status, more } = kind;
  if (status === undefined) return '';
  return String(Object(more?.(reading.data, row, reading.at))[status] ?? seen(reading, kind, row)[status]);
};

/** What people know of a row besides its values: its status, and the names of the rows that it refers to. */
const knownOf = (reading: Reading, kind: RowKind, row: AnyRow): string => {
  let text = statusOf(reading, kind, row);
  for (const [member, { kind: of, keyOf }] of reading.references) {
    const id: unknown = Object(row)[member] ?? Object(row)[`${member}_id`];
    const named = typeof id === 'string' && getRow(tableOf(reading.data, of), id);
    if (named) text += ` ${keyOf(named as { readonly id: string })}`;
  }
  const { part } = kind.section ?? {};
  const inner = part && kindsOf(reading.environment.service).get(part.section.name);
  if (inner) for (const each of part.rowsOf(reading.data, row)) text += ` ${knownOf(reading, inner, each)}`;
  return text;
};

/** The row with an id, or the rows that hold all words of a search. */
const find = (reading: Reading, kind: RowKind, query: string): readonly AnyRow[] => {
  const named = kind.section && getRow(tableOf(reading.data, kind.section.name), query);
  if (named) return [named];
  const words = query
    .toLowerCase()
    .split(/[\s·]+/)
    .filter(Boolean); // the page joins values by "·"
  const all = listAll(reading, kind);
  if (words.length === 0) return all;
  return all.filter((row) => {
    const text = `${valuesOf(row)} ${knownOf(reading, kind, row)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};

/** Members by which others name a row, and members of others that hold such a name without belonging to the row. */
const NAMING = ['id', 'email', 'name', 'identifier'];
const NOT_NAMING = ['id', 'name', 'inviter_email'];

/** The rows of a kind that name one of the owners, by owner. Loops, since there may be 100,000 rows. */
const belonging = (reading: Reading, part: RowKind, owners: readonly AnyRow[]) => {
  const found = new Map(owners.map((owner) => [owner, [] as AnyRow[]]));
  const byName = new Map<unknown, AnyRow[]>();
  for (const [owner, rows] of found) for (const name of NAMING) byName.set(Object(owner)[name], rows);
  byName.delete(undefined);
  for (const row of listAll(reading, part)) addToOwners(byName, row);
  return found;
};

const addToOwners = (byName: ReadonlyMap<unknown, AnyRow[]>, row: AnyRow): void => {
  for (const name in row) {
    if (NOT_NAMING.includes(name)) continue;
    const value: unknown = row[name as keyof typeof row];
    for (const key of Array.isArray(value) ? value : [value]) {
      const own = byName.get(key);
      if (own && own.at(-1) !== row) own.push(row);
    }
  }
};

export const countEach = (words: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};

/** Rows with the rows that belong to each. A list shows those that are written inside the row, and counts others. */
const show = (reading: Reading, kind: RowKind, list: readonly AnyRow[], isOpen = false) => {
  const parts = (isOpen ? (kind.shows ?? []) : kind.columns)
    .flatMap((name) => kindsOf(reading.environment.service).get(name) ?? [])
    .map((part) => ({ part, owned: belonging(reading, part, list) }));
  return list.map((row) => ({
    ...showOne(reading, kind, row),
    parts: parts.map(({ part, owned }) => {
      const own = owned.get(row) ?? [];
      const isCounted = !isOpen && !part.owner;
      const statuses = isCounted ? own.map((each) => statusOf(reading, part, each)) : [];
      const shown = isCounted ? [] : own.slice(0, isOpen ? SHOWN_OF_EACH : own.length);
      const rows = shown.map((each) => showOne(reading, part, each));
      return { kind: part.kind, total: own.length, counts: countEach(statuses), rows };
    }),
  }));
};

const showOne = (reading: Reading, kind: RowKind, row: AnyRow): ConsoleSchemas['Row'] => {
  const { environment, baseUrl, data, references } = reading;
  const form = seen(reading, kind, row);
  const say = (member = ''): string => textOf(form[member]);
  const id = kind.section ? tableOf(data, kind.kind).spec.id(row) : say('id');
  const title = say(kind.name) || id;
  const status = say(kind.status);
  const [, reference] = references.find(([, each]) => each.kind === kind.kind) ?? [];
  const path = kind.page?.(row);
  const isPossible = ({ when = {} }: RowKind['actions'][number]): boolean =>
    Object.entries(when).every(([member, values]) => values.includes(say(member)));
  return {
    kind: kind.kind,
    id,
    title,
    about: (kind.about ?? []).map(say).filter(Boolean).join(' · '),
    form,
    key: reference?.keyOf(row as { readonly id: string }) ?? title,
    ...(status !== '' && { status, tone: kind.tones?.[status] ?? 'quiet' }),
    actions: kind.actions.filter(isPossible).map(({ when: _when, ...told }) => told),
    ...(path !== undefined && { link: baseUrl + path + environment.key }),
  };
};
