/** Rows as a source writes them, repeated ones made, and those that are put on top of a row that is there. */
import { valueAt } from '../core/object.ts';
import { isJsonObject } from '../openapi/document.ts';
import type { Path, Problems } from './problem.ts';
import { problemAt, type Source } from './source.ts';

/** Members of every row, which speak of the row itself. */
export interface RowControl {
  readonly repeat?: number;
  readonly remove?: boolean;
}

/** A row as one source writes it. */
export interface RowSource<Form> {
  readonly form: Form;
  readonly source: Source;
  readonly path: Path;
}

/** The rows that a list of a source gives, each made when it is asked for. @param path of the list */
export function* rowSources(
  source: Source,
  rows: readonly RowControl[],
  path: Path,
): Generator<RowSource<RowControl>> {
  for (const [index, { repeat, remove, ...members }] of rows.entries()) {
    const at = [...path, index];
    const form = remove ? { ...members, remove } : members;
    for (let n = 1; n <= (repeat ?? 1); n += 1)
      yield { form: repeat === undefined ? form : nthOf(form, n), source, path: at };
  }
}

/** The n-th of a repeated value: with that number for every `{n}` in its texts. */
export const nthOf = <Value>(value: Value, n: number): Value => fillIn(value, String(n)) as Value; // of the same form

const fillIn = (value: unknown, n: string): unknown => {
  if (typeof value === 'string') return value.includes('{n}') ? value.replaceAll('{n}', n) : value;
  if (Array.isArray(value)) return value.map((item) => fillIn(item, n));
  if (!isJsonObject(value)) return value;
  const copy = { ...value };
  for (const name of Object.keys(value)) Reflect.set(copy, name, fillIn(value[name], n));
  return copy;
};

/** The member that a problem is about, or a place within it such as `['roles', 1]`. */
export type MemberPath = string | Path;

/** Everything that is known of a row while it is put into a state. */
export interface WrittenRow<Form> {
  readonly form: Form;
  /** Whether the source itself writes the member, and not the row that it is put on. */
  isWritten(member: string): boolean;
  /** Adds a problem at a member, or at the row itself where the source does not write the member. */
  problem(member: MemberPath | undefined, message: string): undefined;
}

/** @param form what the source writes, on top of what is there */
export const writtenRow = <Form>(
  { form: own, source, path }: RowSource<unknown>,
  form: Form,
  problems: Problems,
): WrittenRow<Form> => ({
  form,
  isWritten: (member) => isJsonObject(own) && own[member] !== undefined,
  problem: (member, message) => {
    const within = [member ?? []].flat();
    const shown = [within, within.slice(0, 1)].find((each) => valueAt(own, ...each) !== undefined) ?? [];
    return problems.add(problemAt(source, [...path, ...shown], message));
  },
});
