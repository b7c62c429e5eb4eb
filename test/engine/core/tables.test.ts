import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPage } from '../../../src/engine/core/page.ts';
import {
  allRows,
  countSelected,
  createTable,
  getRow,
  putRow,
  removeRow,
  rowsBy,
  select,
  type Table,
  type TableSpec,
  takeSelected,
} from '../../../src/engine/core/table.ts';
import { refusal, refusedFields } from '../../support/core.ts';

interface Book {
  readonly id: string;
  readonly author?: string;
  readonly topics: readonly string[];
}
type Index = 'author' | 'topic';

const BOOKS: TableSpec<Book, Index> = {
  id: (row) => row.id,
  indexes: { author: (row) => row.author, topic: (row) => row.topics },
};

const book = (id: string, author?: string, topics: readonly string[] = []): Book => ({
  id,
  topics,
  ...(author !== undefined && { author }),
});
const key = fc.constantFrom('k1', 'k2', 'k3');
const row = fc
  .record({
    id: fc.nat(60).map(String),
    author: fc.option(key, { nil: undefined }),
    topics: fc.array(key, { maxLength: 4 }),
  })
  .map(({ id, author, topics }) => book(id, author, topics));
const step = fc.oneof(
  { weight: 3, arbitrary: row.map((put) => ({ put })) },
  { weight: 1, arbitrary: fc.nat(60).map((id) => ({ remove: String(id) })) },
);

type Step = { put: Book } | { remove: string };

const write = (table: Table<Book, Index>, change: Step): Table<Book, Index> =>
  'remove' in change ? removeRow(table, change.remove) : putRow(table, change.put);

/** The simplest table, to compare with: an array that each write copies. */
const apply = (rows: readonly Book[], change: Step): readonly Book[] => {
  if ('remove' in change) return rows.filter(({ id }) => id !== change.remove);
  const isHeld = rows.some(({ id }) => id === change.put.id);
  return isHeld ? rows.map((held) => (held.id === change.put.id ? change.put : held)) : [...rows, change.put];
};

const expectSame = (table: Table<Book, Index>, rows: readonly Book[]) => {
  expect([...allRows(table)]).toEqual(rows);
  for (const name of ['k1', 'k2', 'k3']) {
    const byAuthor = rows.filter(({ author }) => author === name);
    expect(rowsBy(table, 'author', name)).toEqual(byAuthor);
    expect(countSelected(select(table, { author: name }))).toBe(byAuthor.length);
    expect(rowsBy(table, 'topic', name)).toEqual(rows.filter(({ topics }) => topics.includes(name)));
  }
  for (const held of rows) expect(getRow(table, held.id)).toBe(held);
};

test('any sequence of writes gives the same rows as an array, and does not change earlier versions', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let table = createTable(BOOKS);
      let rows: readonly Book[] = [];
      const versions: [Table<Book, Index>, readonly Book[]][] = [[table, rows]];
      for (const change of steps) {
        table = write(table, change);
        rows = apply(rows, change);
        versions.push([table, rows]);
      }
      for (const [version, expected] of versions) expectSame(version, expected);
    }),
    { numRuns: 40 },
  );
});

/** Sorts by author, and the books of one author by their last write, like the log of authentication requests. */
const BY_AUTHOR: TableSpec<Book, Index> = {
  ...BOOKS,
  position: ({ author = '' }, sequence) => `${author}.${String(sequence).padStart(6, '0')}`,
};

test('rows that are added at once, or move with every write, are in the same order as in a sorted array, in the indexes too', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 150 }), fc.array(step, { maxLength: 80 }), (first, steps) => {
      let table = first.reduce(putRow, createTable(BY_AUTHOR));
      let rows: readonly Book[] = [];
      const writes: readonly Step[] = [...first.map((put) => ({ put })), ...steps];
      for (const change of writes) {
        const id = 'remove' in change ? change.remove : change.put.id;
        rows = [...rows.filter((held) => held.id !== id), ...('put' in change ? [change.put] : [])];
      }
      for (const change of steps) table = write(table, change);
      expectSame(
        table,
        rows.toSorted(({ author: left = '' }, { author: right = '' }) =>
          left < right ? -1 : left > right ? 1 : 0,
        ),
      );
    }),
    { numRuns: 40 },
  );
});

interface Card {
  readonly id: string;
  readonly suit: string;
  readonly rank: number;
}
const CARDS: TableSpec<Card, 'suit' | 'rank'> = {
  id: (row) => row.id,
  indexes: { suit: (row) => row.suit, rank: (row) => String(row.rank) },
};

const suit = fc.constantFrom('hearts', 'spades', 'clubs');
const cards = fc
  .array(fc.record({ suit, rank: fc.nat(3) }), { maxLength: 80 })
  .map((drawn) => drawn.map((card, index) => ({ ...card, id: `card-${index}` })));

test('a selection by indexes and conditions has the same rows and order as a plain filter', () => {
  fc.assert(
    fc.property(
      cards,
      fc.option(fc.array(suit, { maxLength: 4 }), { nil: undefined }),
      fc.option(fc.nat(3)),
      (rows, suits, rank) => {
        const ranks = rank === null ? undefined : [String(rank)];
        const isEven = (card: Card) => Number(card.id.slice(5)) % 2 === 0;
        const selection = select(
          rows.reduce(putRow, createTable(CARDS)),
          { suit: suits, rank: ranks },
          isEven,
        );
        const expected = rows.filter(
          (card) =>
            (!suits || suits.includes(card.suit)) &&
            (!ranks || ranks.includes(String(card.rank))) &&
            isEven(card),
        );
        expect(takeSelected(selection, 1_000, 'forward').map(({ row }) => row)).toEqual(expected);
        expect(takeSelected(selection, 1_000, 'backward').map(({ row }) => row)).toEqual(
          expected.toReversed(),
        );
        expect(countSelected(selection)).toBe(expected.length);
      },
    ),
  );
});

test('rows can be read from any position, in both directions', () => {
  fc.assert(
    fc.property(cards, fc.nat(90), fc.boolean(), (rows, from, down) => {
      const selection = select(rows.reduce(putRow, createTable(CARDS)), { suit: ['hearts', 'clubs'] });
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

interface Item {
  readonly id: string;
  readonly colour: string;
}
type Items = Table<Item, 'colour'>;
const ITEMS: TableSpec<Item, 'colour'> = { id: (row) => row.id, indexes: { colour: (row) => row.colour } };

const items = (count: number): Items =>
  Array.from({ length: count }, (_, index) => ({
    id: `i${index}`,
    colour: index % 3 ? 'red' : 'blue',
  })).reduce(putRow, createTable(ITEMS));

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

const writing = fc.record({ add: fc.boolean(), which: fc.nat(30) });

test('behaviour I4: while rows are added and removed, paging shows each row that stays exactly once, in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(writing, { maxLength: 40 }),
      fc.boolean(),
      (count, size, writes, filtered) => {
        let table = items(count);
        const removed = new Set<string>();
        const seen: string[] = [];
        const pending = [...writes];
        for (let token: string | undefined = ''; token !== undefined; ) {
          // The rows as an export that is put back has them: with other positions.
          if (seen.length % 2) table = [...allRows(table)].reduce(putRow, createTable(ITEMS));
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
