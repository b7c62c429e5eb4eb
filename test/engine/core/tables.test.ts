import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  allRows,
  countSelected,
  createTable,
  getRow,
  putRow,
  putRows,
  removeRow,
  rowsBy,
  select,
  type Table,
  type TableSpec,
  takeSelected,
} from '../../../src/engine/core/table.ts';

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
      let table = putRows(createTable(BY_AUTHOR), first);
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
        const selection = select(putRows(createTable(CARDS), rows), { suit: suits, rank: ranks }, isEven);
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
      const selection = select(putRows(createTable(CARDS), rows), { suit: ['hearts', 'clubs'] });
      const all = takeSelected(selection, 1_000, 'forward');
      const direction = down ? 'backward' : 'forward';
      const beyond = all.filter(({ position }) => (down ? Number(position) < from : Number(position) > from));
      expect(takeSelected(selection, 3, direction, from)).toEqual(
        (down ? beyond.toReversed() : beyond).slice(0, 3),
      );
    }),
  );
});
