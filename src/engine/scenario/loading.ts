/** The types of scenario rows, and the state that the rows are loaded into. */

import type { JsonObject } from '../contract/document.ts';
import type { Contract } from '../contract/load.ts';
import type { Refusal } from '../core/errors.ts';
import { drawFrom } from '../core/ids.ts';
import type { Instant, Moment } from '../core/moment.ts';
import { valueAt } from '../core/object.ts';
import { type LiveTable, startWriter, type Table } from '../core/table.ts';
import type { EngineSettings } from '../settings.ts';
import type { EngineState } from '../state.ts';
import { type Problems, partOf, problemAt, type Source } from './source.ts';
import type { Path } from './yaml.ts';

/** A row of any table. */
export type AnyRow = object;

/** The table with this name, whatever its rows. */
export const tableOf = (state: EngineState, name: string): Table<AnyRow, string> =>
  (state as unknown as Readonly<Record<string, Table<AnyRow, string>>>)[name] ?? noTable(name); // the cast is safe: all else in a state is not named like a section

const noTable = (name: string): never => {
  throw new Error(`The state has no table ${name}.`);
};

/** What the engine knows of an API, besides its rows. */
export interface Api {
  readonly contract: Contract;
  /** The prefixes that ids can have, such as `ca`. */
  readonly prefixes: readonly string[];
  /** The first segments of the addresses of pages, such as `/invitations`. */
  readonly pagePaths: readonly string[];
  /** What a stub can ask to be live (behaviour X6). */
  readonly live?: LiveThing;
}

/** A kind of row that a stub can ask to be live before it answers. */
export interface LiveThing<OfState extends EngineState = EngineState> {
  /** The member of a stub that names the row. */
  readonly member: string;
  readonly schema: JsonObject;
  /** Adds a problem for a name that no row can have. */
  check(open: OpenState<OfState>, written: WrittenRow<unknown>, name: string): void;
  /** Why the row with this name is not live; undefined if it is. */
  refuse(state: OfState, name: string, at: Instant): Refusal | undefined;
}

/** The environment that rows are loaded into. */
export interface LoadContext<Settings extends EngineSettings = EngineSettings> {
  readonly api: Api;
  readonly environmentId: string;
  readonly settings: Settings;
  /** The default for the times of a row, such as the creation time. */
  readonly now: Moment;
  /**
   * The mock checks the statuses in the scenario against these instants, because a status such as EXPIRED depends on
   * the time. If the time is unknown, these are the instants of `UNKNOWN_CLOCK`.
   */
  readonly instants: readonly [Instant, ...Instant[]];
  readonly problems: Problems;
  readonly write?: WriteRules;
  /** Called after each file or object, with the rows that it changed. */
  onPart?(part: unknown, counts: RowCounts): void;
}

/** How many rows a file or object changed. */
export interface RowCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** How rows are written into an environment that runs. */
export interface WriteRules {
  /** Refuses rows that are there already (behaviour N4). */
  readonly isCreate?: boolean | undefined;
  /** Lists whose rows are written as a whole: a row loses the members that it does not have here. */
  readonly whole?: readonly string[];
  /** Called for each row that was written, in order. */
  onRow?(table: string, id: string): void;
}

/** A copy of a state that rows are loaded into. */
export interface OpenState<
  OfState extends EngineState = EngineState,
  Settings extends EngineSettings = EngineSettings,
> extends LoadContext<Settings> {
  /** The rows of the state, with all changes so far. */
  readonly state: OfState;
  put(name: string, row: AnyRow): void;
  remove(name: string, id: string): void;
  /** Returns `written` or, if it is absent, generates an id (behaviour I1). */
  id(written: string | undefined, prefix: string): string;
  /** Reserves an id. From then on, `id` generates only higher ids. */
  reserve(id: string): void;
  token(written?: string): string;
  close(access_tokens: readonly string[]): OfState;
}

/** Opens a copy of `base` for changes. */
export const openState = (base: EngineState, context: LoadContext): OpenState => {
  const state: EngineState = { ...base };
  const writers = new Map<string, ReturnType<typeof startWriter<AnyRow, string>>>();
  const draw = drawFrom(base.generator);
  const writerOf = (name: string) => {
    const open = writers.get(name);
    if (open) return open;
    const writer = startWriter(tableOf(base, name));
    writers.set(name, writer);
    Object.assign(state, { [name]: writer.live satisfies LiveTable }); // reads must see rows that are loaded already
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

export type RowControl = { readonly repeat?: number; readonly remove?: boolean };

export type Form = RowControl & { readonly [member: string]: unknown };

/** A row that is being loaded: a new row, or changes to an existing row. */
export interface WrittenRow<OfSection = Form> {
  /** The members of the row as the scenario writes them. */
  readonly own: OfSection;
  /** `own`, or the existing row with the changes in `own`. For `toRow`, ids replace the names of other rows. */
  readonly form: OfSection;
  readonly source: Source;
  /** Adds a problem at the place of a member or, if the scenario leaves the member out, at the place of the row. */
  problem(member: MemberPath | undefined, message: string): undefined;
}

/** A member, or a place inside a member, such as `['roles', 1]`. */
export type MemberPath = string | Path;

/** Yields the rows of a list. Creates the copies of a repeated row one by one. */
export function* writtenRows(
  list: Source & { readonly value: readonly Form[] },
  problems: Problems,
): Generator<WrittenRow> {
  for (const [index, { repeat, remove, ...members }] of list.value.entries()) {
    const source = partOf(list, index);
    const row = remove ? { ...members, remove } : members;
    const copy = copiesOf(row);
    for (let n = 1; n <= (repeat ?? 1); n += 1) {
      const own = repeat === undefined ? row : copy(n);
      yield {
        own,
        form: own,
        source,
        problem: (member, message) => {
          const path = [member ?? []].flat();
          return problems.add(problemAt(source, valueAt(own, ...path) === undefined ? [] : path, message));
        },
      };
    }
  }
}

/** Returns a function that creates the n-th copy of a row, with `{n}` replaced in its strings. */
export const copiesOf = <Row>(row: Row): ((n: number) => Row) => {
  const text = JSON.stringify(row);
  return (n) => JSON.parse(text.replaceAll('{n}', String(n)));
};
