import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPage } from '../../../src/engine/core/page.ts';
import {
  allRows,
  countSelected,
  createTable,
  type Direction,
  getRow,
  putRow,
  removeRow,
  rowsBy,
  select,
  type Table,
  type TableSpec,
  takeSelected,
} from '../../../src/engine/core/table.ts';
import { refusal } from '../../support/core.ts';

interface Book {
  readonly id: string;
  readonly author?: string;
  readonly topics: readonly string[];
}
type Index = 'author' | 'topic';
type Books = Table<Book, Index>;

const BOOKS: TableSpec<Book, Index> = {
  id: (row) => row.id,
  indexes: { author: (row) => row.author, topic: (row) => row.topics },
};

const NAMES = ['k1', 'k2', 'k3'] as const;
const key = fc.constantFrom(...NAMES);
const row: fc.Arbitrary<Book> = fc.record(
  { id: fc.nat(60).map(String), author: key, topics: fc.array(key, { maxLength: 4 }) },
  { requiredKeys: ['id', 'topics'] },
);
const step = fc.oneof(
  { weight: 3, arbitrary: row.map((put) => ({ put })) },
  { weight: 1, arbitrary: fc.nat(60).map((id) => ({ remove: String(id) })) },
);

type Step = { put: Book } | { remove: string };

/** The simplest tables, to compare with: arrays that each write copies. A row that is written again stays where it is. */
const inPlace = (rows: readonly Book[], change: Step): readonly Book[] => {
  if ('remove' in change) return rows.filter(({ id }) => id !== change.remove);
  const isHeld = rows.some(({ id }) => id === change.put.id);
  return isHeld ? rows.map((held) => (held.id === change.put.id ? change.put : held)) : [...rows, change.put];
};

/** Sorts by author, and the books of one author by their last write, like the log of authentication requests. */
const BY_AUTHOR: TableSpec<Book, Index> = {
  ...BOOKS,
  position: ({ author = '' }, sequence) => `${author}.${String(sequence).padStart(6, '0')}`,
};
const sortedByAuthor = (rows: readonly Book[], change: Step): readonly Book[] => {
  const others = inPlace(rows, { remove: 'remove' in change ? change.remove : change.put.id });
  const after = 'put' in change ? [...others, change.put] : others;
  return after.toSorted(({ author: left = '' }, { author: right = '' }) =>
    left < right ? -1 : Number(left > right),
  );
};

/** What a table finds: in order, by id, and by its indexes. */
const findIn = (table: Books, ids: readonly string[]) => ({
  all: [...allRows(table)],
  byId: ids.map((id) => getRow(table, id)),
  byAuthor: NAMES.map((name) => rowsBy(table, 'author', name)),
  counts: NAMES.map((name) => countSelected(select(table, { author: name }))),
  byTopic: NAMES.map((name) => rowsBy(table, 'topic', name)),
});

const expectSame = (table: Books, rows: readonly Book[]) => {
  const byAuthor = NAMES.map((name) => rows.filter(({ author }) => author === name));
  const byTopic = NAMES.map((name) => rows.filter(({ topics }) => topics.includes(name)));
  const counts = byAuthor.map(({ length }) => length);
  const ids = rows.map(({ id }) => id);
  expect(findIn(table, ids)).toEqual({ all: rows, byId: rows, byAuthor, counts, byTopic });
};

test.each([
  ['stay where they are', BOOKS, inPlace],
  ['move with every write', BY_AUTHOR, sortedByAuthor],
])('any sequence of writes gives the same rows as an array, where rows %s, and does not change earlier versions', (_how, spec, apply) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      let table: Books = createTable(spec);
      let rows: readonly Book[] = [];
      const versions: [Books, readonly Book[]][] = [[table, rows]];
      for (const change of steps) {
        table = 'remove' in change ? removeRow(table, change.remove) : putRow(table, change.put);
        rows = apply(rows, change);
        versions.push([table, rows]);
      }
      for (const [version, expected] of versions) expectSame(version, expected);
    }),
    { numRuns: 20 },
  );
});

const shelf = fc
  .array(row, { maxLength: 80, size: 'max' })
  .map((rows) => rows.map((one, nth) => ({ ...one, id: String(nth) })).reduce(putRow, createTable(BOOKS)));
const isEven = ({ id }: Book) => Number(id) % 2 === 0;
const keys = fc.option(fc.array(key, { maxLength: 4 }), { nil: undefined });

test('a selection by indexes and conditions has the same rows and order as a plain filter', () => {
  fc.assert(
    fc.property(shelf, keys, fc.option(key, { nil: undefined }), (table, authors, topic) => {
      const selection = select(table, { author: authors, topic }, isEven);
      const expected = [...allRows(table)].filter(
        (one) =>
          (!authors || authors.some((name) => name === one.author)) &&
          (topic === undefined || one.topics.includes(topic)) &&
          isEven(one),
      );
      const taken = (direction: Direction) => takeSelected(selection, 1_000, direction).map((one) => one.row);
      expect(taken('forward')).toEqual(expected);
      expect(taken('backward')).toEqual(expected.toReversed());
      expect(countSelected(selection)).toBe(expected.length);
    }),
  );
});

test('rows can be read from any position, in both directions', () => {
  fc.assert(
    fc.property(shelf, fc.nat(90), fc.boolean(), fc.boolean(), (table, from, down, isNarrow) => {
      const selection = select(table, { author: ['k1', 'k2'] }, isNarrow ? isEven : undefined);
      const all = takeSelected(selection, 1_000, 'forward');
      const direction = down ? 'backward' : 'forward';
      const beyond = all.filter(({ position }) => (down ? Number(position) < from : Number(position) > from));
      expect(takeSelected(selection, 3, direction, from)).toEqual(
        (down ? beyond.toReversed() : beyond).slice(0, 3),
      );
    }),
  );
});

// Pages of tables (behaviour I4).

const book = (id: string, author = 'k1'): Book => ({ id, author, topics: [] });
const books = (count: number): Books =>
  Array.from({ length: count }, (_, nth) => book(`i${nth}`, nth % 3 ? 'k1' : 'k2')).reduce(
    putRow,
    createTable(BOOKS),
  );

const read = (
  table: Books,
  { size = 2, token, author }: { size?: number; token?: string; author?: string },
) => {
  const page = readPage({
    list: 'listBooks',
    filters: { author },
    page_size: size,
    page_token: token,
    select: (filters) => select(table, { author: filters.author }),
  });
  return { ...page, ids: page.rows.map(({ id }) => id) };
};

test('behaviour I4: a page has a token for the previous page only if rows come before it', () => {
  const table = books(4);
  const { next_page_token: token } = read(table, {});
  const without = ['i0', 'i1'].reduce((left, id) => removeRow(left, id), table);
  expect(read(without, { token })).toMatchObject({ ids: ['i2', 'i3'], prev_page_token: '' });
});

test('behaviour I4: a token that the mock did not make, or that was changed, is 400', () => {
  const { next_page_token: token } = read(books(9), {});
  const text = Buffer.from(token, 'base64url').toString();
  const changed = Buffer.from(text.replace('"position":1', '"position":3')).toString('base64url');
  expect(changed).not.toBe(token);
  for (const bad of ['x', '!', 'bm9uc2Vuc2U', `${token}A`, token.slice(1), changed, token.toUpperCase()]) {
    const { extras } = refusal(() => read(books(9), { token: bad }));
    expect(extras.violations).toMatchObject([{ field: 'page_token' }]);
  }
});

test('behaviour I4: a short text in place of a page token is shown, a long one is not', () => {
  const said = (token: string) => refusal(() => read(books(9), { token })).message;
  expect(said('undefined')).toContain('page_token is "undefined", which is not a page token.');
  expect(said('x'.repeat(21))).toContain('page_token cannot be read.');
});

test('behaviour I4: after all rows of a page are deleted, paging back shows the rows that are left', () => {
  const table = books(6);
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

const writing = fc.record({ add: fc.boolean(), which: fc.nat(30) });

test('behaviour I4: while rows are added and removed, paging shows each row that stays exactly once, in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(writing, { maxLength: 40, size: 'max' }),
      fc.boolean(),
      (count, size, writes, filtered) => {
        let table = books(count);
        const removed = new Set<string>();
        const seen: string[] = [];
        const pending = [...writes];
        for (let token: string | undefined = ''; token !== undefined; ) {
          // The rows as an export that is put back has them: with other positions.
          if (seen.length % 2) table = [...allRows(table)].reduce(putRow, createTable(BOOKS));
          const page = read(table, { size, token, ...(filtered && { author: 'k1' }) });
          seen.push(...page.ids);
          const next = pending.shift();
          if (next?.add) table = putRow(table, book(`new-${pending.length}`));
          else if (next) {
            removed.add(`i${next.which}`);
            table = removeRow(table, `i${next.which}`);
          }
          token = page.next_page_token || undefined;
        }
        expect(new Set(seen).size).toBe(seen.length);
        const stayed = read(books(count), { size: 100, ...(filtered && { author: 'k1' }) }).ids;
        const kept = (id: string) => !removed.has(id) && id.startsWith('i');
        expect(seen.filter(kept)).toEqual(stayed.filter(kept));
      },
    ),
  );
});
