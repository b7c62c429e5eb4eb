/** A state while rows are added. Added rows can be read at once; everything else is shared with the base. */
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
/** The row type of a table, or of any of several tables. */
export type RowOf<Name extends TableName> = Name extends TableName
  ? Tables[Name] extends Table<infer Row, never>
    ? Row
    : never
  : never;

/** The table of this name; untyped, since the name may be any. */
export const tableOf = (state: State, name: TableName): Table<RowOf<TableName>, string> =>
  state[name] as unknown as Table<RowOf<TableName>, string>;

/** What loading knows about the environment. */
export interface LoadContext {
  readonly environmentId: string;
  readonly settings: Settings;
  /** The time for rows that do not give one. */
  readonly now: Moment;
  /**
   * The instant at which statuses are read. If the clock is unknown, two instants: before and after all absolute
   * times. Values that differ between the two are not compared with the written value.
   */
  readonly instants: readonly [Now, ...Now[]];
  readonly problems: Problems;
}

/** A state while rows are added. */
export interface OpenState extends LoadContext {
  /** The rows so far. */
  readonly state: State;
  put<Name extends TableName>(name: Name, row: RowOf<Name>): void;
  remove(name: TableName, id: string): void;
  /** The written id, else a new one (behaviour I1). */
  id(written: string | undefined, prefix: IdPrefix): string;
  /** Keeps drawn ids above this written id. */
  reserve(id: string): void;
  /** The written token, else a new one. */
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
    // The type of `put` says which rows a table takes.
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
