/** A state while rows are being added. It reads added rows at once, and shares all other rows with the base state. */
import { drawFrom, type IdPrefix } from '../core/ids.ts';
import type { Moment } from '../core/moment.ts';
import { startWriter, type Table } from '../core/table.ts';
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

/** The table of this name. Its type covers all tables, since any name may be given. */
export const tableOf = (state: State, name: TableName): Table<RowOf<TableName>, string> =>
  state[name] as unknown as Table<RowOf<TableName>, string>;

/** The environment that rows are loaded into. */
export interface LoadContext {
  readonly environmentId: string;
  readonly settings: Settings;
  /** The time for rows that give no time of their own. */
  readonly now: Moment;
  /**
   * The instant at which the loader reads statuses. If the clock is unknown, two instants: before and after all
   * absolute times. The loader does not check written values that differ between the two.
   */
  readonly instants: readonly [Now, ...Now[]];
  readonly problems: Problems;
}

/** A state while rows are being added. */
export interface OpenState extends LoadContext {
  /** The rows that have been added so far, and the rows of the base. */
  readonly state: State;
  put<Name extends TableName>(name: Name, row: RowOf<Name>): void;
  remove(name: TableName, id: string): void;
  /** Returns the written id, or draws a new id (behaviour I1). */
  id(written: string | undefined, prefix: IdPrefix): string;
  /** Makes sure that the ids drawn from now on are higher than this written id. */
  reserve(id: string): void;
  /** Returns the written token, or draws a new token. */
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
    // The type of `put` makes sure that each table gets its own kind of row.
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
