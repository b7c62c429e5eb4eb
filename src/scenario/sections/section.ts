/** What a noun says of its rows in a scenario, and the one way in which rows are put into a state. */
import { isDeepStrictEqual } from 'node:util';
import type { Table } from '../../core/table.ts';
import type { Env } from '../../domain/operation.ts';
import type { Settings } from '../../domain/settings.ts';
import type { State } from '../../domain/state.ts';
import type { JsonObject } from '../../openapi/document.ts';
import type { Problems } from '../problem.ts';
import { type RowControl, type RowSource, type WrittenRow, writtenRow } from '../row-source.ts';
import type { RowOf, TableName, Writing } from '../writing.ts';
import type { FromContract } from './members.ts';

/** How a row is shown as a form. */
export interface Showing {
  /** Those that the form will be read with: what follows from them is left out. */
  readonly settings: Settings;
  /** The instant whose statuses are shown; without it they are those that are stored, to put something on top of. */
  readonly at?: Pick<Env, 'now' | 'start'>;
}

/** A way to find the row that a form is about. */
export interface Found<Row> {
  /** The member of the form that it goes by. */
  readonly member: string;
  /** As messages show it. */
  readonly key: string;
  readonly row: Row | undefined;
}

/** A list of an environment in a scenario. Its name is that of the list, and of the table that holds the rows. */
export interface Section<Name extends TableName, Form extends RowControl> {
  readonly name: Name;
  /** What messages call a row. */
  readonly noun: string;
  /** The members of a form, as JSON schema. */
  readonly schema: (contract: FromContract) => JsonObject;
  /** The rows of the state that a form names, by id and by natural key. */
  readonly find: (state: State, form: Form) => readonly Found<RowOf<Name>>[];
  /** The row that a form stands for; undefined, with a problem, where it stands for none. */
  readonly toRow: (writing: Writing, written: WrittenRow<Form>) => RowOf<Name> | undefined;
  /** The form of a row, without what would follow by itself when it is read again. */
  readonly toForm: (state: State, row: RowOf<Name>, showing: Showing) => Form;
  /** A form on top of the one of a row that is there. Default: member by member. */
  readonly merge?: (under: Form, over: Form) => Form;
  /** Does what takes all rows of a source. */
  readonly settle?: (writing: Writing, rows: readonly Put<RowOf<Name>, Form>[]) => void;
  /** Puts what is written within a row and has a table of its own. */
  readonly putParts?: (writing: Writing, row: RowOf<Name>, source: RowSource<Form>) => void;
  /** Puts again what depends on a row that has changed. */
  readonly putDependents?: (writing: Writing, row: RowOf<Name>, source: RowSource<Form>) => void;
  /** Drops what goes with a row. */
  readonly removeParts?: (writing: Writing, row: RowOf<Name>) => void;
  /** A row that names this one, as messages call it: then this one cannot be removed (behaviour X3). */
  readonly namedBy?: (state: State, row: RowOf<Name>) => string | undefined;
}

/** A row that was put, and what was written of it. */
export interface Put<Row, Form> {
  readonly row: Row;
  readonly written: WrittenRow<Form>;
}

/** Puts the rows that one source writes: on top of those that are there, or as new ones. */
export const putRows = <Name extends TableName, Form extends RowControl>(
  writing: Writing,
  section: Section<Name, Form>,
  sources: readonly RowSource<Form>[],
): void => {
  for (const { form } of sources) for (const id of idsIn(form)) writing.reserve(id);
  const done = new Set<string>();
  const all: Put<RowOf<Name>, Form>[] = [];
  for (const source of sources) {
    const own = writtenRow(source, source.form, writing.problems);
    const found = section.find(writing.state, source.form).filter(({ row }) => row !== undefined);
    const under = found[0]?.row;
    const twice = found.find(({ row }) => row && done.has(idOf(writing, section, row)));
    if (twice) own.problem(twice.member, `another ${section.noun} has the ${twice.member} ${twice.key}`);
    else if (found.some(({ row }) => row !== under))
      own.problem(undefined, 'its id and its natural key belong to two rows');
    else if (source.form.remove) {
      if (under) removeRow(writing, section, under, own);
      else own.problem('remove', 'there is no such row to remove');
    } else {
      const put = putRow(writing, section, source, under);
      if (!put) continue;
      done.add(idOf(writing, section, put.row));
      all.push(put);
    }
  }
  section.settle?.(writing, all);
};

/** The ids that a form writes out. */
const idsIn = (
  form: RowControl & { readonly id?: string; readonly user_profile?: object | null },
): string[] => [form.id, Reflect.get(form.user_profile ?? {}, 'id')].filter((id) => typeof id === 'string');

/** The table of a section; its type is lost where the name is any. */
export const tableOf = <Name extends TableName>(state: State, name: Name): Table<RowOf<Name>> =>
  state[name] as unknown as Table<RowOf<Name>>;

const idOf = <Name extends TableName>(
  { state }: Writing,
  { name }: Pick<Section<Name, never>, 'name'>,
  row: RowOf<Name>,
): string => tableOf(state, name).spec.id(row);

const putRow = <Name extends TableName, Form extends RowControl>(
  writing: Writing,
  section: Section<Name, Form>,
  source: RowSource<Form>,
  under: RowOf<Name> | undefined,
): Put<RowOf<Name>, Form> | undefined => {
  const { merge = mergeMembers } = section;
  const form = under ? merge(section.toForm(writing.state, under, writing), source.form) : source.form;
  const written = writtenRow(source, form, writing.problems);
  const row = section.toRow(writing, written);
  if (row === undefined) return undefined;
  if (under && idOf(writing, section, under) !== idOf(writing, section, row))
    removeRow(writing, section, under, written);
  writing.put(section.name, row);
  section.putParts?.(writing, row, source);
  if (under && !isDeepStrictEqual(under, row)) section.putDependents?.(writing, row, source);
  return { row, written };
};

/** Puts a row again because something that it depends on has changed. @param source that changed it */
export const putAgain = <Name extends TableName, Form extends RowControl>(
  writing: Writing,
  section: Section<Name, Form>,
  row: RowOf<Name>,
  source: RowSource<unknown>,
  title: string,
): void => {
  const problems: Problems = {
    ...writing.problems,
    add: ({ message, ...place }) => writing.problems.add({ ...place, message: `${title}: ${message}` }),
  };
  const form = section.toForm(writing.state, row, writing);
  const again = section.toRow(writing, writtenRow({ ...source, form: {} }, form, problems));
  if (again === undefined || isDeepStrictEqual(row, again)) return;
  writing.put(section.name, again);
  section.putDependents?.(writing, again, { ...source, form });
};

const mergeMembers = <Form extends object>(under: Form, over: Form): Form => ({ ...under, ...over });

/** Whether others name the row is asked at the end, since they may go with it. */
const removeRow = <Name extends TableName, Form extends RowControl>(
  writing: Writing,
  section: Section<Name, Form>,
  row: RowOf<Name>,
  written: WrittenRow<Form>,
): void => {
  const id = idOf(writing, section, row);
  writing.remove(section.name, id);
  section.removeParts?.(writing, row);
  writing.later(() => {
    if (writing.state[section.name].positions.has(id)) return;
    const name = section.namedBy?.(writing.state, row);
    if (name !== undefined)
      written.problem('remove', `${name} names this ${section.noun}; remove or change that too`);
  });
};

/** A member that follows from others may be written too, and must then agree with them (behaviour X3). */
export const requireAgreement = <Form extends object>(
  written: WrittenRow<Form>,
  member: keyof Form & string,
  follows: unknown,
  why: string,
): void => {
  const said: unknown = written.form[member];
  if (said === undefined || said === follows) return;
  written.problem(member, `is ${String(follows)} ${why}; write that, or leave it out`);
};

/** `ticket_desk` as people read it: `Ticket desk`. */
export const readable = (name: string): string => {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A value that a form says, or undefined where it follows by itself. */
export const unless = <Value>(value: Value, follows: unknown): Value | undefined =>
  isDeepStrictEqual(value, follows) ? undefined : value;
