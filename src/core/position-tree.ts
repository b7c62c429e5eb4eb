/**
 * The ordered trees that tables are made of, and what an index has under a key. They are persistent: a clone costs nothing, and
 * shares every node that is not written.
 */
import sorted from 'sorted-btree';

const BTree = sorted.default;

/** What of the package's tree is used, so that the types of this package lead to no other. */
export interface Tree<Key, Value> {
  readonly size: number;
  readonly isEmpty: boolean;
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): boolean;
  setIfNotPresent(key: Key, value: Value): boolean;
  delete(key: Key): boolean;
  clone(): Tree<Key, Value>;
  keysArray(): Key[];
  keys(firstKey?: Key): IterableIterator<Key>;
  values(firstKey?: Key): IterableIterator<Value>;
  entries(lowestKey?: Key): IterableIterator<[Key, Value]>;
  entriesReversed(highestKey?: Key): IterableIterator<[Key, Value]>;
}

/** Where a row stands in its table: the order of insertion, or what the table derives from the row. */
export type Position = number | string;

/** An ordered set of positions. */
export type Positions = Tree<Position, unknown>;

export type IndexKeys = string | readonly string[] | undefined;

/** What an index has under a key: most keys have one row, and a tree for each would be most of a table's memory. */
export type IndexEntry = Position | Positions;

export const newTree = <Key, Value>(): Tree<Key, Value> => new BTree<Key, Value>(undefined, compare);

/** Numbers and texts apart, and equality first: half of what a tree costs is its comparisons. */
const compare = <Key>(left: Key, right: Key): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return left === right ? 0 : left < right ? -1 : 1;
};

/** No positions at all. */
export const EMPTY_POSITIONS: Positions = newTree<Position, unknown>();

/** An index of many rows: its keys are gathered first, so that the tree is filled in order. */
export const fillIndex = <Row>(
  rows: readonly Row[],
  place: (row: Row, nth: number) => Position,
  keysOfRow: (row: Row) => IndexKeys,
): Tree<string, IndexEntry> => {
  const entries = new Map<string, IndexEntry>();
  rows.forEach((row, nth) => {
    const position = place(row, nth);
    for (const key of keysOf(keysOfRow(row))) {
      const before = entries.get(key);
      if (before === undefined) entries.set(key, position);
      else if (typeof before === 'object') before.set(position, undefined);
      else entries.set(key, setOf(before, position));
    }
  });
  return fillTree(entries);
};

export const setOf = (...positions: readonly Position[]): Positions => {
  const set = newTree<Position, unknown>();
  for (const position of positions) set.set(position, undefined);
  return set;
};

/** Filled in order, which costs a fraction of filling it in any other. */
export const fillTree = <Key, Value>(entries: ReadonlyMap<Key, Value>): Tree<Key, Value> => {
  const tree = newTree<Key, Value>();
  for (const key of [...entries.keys()].sort(compare)) tree.set(key, entries.get(key) as Value); // one of its keys
  return tree;
};

const keysOf = (keys: IndexKeys): readonly string[] =>
  keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;

/** Those of `wanted` that are not among `keys`. */
export const keysNotIn = (keys: IndexKeys, wanted: IndexKeys): readonly string[] => {
  if (keys === undefined) return keysOf(wanted);
  const known = keysOf(keys);
  return keysOf(wanted).filter((key) => !known.includes(key));
};
