/** Rows as a source writes them. */
import { valueAt } from '../core/object.ts';
import { type Problems, partOf, problemAt, type Source } from './source.ts';
import type { Path } from './yaml.ts';

/** Members that every row can have. */
export type RowControl = { readonly repeat?: number; readonly remove?: boolean };

/** A row of any section, as a source writes it. */
export type Form = RowControl & { readonly [member: string]: unknown };

/** A row that is being loaded: a new row, or changes to an existing row. */
export interface WrittenRow<OfSection = Form> {
  /** The members that are set in the source. */
  readonly own: OfSection;
  /** The written members, merged into the existing row. Names of other rows are replaced with ids. */
  readonly form: OfSection;
  readonly source: Source;
  /** Adds a problem at the place of a member, or at the place of the row if the source does not write the member. */
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
