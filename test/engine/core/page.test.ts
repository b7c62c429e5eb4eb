import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPage } from '../../../src/engine/core/page.ts';
import {
  allRows,
  createTable,
  putRow,
  putRows,
  removeRow,
  select,
  type Table,
  type TableSpec,
} from '../../../src/engine/core/table.ts';
import { refusal, refusedFields } from '../../support/core.ts';

interface Item {
  readonly id: string;
  readonly colour: string;
}
type Items = Table<Item, 'colour'>;
const ITEMS: TableSpec<Item, 'colour'> = { id: (row) => row.id, indexes: { colour: (row) => row.colour } };

const items = (count: number): Items =>
  putRows(
    createTable(ITEMS),
    Array.from({ length: count }, (_, index) => ({ id: `i${index}`, colour: index % 3 ? 'red' : 'blue' })),
  );

interface Query {
  readonly size?: number;
  readonly token?: string;
  readonly colour?: string;
  readonly list?: string;
}
const read = (table: Items, { size = 2, token, colour, list = 'listItems' }: Query) => {
  const page = readPage({
    list,
    filters: { colour },
    page_size: size,
    page_token: token,
    select: (filters) => select(table, { colour: filters.colour }),
  });
  return { ...page, ids: page.rows.map(({ id }) => id) };
};

test('behaviour I4: a page has a token for the previous page only if rows come before it', () => {
  const table = items(4);
  const { next_page_token: token } = read(table, {});
  const without = ['i0', 'i1'].reduce((left, id) => removeRow(left, id), table);
  expect(read(without, { token })).toMatchObject({ ids: ['i2', 'i3'], prev_page_token: '' });
});

test('behaviour I4: a token that the mock did not make, or that was changed, is 400', () => {
  const { next_page_token: token } = read(items(9), {});
  const text = Buffer.from(token, 'base64url').toString();
  const changed = Buffer.from(text.replace('"position":1', '"position":3')).toString('base64url');
  expect(changed).not.toBe(token);
  for (const bad of ['x', '!', 'bm9uc2Vuc2U', `${token}A`, token.slice(1), changed, token.toUpperCase()]) {
    expect(refusedFields(() => read(items(9), { token: bad }))).toEqual(['page_token']);
  }
});

test('behaviour I4: a short text in place of a page token is shown, a long one is not', () => {
  const said = (token: string) => refusal(() => read(items(9), { token })).message;
  expect(said('undefined')).toContain('page_token is "undefined", which is not a page token.');
  expect(said('x'.repeat(21))).toContain('page_token cannot be read.');
});

test('behaviour I4: after all rows of a page are deleted, paging back shows the rows that are left', () => {
  const table = items(6);
  const first = read(table, { size: 3 });
  const second = read(table, { size: 3, token: first.next_page_token });
  const front = ['i0', 'i1', 'i2'].reduce((rows, id) => removeRow(rows, id), table);
  const empty = read(front, { size: 3, token: second.prev_page_token });
  expect(empty.ids).toEqual([]);
  expect(read(front, { size: 3, token: empty.next_page_token }).ids).toEqual(['i3', 'i4', 'i5']);
  const back = ['i3', 'i4', 'i5'].reduce((rows, id) => removeRow(rows, id), table);
  const end = read(back, { size: 3, token: first.next_page_token });
  expect(end.ids).toEqual([]);
  expect(read(back, { size: 3, token: end.prev_page_token }).ids).toEqual(['i0', 'i1', 'i2']);
});

const write = fc.record({ add: fc.boolean(), which: fc.nat(30) });

test('behaviour I4: while rows are added and removed, paging shows each row that stays exactly once, in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(write, { maxLength: 40 }),
      fc.boolean(),
      (count, size, writes, filtered) => {
        let table = items(count);
        const removed = new Set<string>();
        const seen: string[] = [];
        const pending = [...writes];
        for (let token: string | undefined = ''; token !== undefined; ) {
          // The rows as an export that is put back has them: with other positions.
          if (seen.length % 2) table = putRows(createTable(ITEMS), allRows(table));
          const page = read(table, { size, token, ...(filtered && { colour: 'red' }) });
          seen.push(...page.ids);
          const next = pending.shift();
          if (next?.add) table = putRow(table, { id: `new-${pending.length}`, colour: 'red' });
          else if (next) {
            removed.add(`i${next.which}`);
            table = removeRow(table, `i${next.which}`);
          }
          token = page.next_page_token || undefined;
        }
        expect(new Set(seen).size).toBe(seen.length);
        const stayed = read(items(count), { size: 100, ...(filtered && { colour: 'red' }) }).ids;
        const kept = (id: string) => !removed.has(id) && id.startsWith('i');
        expect(seen.filter(kept)).toEqual(stayed.filter(kept));
      },
    ),
  );
});
