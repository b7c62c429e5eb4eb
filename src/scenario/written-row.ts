/** Rows as a source writes them. */
import { valueAt } from '../core/object.ts';
import { isJsonObject } from '../openapi/document.ts';
import type { Path, Problems } from './problem.ts';
import { problemAt, type Source } from './source.ts';

/** Members that every row may have. */
export type RowControl = { readonly repeat?: number; readonly remove?: boolean };

/** A row of any section. */
export type AnyForm = RowControl & { readonly [member: string]: unknown };

/** A row that a source writes, perhaps on top of an existing row. */
export interface WrittenRow<Form = AnyForm> {
  /** What the source writes. */
  readonly own: Form;
  /** The same, merged into the existing row, with ids in place of the names of other rows. */
  readonly form: Form;
  /** Where it is in the source. */
  readonly path: Path;
  /** Adds a problem at a member, or at the row itself where the source does not write the member. */
  problem(member: MemberPath | undefined, message: string): undefined;
}

/** A member, or a place within it such as `['roles', 1]`. */
export type MemberPath = string | Path;

/** Where rows are written. */
export interface RowList {
  readonly source: Source;
  readonly rows: readonly AnyForm[];
  /** Of the list in its source. */
  readonly path: Path;
}

/** The rows of a list, repeated ones made one by one. */
export function* writtenRows({ source, rows, path }: RowList, problems: Problems): Generator<WrittenRow> {
  for (const [index, { repeat, remove, ...members }] of rows.entries()) {
    const at = [...path, index];
    const row = remove ? { ...members, remove } : members;
    for (let n = 1; n <= (repeat ?? 1); n += 1) {
      const own = repeat === undefined ? row : nthOf(row, n);
      yield {
        own,
        form: own,
        path: at,
        problem: (member, message) => {
          const within = [member ?? []].flat();
          const places = [within, within.slice(0, 1)];
          const shown = places.find((each) => valueAt(own, ...each) !== undefined) ?? [];
          return problems.add(problemAt(source, [...at, ...shown], message));
        },
      };
    }
  }
}

/** The n-th copy of a repeated value, with the number for every `{n}` in its texts. */
export const nthOf = <Value>(value: Value, n: number): Value => fillIn(value, String(n)) as Value; // of the same form

const fillIn = (value: unknown, n: string): unknown => {
  if (typeof value === 'string') return value.includes('{n}') ? value.replaceAll('{n}', n) : value;
  if (Array.isArray(value)) return value.map((item) => fillIn(item, n));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillIn(member, n)]));
};
