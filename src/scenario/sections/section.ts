/** What a noun says of its rows in a scenario. Everything that is done with rows follows from this (put.ts, export.ts). */
import { isDeepStrictEqual } from 'node:util';
import type { Defined } from '../../core/object.ts';
import type { Now } from '../../domain/operation.ts';
import type { Settings } from '../../domain/settings.ts';
import type { State } from '../../domain/state.ts';
import { isJsonObject, type JsonObject } from '../../openapi/document.ts';
import type { RowControl, WrittenRow } from '../row-source.ts';
import type { RowOf, TableName, Writing } from '../writing.ts';
import type { Nameable } from './references.ts';

/** How a row is shown as a form. */
export interface Showing {
  /** Those that the form will be read with: what follows from them is left out. */
  readonly settings: Settings;
  /** The instant whose statuses are shown; without it they are those that are stored, to put something on top of. */
  readonly at?: Now;
}

/** A row that a form names. */
export interface Found {
  /** The member of the form that it goes by, and the name as messages show it. */
  readonly member: string;
  readonly key: string;
  readonly row: RowOf<TableName> | undefined;
}

/** A row that was put, and what was written of it. */
export interface Put<Row, Form> {
  readonly row: Row;
  readonly written: WrittenRow<Form>;
}

/** A list of an environment in a scenario. */
export interface Section<Name extends TableName = TableName, Form extends RowControl = RowControl> {
  /** Of the list, and of the table that holds its rows. */
  readonly name: Name;
  /** What messages call a row: the noun, and how it differs from others. */
  readonly noun: string;
  title(row: RowOf<Name>): string;
  /** The member that is the id, where that is another than `id`. */
  readonly idMember?: string;
  /** Members beside the id that name a row, each with an index of its name. */
  readonly keys: readonly string[];
  /** The row that a form names in yet another way. */
  findPair?(state: State, form: Form): Found;
  /** Members that name a row of another list; `toRow` is given its id, and `toForm` gives that. */
  readonly references?: { readonly [Member in keyof Form]?: Nameable };
  /** Of a form, without what every row may have. */
  readonly schema: JsonObject;
  /** The row that a form gives; undefined, with a problem, where it gives none. */
  toRow(writing: Writing, written: WrittenRow<Form>): RowOf<Name> | undefined;
  /** The form of a row, without what would follow by itself when it is read again. */
  toForm(state: State, row: RowOf<Name>, showing: Showing): Form;
  /** Members that are objects, joined member by member themselves when a form is put on the one of a row. */
  readonly joined?: readonly (keyof Form)[];
  /** A member of the row's form that is left out where one of these is written, since they say the same or decide it. */
  readonly replaced?: { readonly [Member in keyof Form]?: readonly (keyof Form)[] };
  /** Does what takes all rows of a source. */
  settle?(writing: Writing, rows: readonly Put<RowOf<Name>, Form>[]): void;
  /** Rows that are written within a row of this list, and go with it. */
  readonly part?: NestedSection<RowOf<Name>, Form>;
  /** Rows of this list that name a row of another one by other members than `references`. */
  readonly names?: { [Other in TableName]?: (state: State, other: RowOf<Other>) => readonly RowOf<Name>[] };
  /** The lists whose rows these are made from: when one of them changes, the rows that name it are put again. */
  readonly follows?: readonly TableName[];
}

/** A list within every row of another one. */
export interface NestedSection<Owner, Form> {
  readonly section: Section;
  /** Its forms in that of an owner, and what they need to know of the owner's row. */
  forms(form: Form, owner: Owner): readonly RowControl[];
  rowsOf(state: State, owner: Owner): readonly RowOf<TableName>[];
}

/** A row as a scenario shows it: without what follows by itself, other rows by their natural names. */
export const showRow = <Name extends TableName, Form extends RowControl>(
  { toForm, references }: Section<Name, Form>,
  state: State,
  row: RowOf<Name>,
  showing: Showing,
): Form => {
  const form = toForm(state, row, showing);
  const shown = Object.entries<Nameable | undefined>(references ?? {}).flatMap(([member, kind]) => {
    const id: unknown = Reflect.get(form, member);
    return kind && typeof id === 'string' ? [[member, kind.nameOf(state, id)]] : [];
  });
  return { ...form, ...Object.fromEntries(shown) };
};

/** A form on top of the one of a row that is there, member by member. */
export const mergeForms = (
  { joined = [], replaced = {} }: Section,
  under: RowControl,
  over: RowControl,
): RowControl => {
  const merged = { ...under, ...over };
  for (const member of joined) {
    const [own, added]: unknown[] = [under[member], over[member]];
    if (isJsonObject(own) && isJsonObject(added)) Reflect.set(merged, member, { ...own, ...added });
  }
  for (const [member, others] of Object.entries<readonly (keyof RowControl)[]>(replaced))
    if (!(member in over) && others.some((other) => other in over)) Reflect.deleteProperty(merged, member);
  return merged;
};

/** A member that follows from others may be written too, and must then agree with them (behaviour X3). */
export const requireAgreement = <Form extends object>(
  { form, problem }: WrittenRow<Form>,
  member: keyof Form & string,
  follows: unknown,
  why: string,
): void => {
  if (form[member] !== undefined && !isDeepStrictEqual(sorted(form[member]), sorted(follows)))
    problem(member, `is ${[follows].flat().join(', ') || 'none'} ${why}; write that, or leave it out`);
};

/** What a list says does not depend on its order. */
const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value);

/** `ticket_desk` as people read it: `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A form without the members that are undefined, or that would follow by themselves. */
export const withoutDerived = <Members extends object>(
  members: Members,
  derived: { readonly [Name in keyof Members]?: unknown } = {},
): Partial<Defined<Members>> =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, Reflect.get(derived, name)),
    ),
  ) as Partial<Defined<Members>>; // some of the members
