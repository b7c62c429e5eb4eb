import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countSelected, select, takeSelected } from '../../../src/engine/core/selection.ts';
import { createTable, putRows, type TableSpec } from '../../../src/engine/core/table.ts';

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
      fc.option(fc.uniqueArray(suit), { nil: undefined }),
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

test('a key that is given twice selects its rows once', () => {
  const table = putRows(createTable(CARDS), [{ id: 'a', suit: 'clubs', rank: 1 }]);
  expect(countSelected(select(table, { suit: ['clubs', 'clubs'] }))).toBe(1);
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

test('a row with no key or several keys in an index is found only by the filters that it matches', () => {
  interface Book {
    readonly id: string;
    readonly author?: string;
    readonly topics: readonly string[];
  }
  const spec: TableSpec<Book, 'author' | 'topic'> = {
    id: (row) => row.id,
    indexes: { author: (row) => row.author, topic: (row) => row.topics },
  };
  const table = putRows(createTable(spec), [
    { id: 'a', author: 'Ada', topics: ['logic', 'poetry'] },
    { id: 'b', topics: ['poetry'] },
    { id: 'c', author: 'Ada', topics: ['engines'] },
    { id: 'd', author: 'Ada', topics: [] },
  ]);
  const idsOf = (where: { author?: string; topic?: string }) =>
    takeSelected(select(table, where), 10, 'forward').map(({ row }) => row.id);
  expect(idsOf({ author: 'Ada', topic: 'poetry' })).toEqual(['a']);
  expect(idsOf({ author: 'Ada', topic: 'engines' })).toEqual(['c']);
  expect(idsOf({ topic: 'poetry' })).toEqual(['a', 'b']);
});
