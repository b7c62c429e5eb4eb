/** What a noun says of its rows in a scenario. Loading and export follow from it (load-rows.ts, export.ts). */
import { isDeepStrictEqual } from 'node:util';
import type { Now } from '../../domain/operation.ts';
import type { Settings } from '../../domain/settings.ts';
import type { State } from '../../domain/state.ts';
import { isJsonObject, type JsonObject } from '../../openapi/document.ts';
import type { OpenState, RowOf, TableName } from '../open-state.ts';
import { type FormatTime, formatTime } from '../times.ts';
import type { AnyForm, WrittenRow } from '../written-row.ts';
import { type Nameable, nameOf } from './references.ts';

/** How a row is shown. */
export interface Showing {
  /** Those that the form will be read with, as some members follow from them. */
  readonly settings: Settings;
  /** The instant whose statuses are shown; absent: the stored statuses. */
  readonly at?: Now;
  readonly time: FormatTime;
}

type Members<Form> = { readonly [Member in keyof Form]?: unknown };

/** A row as a form. */
export interface Shown<Form> {
  /** Every member that a form may have and that is stored. */
  readonly members: Members<Form>;
  /** What members would be if they were left out. */
  readonly derived?: Members<Form>;
}

/** One of the ways in which a form names its row. */
export interface RowName {
  /** The member that names it, and the name as messages show it. */
  readonly member: string;
  readonly key: string;
  readonly row: RowOf<TableName> | undefined;
}

/** The rows that a source has written, by table and id. */
export type WrittenRows = ReadonlyMap<TableName, ReadonlyMap<string, WrittenRow>>;

/** A list of an environment in a scenario. */
export interface Section<Name extends TableName = TableName, Form = AnyForm> {
  /** Of the list, and of the table that holds its rows. */
  readonly name: Name;
  /** What messages call a row: the noun, and how it differs from others. */
  readonly noun: string;
  title(row: RowOf<Name>): string;
  /** A short row, for messages. */
  readonly example: string;
  /** The member that is the id; default `id`. */
  readonly idMember?: string;
  /** Other members that name a row, each with an index of its name. */
  readonly keys: readonly string[];
  /** The row that a form names by several members together. */
  findPair?(state: State, form: Form): RowName;
  /** Members that name a row of another list; `toRow` gets its id. */
  readonly references?: { readonly [Member in keyof Form]?: Nameable };
  /** Of a form, without the members that every row may have. */
  readonly schema: JsonObject;
  /** The row that a form gives. Adds a problem and returns undefined if it gives none. */
  toRow(open: OpenState, written: WrittenRow<Form>): RowOf<Name> | undefined;
  toForm(state: State, row: RowOf<Name>, showing: Showing): Shown<Form>;
  /** Members that follow from others, with the value that they read. A file may write them if they agree. */
  computed?(open: OpenState, row: RowOf<Name>): { readonly [Member in keyof Form]?: () => unknown };
  /** Members that are not read as they are written. */
  readonly unchecked?: readonly (keyof Form)[];
  /** Members that are objects, and are joined member by member. */
  readonly joined?: readonly (keyof Form)[];
  /** Stored members that are dropped when a form writes one of these. */
  readonly replaced?: { readonly [Member in keyof Form]?: readonly (keyof Form)[] };
  /** Runs once all rows of the section are loaded. */
  complete?(open: OpenState, rows: WrittenRows): void;
  /** Rows that are written within a row of this list, and go with it. */
  readonly part?: NestedSection<RowOf<Name>, Form>;
  /** The member by which rows of other lists name a row; default its id. */
  readonly namedBy?: string;
  /** The rows of other lists that a row names: the list, and their ids. */
  names?(row: RowOf<Name>): readonly (readonly [TableName, readonly string[]])[];
  /** Members that other rows were made from. They cannot change while rows name this one. */
  readonly decisive?: readonly string[];
}

/** A list within every row of another list. */
export interface NestedSection<Owner, Form> {
  readonly section: Section;
  /** The forms within the form of an owner. */
  forms(form: Form, owner: Owner): readonly AnyForm[];
  rowsOf(state: State, owner: Owner): readonly RowOf<TableName>[];
}

/** A row as an export writes it: its parts within it, other rows by name, without members that follow from others. */
export const exportRow = (
  section: Section,
  state: State,
  row: RowOf<TableName>,
  showing: Showing,
): AnyForm => {
  const { part, references = {} } = section;
  const form: Record<string, unknown> = { ...shortForm(section, state, row, showing) };
  for (const [member, kind] of Object.entries(references))
    if (kind && typeof form[member] === 'string') form[member] = nameOf(kind, state, form[member]);
  const parts = part?.rowsOf(state, row).map((each) => exportRow(part.section, state, each, showing)) ?? [];
  return part && parts.length > 0 ? { ...form, [part.section.name]: parts } : form;
};

const shortForm = (section: Section, state: State, row: RowOf<TableName>, showing: Showing): AnyForm => {
  const { members, derived = {} } = section.toForm(state, row, showing);
  return withoutDerived(members, derived);
};

const withoutDerived = (members: object, derived: object): AnyForm => {
  const defaults = new Map(Object.entries(derived));
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
      const usual: unknown = defaults.get(name);
      if (value === undefined || isDeepStrictEqual(value, usual)) return [];
      return [[name, isJsonObject(value) && isJsonObject(usual) ? withoutDerived(value, usual) : value]];
    }),
  );
};

/** Merges a form into an existing row, member by member. */
export const mergeForm = (
  section: Section,
  { state, settings }: Pick<OpenState, 'state' | 'settings'>,
  row: RowOf<TableName>,
  over: AnyForm,
): AnyForm => {
  const { joined = [], replaced = {} } = section;
  const under = shortForm(section, state, row, { settings, time: formatTime });
  const merged: Record<string, unknown> = { ...under, ...over };
  for (const member of joined) {
    const [own, added] = [under[member], over[member]];
    if (isJsonObject(own) && isJsonObject(added)) merged[member] = { ...own, ...added };
  }
  for (const [member, others = []] of Object.entries(replaced))
    if (!(member in over) && others.some((other) => other in over)) delete merged[member];
  return merged;
};

/** `ticket_desk` as people read it: `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
