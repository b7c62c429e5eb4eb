/** Rows as a source writes them. */
import { valueAt } from '../core/object.ts';
import type { Path, Problems } from './problem.ts';
import { problemAt, type Source } from './source.ts';

/** Members that every row may have. */
export type RowControl = { readonly repeat?: number; readonly remove?: boolean };

/** A row of any section. */
export type AnyForm = RowControl & { readonly [member: string]: unknown };

/** A row that a source writes: new, or changes to an existing row. */
export interface WrittenRow<Form = AnyForm> {
  /** The row as the source writes it. */
  readonly own: Form;
  /** The row merged into the existing row, with ids instead of the names of other rows. */
  readonly form: Form;
  /** Where it is in the source. */
  readonly path: Path;
  /** Adds a problem at a member, or at the row itself if the source does not write the member. */
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

/** The rows of a list; makes the copies of repeated rows one by one. */
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
  return fill ? (n) => fill(String(n)) as Value : () => value; // it has the same shape
};

type Filler = (n: string) => unknown;

/** Returns undefined for a value without `{n}`: then all copies share the value. */
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
