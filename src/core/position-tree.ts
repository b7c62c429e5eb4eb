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

/** The place of a row in its table: the order of insertion, or what the table derives from the row. */
export type Position = number | string;

/** An ordered set of positions. */
export type Positions = Tree<Position, unknown>;

export type IndexKeys = string | readonly string[] | undefined;

/** What an index has under a key: most keys have one row, and a tree for each would be most of a table's memory. */
export type IndexEntry = Position | Positions;

export const newTree = <Key, Value>(): Tree<Key, Value> => new BTree<Key, Value>(undefined, compare);

/** Numbers and texts apart, and equality first, since comparisons are half of a tree's cost. */
const compare = <Key>(left: Key, right: Key): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return left === right ? 0 : left < right ? -1 : 1;
};

/** No positions at all. */
export const EMPTY_POSITIONS: Positions = newTree<Position, unknown>();

export const setOf = (...positions: readonly Position[]): Positions => {
  const set = newTree<Position, unknown>();
  for (const position of positions) set.set(position, undefined);
  return set;
};

const keysOf = (keys: IndexKeys): readonly string[] =>
  keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;

export const keysNotIn = (keys: IndexKeys, wanted: IndexKeys): readonly string[] => {
  if (keys === undefined) return keysOf(wanted);
  const known = new Set(keysOf(keys));
  return keysOf(wanted).filter((key) => !known.has(key));
};
