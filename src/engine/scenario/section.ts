/** The type of a section, which describes how rows of one kind are loaded (load-rows.ts) and exported (export.ts). */

import { isDeepStrictEqual } from 'node:util';
import { nameOf, type RowReference } from '../../service/references.ts';
import type { SettingValues } from '../../service/settings.ts';
import type { State } from '../../service/state.ts';
import { isJsonObject, type JsonObject } from '../contract/document.ts';
import type { Instant } from '../core/moment.ts';
import { defined } from '../core/object.ts';
import type { Form, OpenState, RowOf, TableName, WrittenRow } from './loading.ts';
import { type FormatTime, formatTime } from './times.ts';

export interface ExportContext {
  /** The instant for which statuses are computed. If it is absent, the export contains the stored statuses. */
  readonly at?: Instant;
  readonly time: FormatTime;
}

/** The settings decide the defaults of some members. */
type DefaultsContext = Pick<ExportContext, 'time'> & { readonly settings: SettingValues };

/** The members of a row, as a scenario writes them. */
export type FormMembers<OfForm> = { readonly [Member in keyof OfForm]?: unknown };

/** One of the names by which a scenario identifies a row. */
export interface RowName {
  /** The name of the member that identifies the row, such as `key_id`. */
  readonly member: string;
  /** The member and its value in words, for messages: `the key_id "mail"`. */
  readonly key: string;
  readonly row: RowOf<TableName> | undefined;
}

/** The rows that one scenario file contains, by table and id. */
export type WrittenRows = Readonly<Record<TableName, ReadonlyMap<string, WrittenRow>>>;

export interface Section<Name extends TableName = TableName, OfForm = Form> {
  /** The name of the list in a scenario, such as `users`, and of the table that holds the rows. */
  readonly name: Name;
  /** The word for a row in messages, such as `user`. */
  readonly noun: string;
  /** A short example of a row, for messages. */
  readonly example: string;
  /** The member that holds the id. Default: `id`. */
  readonly idMember?: string;
  /** Other members that identify a row. The table has an index named after each of them. */
  readonly keys?: readonly string[];
  /** Finds the row that two members of `form` identify together, such as connector and identifier. */
  findPair?(state: State, form: OfForm): RowName;
  /** Members that refer to a row of another list. `toRow` receives the id of that row. */
  readonly references?: { readonly [Member in keyof OfForm]?: RowReference };
  /** The schema of a row in a scenario, without `repeat` and `remove`. */
  readonly schema: JsonObject;
  /** Creates the row. If that is impossible, adds a problem and returns undefined. */
  toRow(open: OpenState, written: WrittenRow<OfForm>): RowOf<Name> | undefined;
  toForm(state: State, row: RowOf<Name>, context: ExportContext): FormMembers<OfForm>;
  /** What members get if a scenario leaves them out. When a change is merged into the row, they follow the change. */
  derived?(state: State, row: RowOf<Name>, context: DefaultsContext): FormMembers<OfForm>;
  /** Called after all rows of this kind have been loaded. */
  complete?(open: OpenState, rows: WrittenRows): void;
  /** A list inside each row of this list. When a row is removed, its inner rows are removed too. */
  readonly part?: NestedSection<RowOf<Name>, OfForm>;
  /** The rows to which this row refers, as `connections/ID` or `custom_providers/IDENTIFIER`. */
  names?(row: RowOf<Name>): readonly string[];
  /** Members that cannot change while another row refers to this row. */
  readonly decisive?: readonly string[];
  /** Members that this row copies from another row. The other row cannot change these members. */
  readonly copies?: readonly string[];
}

/** A list inside every row of another list, such as the memberships of a user. */
interface NestedSection<Owner, OfForm> {
  readonly section: Section;
  /** The inner rows of `form`, a row in a scenario file. */
  forms(form: OfForm, owner: Owner): readonly Form[];
  rowsOf(state: State, owner: Owner): readonly RowOf<TableName>[];
}

/** Exports a row with its inner lists. Writes names of other rows instead of ids. */
export const exportRow = (
  section: Section,
  state: State,
  row: RowOf<TableName>,
  context: ExportContext,
): Form => {
  const { part, references = {} } = section;
  const form: Record<string, unknown> = defined(section.toForm(state, row, context));
  for (const [member, kind] of Object.entries(references))
    if (kind && typeof form[member] === 'string') form[member] = nameOf(kind, state, form[member]);
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

/** Members that hold an object. A change to an existing row can set single members of this object. */
const JOINED = ['user_profile', 'invite'];

/** When a change to an existing row sets the member on the left, the row loses the members on the right. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  connection_id: ['connector', 'connection_details'],
  connector: ['account'],
  identifier: ['account'],
  organization_id: ['labels'],
  user_id: ['labels'],
  status: ['stored_status', 'replies'],
  body: ['replies'],
  headers: ['replies'],
  delay_ms: ['replies'],
  replies: ['status', 'body', 'headers', 'delay_ms', 'answered'],
};

/** Converts an existing row to a row of a scenario file, and then overrides it with the members of `over`. */
export const mergeForm = (
  section: Section,
  { state, settings }: Pick<OpenState, 'state' | 'settings'>,
  row: RowOf<TableName>,
  over: Form,
): Form => {
  const context = { settings, time: formatTime };
  const members = section.toForm(state, row, context);
  const under = withoutDerived(members, section.derived?.(state, row, context) ?? {});
  const merged: Record<string, unknown> = { ...under, ...over };
  for (const member of JOINED) {
    const [own, added] = [under[member], over[member]];
    if (isJsonObject(own) && isJsonObject(added)) merged[member] = { ...own, ...added };
  }
  for (const replaced of Object.keys(over).flatMap((member) => REPLACED[member] ?? []))
    if (!(replaced in over)) delete merged[replaced];
  return merged;
};

/** Makes a name readable: `ticket_desk` becomes `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
