/** The types of scenario rows, and the state that the rows are loaded into. */

import type { SettingValues } from '../../service/settings.ts';
import type { State } from '../../service/state.ts';
import { drawFrom, type IdPrefix } from '../core/ids.ts';
import type { Instant, Moment } from '../core/moment.ts';
import { valueAt } from '../core/object.ts';
import { type LiveTable, startWriter, type Table } from '../core/table.ts';
import { type Problems, partOf, problemAt, type Source } from './source.ts';
import type { Path } from './yaml.ts';

type Tables = Omit<State, 'generator' | 'access_tokens'>;
export type TableName = keyof Tables;
/** The row type of a table, or of any of several tables. */
export type RowOf<Name extends TableName> = Name extends TableName
  ? Tables[Name] extends Table<infer Row, never>
    ? Row
    : never
  : never;

/** The table with this name. Its row type is a union, since `name` can be the name of any table. */
export const tableOf = (state: State, name: TableName): Table<RowOf<TableName>, string> =>
  state[name] as unknown as Table<RowOf<TableName>, string>;

/** The environment that rows are loaded into. */
export interface LoadContext {
  readonly environmentId: string;
  readonly settings: SettingValues;
  /** The default for the times of a row, such as the creation time. */
  readonly now: Moment;
  /**
   * The mock checks the statuses in the scenario against these instants, because a status such as EXPIRED depends on
   * the time. If the time is unknown, these are the instants of `UNKNOWN_CLOCK`.
   */
  readonly instants: readonly [Instant, ...Instant[]];
  readonly problems: Problems;
  readonly write?: WriteRules;
}

/** How rows are written into an environment that runs. */
export interface WriteRules {
  /** Refuses rows that are there already (behaviour N4). */
  readonly isCreate?: boolean | undefined;
  /** Called for each row that was written, in order. */
  onRow?(table: TableName, id: string): void;
}

export type OpenState = ReturnType<typeof openState>;

/** Opens a copy of `base` for changes. */
export const openState = (base: State, context: LoadContext) => {
  const state: { -readonly [Name in keyof State]: State[Name] } = { ...base };
  const writers = new Map<TableName, ReturnType<typeof startWriter<RowOf<TableName>, string>>>();
  const draw = drawFrom(base.generator);
  const writerOf = (name: TableName) => {
    const open = writers.get(name);
    if (open) return open;
    const writer = startWriter(tableOf(base, name));
    writers.set(name, writer);
    Object.assign(state, { [name]: writer.live satisfies LiveTable }); // reads must see rows that are loaded already
    return writer;
  };
  return {
    ...context,
    /** The rows of `base`, with all changes so far. */
    state: state as State,
    put: <Name extends TableName>(name: Name, row: RowOf<Name>): void => writerOf(name).put(row),
    remove: (name: TableName, id: string): void => writerOf(name).remove(id),
    /** Returns `written` or, if it is absent, generates an id (behaviour I1). */
    id: (written: string | undefined, prefix: IdPrefix): string => written ?? draw.id(prefix),
    /** Reserves an id. From then on, `id` generates only higher ids. */
    reserve: draw.reserve,
    token: (written?: string): string => written ?? draw.token(),
    close: (access_tokens: readonly string[]): State => {
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
