/** Rows as a source writes them. */
import { valueAt } from '../core/object.ts';
import type { Path, Problems } from './problem.ts';
import { problemAt, type Source } from './source.ts';

/** Members that every row may have. */
export type RowControl = { readonly repeat?: number; readonly remove?: boolean };

/** A row of any section. */
export type AnyForm = RowControl & { readonly [member: string]: unknown };

/** A row that a source writes: a new row, or changes to an existing row. */
export interface WrittenRow<Form = AnyForm> {
  /** The members that the source writes. */
  readonly own: Form;
  /** The written members merged into the existing row. Other rows are named by their ids. */
  readonly form: Form;
  /** The path of the row in its source. */
  readonly path: Path;
  /** Adds a problem at the place of a member, or at the place of the row if the source does not write the member. */
  problem(member: MemberPath | undefined, message: string): undefined;
}

/** A member, or a place inside it such as `['roles', 1]`. */
export type MemberPath = string | Path;

/** A list of rows in a source. */
export interface RowList {
  readonly source: Source;
  readonly rows: readonly AnyForm[];
  /** Path of the list in its source. */
  readonly path: Path;
}

/** Yields the rows of a list. Makes the copies of a repeated row one by one. */
export function* writtenRows({ source, rows, path }: RowList, problems: Problems): Generator<WrittenRow> {
  for (const [index, { repeat, remove, ...members }] of rows.entries()) {
    const at = [...path, index];
    const row = remove ? { ...members, remove } : members;
    const copy = copiesOf(row);
    for (let n = 1; n <= (repeat ?? 1); n += 1) {
      const own = repeat === undefined ? row : copy(n);
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

/** Returns a function that makes the n-th copy of a value, with `{n}` replaced in its texts. */
export const copiesOf = <Value>(value: Value): ((n: number) => Value) => {
  const fill = fillerOf(value);
  return fill ? (n) => fill(String(n)) as Value : () => value; // a copy has the shape of the original
};

type Filler = (n: string) => unknown;

/**
 * Returns a function that fills `{n}` in a value; undefined if the value has no `{n}`, so that all copies can share it.
 */
const fillerOf = (value: unknown): Filler | undefined => {
  if (typeof value === 'string') return value.includes('{n}') ? (n) => value.replaceAll('{n}', n) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const fillers = Object.entries(value).flatMap(([name, member]) => {
    const fill = fillerOf(member);
    return fill ? [[name, fill] as const] : [];
  });
  if (fillers.length === 0) return undefined;
  return (n) => {
    const copy: Record<string, unknown> = Array.isArray(value) ? Object([...value]) : { ...value };
    for (const [name, fill] of fillers) copy[name] = fill(n);
    return copy;
  };
};
