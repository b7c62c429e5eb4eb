/** Rows as a file or object writes them, with all copies of repeated rows. */
import { valueAt } from '../core/object.ts';
import type { Form, Section, WrittenRow } from './section.ts';
import type { Source } from './source.ts';

export type RowList = Source<readonly Form[]>;

export const listOf = ({ name }: Section, part: Source): RowList => {
  const list = part.part<readonly Form[] | undefined>(name);
  return list.with(list.value ?? []);
};

/** The ids of a row and of the objects inside it, such as the profile of a user. */
export const idsIn = (form: Form): readonly string[] =>
  [form, ...Object.values(form)].map((part) => valueAt(part, 'id')).filter((id) => typeof id === 'string');

/** Yields the rows of a list. Creates the copies of a repeated row one by one. */
export function* writtenRows(list: RowList): Generator<WrittenRow> {
  for (const [index, { repeat, remove, ...members }] of list.value.entries()) {
    const source = list.part(index);
    const row = remove ? { ...members, remove } : members;
    const copy = repeat === undefined ? () => row : copiesOf(row);
    for (let n = 1; n <= (repeat ?? 1); n += 1) {
      const own = copy(n);
      const problem: WrittenRow['problem'] = (member, message) => {
        const path = [member ?? []].flat();
        return source.problem(valueAt(own, ...path) === undefined ? [] : path, message);
      };
      yield { own, form: own, source, problem };
    }
  }
}

/** Returns a function that creates the n-th copy of a row, with `{n}` replaced in its strings. */
export const copiesOf = <Row>(row: Row): ((n: number) => Row) => {
  const text = JSON.stringify(row);
  return (n) => JSON.parse(text.replaceAll('{n}', String(n)));
};
