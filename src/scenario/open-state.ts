/** A state that rows are put into: they can be read at once, and what is not written is shared with the base. */
import { drawFrom, type IdPrefix } from '../core/ids.ts';
import type { Moment } from '../core/moment.ts';
import type { Table } from '../core/table.ts';
import { startWriter } from '../core/table-writer.ts';
import type { Now } from '../domain/operation.ts';
import type { Settings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';
import type { Problems } from './problem.ts';

type Tables = Omit<State, 'generator' | 'access_tokens'>;
export type TableName = keyof Tables;
/** The rows of a table, or of any of several. */
export type RowOf<Name extends TableName> = Name extends TableName
  ? Tables[Name] extends Table<infer Row, never>
    ? Row
    : never
  : never;

/** The table of that name; its type is lost where the name is any. */
export const tableOf = (state: State, name: TableName): Table<RowOf<TableName>, string> =>
  state[name] as unknown as Table<RowOf<TableName>, string>;

/** What is known of the environment while its rows are loaded. */
export interface LoadContext {
  readonly environmentId: string;
  readonly settings: Settings;
  /** The time of whatever gives none. */
  readonly now: Moment;
  /**
   * The instant by which statuses are read. Where the clock is not known, there are two, one before and one after all
   * absolute times; what differs between them is not compared with what was written.
   */
  readonly instants: readonly [Now, ...Now[]];
  readonly problems: Problems;
}

/** A state that is being filled. */
export interface OpenState extends LoadContext {
  /** The rows so far. */
  readonly state: State;
  put<Name extends TableName>(name: Name, row: RowOf<Name>): void;
  remove(name: TableName, id: string): void;
  /** The id that is written, else a new one (behaviour I1). */
  id(written: string | undefined, prefix: IdPrefix): string;
  /** Keeps the ids that are drawn above one that is written. */
  reserve(id: string): void;
  /** The token that is written, else a new one. */
  token(written?: string): string;
  /** The finished state. */
  close(access_tokens: readonly string[]): State;
}

export const openState = (base: State, context: LoadContext): OpenState => {
  const state: { -readonly [Name in keyof State]: State[Name] } = { ...base };
  const writers = new Map<TableName, ReturnType<typeof startWriter<unknown, string>>>();
  const draw = drawFrom(base.generator);
  const writerOf = (name: TableName) => {
    const open = writers.get(name);
    if (open) return open;
    // Which rows a table takes is said by the type of `put`.
    const writer = startWriter(base[name] as unknown as Table<unknown, string>);
    writers.set(name, writer);
    Object.assign(state, { [name]: writer.current });
    return writer;
  };
  return {
    ...context,
    state,
    put: (name, row) => writerOf(name).put(row),
    remove: (name, id) => writerOf(name).remove(id),
    id: (written, prefix) => written ?? draw.id(prefix),
    reserve: draw.reserve,
    token: (written) => written ?? draw.token(),
    close: (access_tokens) => {
      const tables = Array.from(writers, ([name, writer]) => [name, writer.finish()]);
      return { ...base, ...Object.fromEntries(tables), generator: draw.state(), access_tokens };
    },
  };
};
