/**
 * Describes how a scenario writes the rows of one list. Loading (load-rows.ts) and export (export.ts) follow this
 * description.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Now } from '../../domain/operation.ts';
import type { Settings } from '../../domain/settings.ts';
import type { State } from '../../domain/state.ts';
import { isJsonObject, type JsonObject } from '../../openapi/document.ts';
import type { OpenState, RowOf, TableName } from '../open-state.ts';
import { type FormatTime, formatTime } from '../times.ts';
import type { AnyForm, WrittenRow } from '../written-row.ts';
import { nameOf, type RowReference } from './references.ts';

/** The options for writing a row as a form. */
export interface ExportContext {
  /** The settings that apply when the form is loaded again, since they decide some members. */
  readonly settings: Settings;
  /** The instant at which statuses are read. If absent, the form has the stored statuses. */
  readonly at?: Now;
  readonly time: FormatTime;
}

type Members<Form> = { readonly [Member in keyof Form]?: unknown };

/** A row as a form. */
export interface ExportedForm<Form> {
  /** All stored members that a form may have. */
  readonly members: Members<Form>;
  /** The values that members get when a form leaves them out. */
  readonly derived?: Members<Form>;
}

/** One of the names by which a form identifies a row. */
export interface RowName {
  /** The member that holds the name, and the name as messages show it. */
  readonly member: string;
  readonly key: string;
  readonly row: RowOf<TableName> | undefined;
}

/** The rows that a source writes, by table and id. */
export type WrittenRows = ReadonlyMap<TableName, ReadonlyMap<string, WrittenRow>>;

/** A list of an environment in a scenario. */
export interface Section<Name extends TableName = TableName, Form = AnyForm> {
  /** Name of the list, and of the table that holds its rows. */
  readonly name: Name;
  /** The word for a row in messages, such as `user`. */
  readonly noun: string;
  title(row: RowOf<Name>): string;
  /** A short example of a row, for messages. */
  readonly example: string;
  /** The member that is the id; default `id`. */
  readonly idMember?: string;
  /** Other members that identify a row. The table has an index with the name of each. */
  readonly keys: readonly string[];
  /** Finds the row that a form names by several members together. */
  findPair?(state: State, form: Form): RowName;
  /** Members that name a row of another list; `toRow` receives the row's id. */
  readonly references?: { readonly [Member in keyof Form]?: RowReference };
  /** Schema of a form, without the members that every row may have. */
  readonly schema: JsonObject;
  /** Makes the row. If it cannot, adds a problem and returns undefined. */
  toRow(open: OpenState, written: WrittenRow<Form>): RowOf<Name> | undefined;
  toForm(state: State, row: RowOf<Name>, context: ExportContext): ExportedForm<Form>;
  /**
   * Members that the mock derives from other members, with their values. A file may write such a member with the
   * derived value only.
   */
  computed?(open: OpenState, row: RowOf<Name>): { readonly [Member in keyof Form]?: () => unknown };
  /** Members that the API may return with another value than the written one. */
  readonly unchecked?: readonly (keyof Form)[];
  /** Members that hold an object, which a later form changes member by member. */
  readonly joined?: readonly (keyof Form)[];
  /** For each member: the stored members that are dropped when a form writes it. */
  readonly replaced?: { readonly [Member in keyof Form]?: readonly (keyof Form)[] };
  /** Runs once all rows of the section are loaded. */
  complete?(open: OpenState, rows: WrittenRows): void;
  /** A list inside each row of this list. Its rows are removed with the row that holds them. */
  readonly part?: NestedSection<RowOf<Name>, Form>;
  /** The member by which other lists name a row. Default: its id. */
  readonly namedBy?: string;
  /** The lists and ids of the rows that this row names. */
  names?(row: RowOf<Name>): readonly (readonly [TableName, readonly string[]])[];
  /** Members that other rows depend on. They cannot change while another row names this row. */
  readonly decisive?: readonly string[];
}

/** A list inside every row of another list, such as the memberships of a user. */
export interface NestedSection<Owner, Form> {
  readonly section: Section;
  /** The forms inside the form of an owner. */
  forms(form: Form, owner: Owner): readonly AnyForm[];
  rowsOf(state: State, owner: Owner): readonly RowOf<TableName>[];
}

/**
 * A row as an export writes it: with its inner lists, with the names of other rows instead of ids, and without derived
 * members.
 */
export const exportRow = (
  section: Section,
  state: State,
  row: RowOf<TableName>,
  context: ExportContext,
): AnyForm => {
  const { part, references = {} } = section;
  const form: Record<string, unknown> = { ...shortForm(section, state, row, context) };
  for (const [member, kind] of Object.entries(references))
    if (kind && typeof form[member] === 'string') form[member] = nameOf(kind, state, form[member]);
  const parts = part?.rowsOf(state, row).map((each) => exportRow(part.section, state, each, context)) ?? [];
  return part && parts.length > 0 ? { ...form, [part.section.name]: parts } : form;
};

const shortForm = (
  section: Section,
  state: State,
  row: RowOf<TableName>,
  context: ExportContext,
): AnyForm => {
  const { members, derived = {} } = section.toForm(state, row, context);
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
