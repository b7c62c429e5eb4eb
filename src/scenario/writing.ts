/** A state while rows are put into it: what has been put can be read at once, and what is not written is shared. */
import { drawFrom, type IdPrefix } from '../core/ids.ts';
import type { Moment } from '../core/moment.ts';
import type { Table } from '../core/table.ts';
import { startWriter } from '../core/table-writer.ts';
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

/** What the environment's clock shows while rows are put. */
export interface WritingClock {
  /** When whatever says nothing of its time came about. */
  readonly now: Moment;
  /** Whether an end has been reached, so that a status can be compared with it; undefined where that is not known. */
  readonly hasPassed: (end: Moment | undefined) => boolean | undefined;
}

export interface WritingOptions {
  readonly environmentId: string;
  readonly settings: Settings;
  readonly clock: WritingClock;
  readonly problems: Problems;
}

export interface Writing extends WritingOptions {
  /** The state as it is so far. */
  readonly state: State;
  put<Name extends TableName>(name: Name, row: RowOf<Name>): void;
  remove(name: TableName, id: string): void;
  /** The id that is written, else one that is drawn (behaviour I1). */
  id(written: string | undefined, prefix: IdPrefix): string;
  /** An id that is written: those that are drawn are above it. */
  reserve(id: string): void;
  /** The token that is written, else one that is drawn. */
  token(written?: string): string;
  /** Does something once all rows of the source are put. */
  later(step: () => void): void;
  /** Does what was left for later. */
  settle(): void;
  /** The state that all this makes. */
  finish(access_tokens: readonly string[]): State;
}

export const startWriting = (base: State, options: WritingOptions): Writing => {
  const state = { ...base };
  const writers = new Map<TableName, ReturnType<typeof startWriter<unknown, string>>>();
  const draw = drawFrom(base.generator);
  let steps: (() => void)[] = [];
  const writerOf = (name: TableName) => {
    // Which rows a table takes is said by the type of `put`.
    const open = writers.get(name);
    if (open) return open;
    const writer = startWriter(base[name] as unknown as Table<unknown, string>);
    writers.set(name, writer);
    Reflect.set(state, name, writer.current);
    return writer;
  };
  return {
    ...options,
    state,
    put: (name, row) => writerOf(name).put(row),
    remove: (name, id) => writerOf(name).remove(id),
    id: (written, prefix) => written ?? draw.id(prefix),
    reserve: draw.reserve,
    token: (written) => written ?? draw.token(),
    later: (step) => {
      steps.push(step);
    },
    settle: () => {
      const due = steps;
      steps = [];
      for (const step of due) step();
    },
    finish: (access_tokens) => {
      const tables = Array.from(writers, ([name, writer]) => [name, writer.finish()]);
      return { ...base, ...Object.fromEntries(tables), generator: draw.state(), access_tokens };
    },
  };
};
