/** Sections: how rows of one kind are loaded (load-rows.ts), exported (export.ts), and named by other rows. */

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../contract/document.ts';
import type { Instant } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import { allRows, getRow } from '../core/table.ts';
import { didYouMean } from '../core/text.ts';
import type { EngineSettings } from '../settings.ts';
import type { EngineState } from '../state.ts';
import {
  type AnyRow,
  type Form,
  type MemberPath,
  type OpenState,
  tableOf,
  type WrittenRow,
} from './loading.ts';
import { described, type MemberSchema, TEXT } from './member-schemas.ts';
import { type FormatTime, formatTime } from './times.ts';

export interface ExportContext {
  /** The instant for which statuses are computed. If it is absent, the export contains the stored statuses. */
  readonly at?: Instant;
  readonly time: FormatTime;
  /** Leaves out what is derived: the settings decide the defaults of some members. */
  readonly settings?: EngineSettings;
}

type DefaultsContext<Settings> = ExportContext & { readonly settings: Settings };

/** The members of a row, as a scenario writes them. */
export type FormMembers<OfForm> = { readonly [Member in keyof OfForm]?: unknown };

/** One of the names by which a scenario identifies a row. */
export interface RowName {
  /** The name of the member that identifies the row, such as `key_id`. */
  readonly member: string;
  /** The member and its value in words, for messages: `the key_id "mail"`. */
  readonly key: string;
  readonly row: AnyRow | undefined;
}

/** The rows of a table that one scenario file contains, by id. */
export type WrittenRows = (table: string) => ReadonlyMap<string, WrittenRow>;

export interface Section<
  Row = AnyRow,
  OfForm = Form,
  OfState extends EngineState = EngineState,
  Settings extends EngineSettings = EngineSettings,
> {
  /** The name of the list in a scenario, such as `users`, and of the table that holds the rows. */
  readonly name: string;
  /** The word for a row in messages, such as `user`. */
  readonly noun: string;
  /** A short example of a row, for messages. */
  readonly example: string;
  /** The member that holds the id. Default: `id`. */
  readonly idMember?: string;
  /** Other members that identify a row. The table has an index named after each of them. */
  readonly keys?: readonly string[];
  /** Two members that identify a row together, such as connector and identifier. */
  readonly pair?: readonly string[];
  /** Finds the row that the members of `pair` identify. */
  findPair?(state: OfState, form: OfForm): RowName;
  /** Members that refer to a row of another list. `toRow` receives the id of that row. */
  readonly references?: { readonly [Member in keyof OfForm]?: RowReference };
  /** The schema of a row in a scenario, without `repeat` and `remove`. */
  readonly schema: JsonObject;
  /** Creates the row. If that is impossible, adds a problem and returns undefined. */
  toRow(open: OpenState<OfState, Settings>, written: WrittenRow<OfForm>): Row | undefined;
  toForm(state: OfState, row: Row, context: ExportContext): FormMembers<OfForm>;
  /** What members get if a scenario leaves them out. When a change is merged into the row, they follow the change. */
  derived?(state: OfState, row: Row, context: DefaultsContext<Settings>): FormMembers<OfForm>;
  /** The rows in the order of an export. Default: the order of the table. */
  inOrder?(state: OfState, at: Instant): Iterable<Row>;
  /** Called after all rows of this kind have been loaded. */
  complete?(open: OpenState<OfState, Settings>, rows: WrittenRows): void;
  /** A list inside each row of this list. When a row is removed, its inner rows are removed too. */
  readonly part?: NestedSection<Row, OfForm, OfState>;
  /** The rows to which this row refers, as `connections/ID` or `custom_providers/IDENTIFIER`. */
  names?(row: Row): readonly string[];
  /** Members that cannot change while another row refers to this row. */
  readonly decisive?: readonly string[];
  /** Members that this row copies from another row. The other row cannot change these members. */
  readonly copies?: readonly string[];
  /** An id inside a row in a scenario, besides its own. */
  innerId?(form: OfForm): unknown;
  /** Another name, besides its id, by which rows refer to this row. */
  otherName?(row: Row): string;
  /** Members that name rows by id or by other name, so a different name here does not contradict the row. */
  readonly anyName?: readonly string[];
  /** Members that hold an object. A change to an existing row can set single members of this object. */
  readonly joined?: readonly string[];
  /** When a change to an existing row sets a member, the row loses the members that are listed with it. */
  readonly replaces?: Readonly<Record<string, readonly string[]>>;
}

/** A list inside every row of another list, such as the memberships of a user. */
interface NestedSection<Owner, OfForm, OfState> {
  readonly section: Section;
  /** The inner rows of `form`, a row in a scenario file. */
  forms(form: OfForm, owner: Owner): readonly Form[];
  rowsOf(state: OfState, owner: Owner): readonly AnyRow[];
}

/** Exports a row with its inner lists. Writes names of other rows instead of ids. */
export const exportRow = (
  section: Section,
  state: EngineState,
  row: AnyRow,
  context: ExportContext,
): Form => {
  const { part } = section;
  const { settings } = context;
  const own: Record<string, unknown> = defined(section.toForm(state, row, context));
  for (const [member, kind] of Object.entries(section.references ?? {}))
    if (kind && typeof own[member] === 'string') own[member] = nameOf(kind, state, own[member]);
  const form = settings
    ? withoutDerived(own, section.derived?.(state, row, { ...context, settings }) ?? {})
    : own;
  const parts = part?.rowsOf(state, row).map((each) => exportRow(part.section, state, each, context)) ?? [];
  return part && parts.length > 0 ? { ...form, [part.section.name]: parts } : form;
};

const withoutDerived = (members: object, derived: object): Form => {
  const usual = new Map<string, unknown>(Object.entries(derived));
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
      const known = usual.get(name);
      if (value === undefined || isDeepStrictEqual(value, known)) return [];
      return [[name, isJsonObject(value) && isJsonObject(known) ? withoutDerived(value, known) : value]];
    }),
  );
};

/** Converts an existing row to a row of a scenario file, and then overrides it with the members of `over`. */
export const mergeForm = (
  section: Section,
  { state, settings }: Pick<OpenState, 'state' | 'settings'>,
  row: AnyRow,
  over: Form,
): Form => {
  const context = { settings, time: formatTime };
  const members = section.toForm(state, row, context);
  const under = withoutDerived(members, section.derived?.(state, row, context) ?? {});
  const merged: Record<string, unknown> = { ...under, ...over };
  for (const member of section.joined ?? []) {
    const [own, added] = [under[member], over[member]];
    if (isJsonObject(own) && isJsonObject(added)) merged[member] = { ...own, ...added };
  }
  for (const replaced of Object.keys(over).flatMap((member) => section.replaces?.[member] ?? []))
    if (!(replaced in over)) delete merged[replaced];
  return merged;
};

/** Makes a name readable: `ticket_desk` becomes `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What every row has that others can refer to. */
interface NamedRow {
  readonly id: string;
}

/** A kind of row that other rows refer to. */
export interface RowReference<Row extends NamedRow = NamedRow, OfState extends EngineState = EngineState> {
  /** The name of the table. */
  readonly kind: string;
  readonly noun: string;
  /** The schema of a member that refers to a row of this kind. */
  readonly schema: MemberSchema<string>;
  /** The natural key of a row, such as the name of an organization. */
  keyOf(row: Row): string;
  /** Finds a row by its id or its natural key. */
  find(state: OfState, text: string): Row | undefined;
}

/** @param keyName how the schema calls the natural key, such as `by name` */
export const defineReference = <Row extends NamedRow, OfState extends EngineState>(
  kind: keyof OfState & string,
  noun: string,
  keyName: string,
  keyOf: (row: Row) => string,
  findByKey: (state: OfState, text: string) => Row | undefined,
): RowReference<Row, OfState> => ({
  kind,
  noun,
  schema: described(TEXT, `The ${noun}, by id or ${keyName}.`),
  keyOf,
  // the cast is safe: the table has this name and such rows
  find: (state, text) => (getRow(tableOf(state, kind), text) as Row | undefined) ?? findByKey(state, text),
});

/** The natural key of a row, or its id if the key is ambiguous. */
export const nameOf = <Row extends NamedRow, OfState extends EngineState, Id extends string | undefined>(
  { keyOf, find }: RowReference<Row, OfState>,
  state: OfState,
  id: Id,
): string | Id => {
  const row = id && find(state, id);
  const key = row && row.id === id ? keyOf(row) : id;
  return key && find(state, key)?.id === id ? key : id;
};

const MOST_COMPARED = 5_000;
const MOST_LISTED = 20;

/**
 * Finds the row to which a member refers. For an unknown name, adds a problem that suggests a similar name.
 * @param advice the end of the problem's message: what else could be written
 */
export const findNamed = <Row extends NamedRow, OfState extends EngineState>(
  { state }: OpenState<OfState>,
  written: WrittenRow<unknown>,
  member: MemberPath,
  { kind, noun, keyOf, find }: RowReference<Row, OfState>,
  name: string | undefined,
  advice = '',
): Row | undefined => {
  const row = name === undefined ? undefined : find(state, name);
  if (name === undefined || row !== undefined) return row;
  const known: string[] = [];
  for (const each of allRows(tableOf(state, kind)))
    if (known.push(keyOf(each as Row)) === MOST_COMPARED) break;
  const listed =
    known.length === 0
      ? ` There are no ${noun}s yet; write it below ${kind}.`
      : known.length <= MOST_LISTED
        ? ` The ${noun}s are ${known.join(', ')}.`
        : '';
  return written.problem(
    member,
    `there is no ${noun} "${name}".${didYouMean(name, known) || listed}${advice}`,
  );
};
