/** What a noun says of its rows in a scenario. Everything that is done with rows follows from this (put.ts, export.ts). */
import { isDeepStrictEqual } from 'node:util';
import type { Table } from '../../core/table.ts';
import type { Env } from '../../domain/operation.ts';
import type { Settings } from '../../domain/settings.ts';
import type { State } from '../../domain/state.ts';
import type { JsonObject } from '../../openapi/document.ts';
import type { RowControl, RowSource, WrittenRow } from '../row-source.ts';
import type { RowOf, TableName, Writing } from '../writing.ts';
import type { FromContract } from './members.ts';

/** How a row is shown as a form. */
export interface Showing {
  /** Those that the form will be read with: what follows from them is left out. */
  readonly settings: Settings;
  /** The instant whose statuses are shown; without it they are those that are stored, to put something on top of. */
  readonly at?: Pick<Env, 'now' | 'start'>;
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
  /** What messages call a row: the noun, and what tells it from others. */
  readonly noun: string;
  title(row: RowOf<Name>): string;
  /** The member that is the id, where that is another than `id`. */
  readonly idMember?: string;
  /** Members beside the id that name a row, each with an index of its name. */
  readonly keys: readonly string[];
  /** The row that a form names in yet another way. */
  findPair?(state: State, form: Form): Found;
  /** The members of a form, as JSON schema. */
  schema(contract: FromContract): JsonObject;
  /** The row that a form stands for; undefined, with a problem, where it stands for none. */
  toRow(writing: Writing, written: WrittenRow<Form>): RowOf<Name> | undefined;
  /** The form of a row, without what would follow by itself when it is read again. */
  toForm(state: State, row: RowOf<Name>, showing: Showing): Form;
  /** A form on top of the one of a row that is there. Default: member by member. */
  merge?(under: Form, over: Form): Form;
  /** Does what takes all rows of a source. */
  settle?(writing: Writing, rows: readonly Put<RowOf<Name>, Form>[]): void;
  /** Puts what is written within a row and has a table of its own; `removeParts` drops it. */
  putParts?(writing: Writing, row: RowOf<Name>, source: RowSource<Form>): void;
  removeParts?(writing: Writing, row: RowOf<Name>): void;
  /** The rows of this list that name a row of another one. While there are any, that one cannot be removed (behaviour X3). */
  readonly names?: { [Other in TableName]?: (state: State, other: RowOf<Other>) => readonly RowOf<Name>[] };
  /** Those of them whose rows these are made from: when one changes, the rows that name it are put again. */
  readonly follows?: readonly TableName[];
}

/** The table of a section; its type is lost where the section is any. */
export const tableOf = (state: State, name: TableName): Table<RowOf<TableName>, string> =>
  state[name] as unknown as Table<RowOf<TableName>, string>;

/** A member that follows from others may be written too, and must then agree with them (behaviour X3). */
export const requireAgreement = <Form extends object>(
  { form, problem }: WrittenRow<Form>,
  member: keyof Form & string,
  follows: unknown,
  why: string,
): void => {
  if (form[member] !== undefined && form[member] !== follows)
    problem(member, `is ${String(follows)} ${why}; write that, or leave it out`);
};

/** `ticket_desk` as people read it: `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A value that a form says, or undefined where it follows by itself. */
export const unless = <Value>(value: Value, follows: unknown): Value | undefined =>
  isDeepStrictEqual(value, follows) ? undefined : value;
