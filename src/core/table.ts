/**
 * Persistent tables: rows in order, found by id and by secondary indexes. A new table shares with the old one
 * everything that the write did not change. An index entry is an ordered set that knows its size, so a filtered page
 * and its total cost the same at any table size.
 */
import sorted from 'sorted-btree';

export interface TableSpec<Row, Index extends string = never> {
  readonly id: (row: Row) => string;
  /** The order of rows; by default the order of insertion. */
  readonly position?: (row: Row, sequence: number) => Position;
  /** The keys under which each index finds a row: none, one, or several. */
  readonly indexes: Readonly<Record<Index, (row: Row) => IndexKeys>>;
}

export interface Table<Row, Index extends string = never> {
  readonly spec: TableSpec<Row, Index>;
  readonly sequence: number;
  readonly rows: Tree<Position, Row>;
  readonly positions: Tree<string, Position>;
  readonly entries: Readonly<Entries<Index>>;
}

export type Entries<Index extends string> = Record<Index, Tree<string, IndexEntry>>;

/** A table without rows. */
export const createTable = <Row, Index extends string>(spec: TableSpec<Row, Index>): Table<Row, Index> => {
  const names = Object.keys(spec.indexes) as Index[];
  const entries = names.map((name) => [name, newTree<string, IndexEntry>()]);
  return {
    spec,
    sequence: 0,
    rows: newTree(),
    positions: newTree(),
    entries: Object.fromEntries(entries) as Entries<Index>, // the names are the type's
  };
};

export const getRow = <Row, Index extends string>(table: Table<Row, Index>, id: string): Row | undefined => {
  const position = table.positions.get(id);
  return position === undefined ? undefined : table.rows.get(position);
};

/** All rows, in order. */
export const allRows = <Row, Index extends string>(table: Table<Row, Index>): IterableIterator<Row> =>
  table.rows.values();

/** The positions of the rows that an index lists under a key. */
export const positionsOf = <Row, Index extends string>(
  table: Table<Row, Index>,
  index: Index,
  key: string,
): Positions => {
  const entry = table.entries[index].get(key);
  if (entry === undefined) return EMPTY_POSITIONS;
  return typeof entry === 'object' ? entry : setOf(entry);
};

/** The rows that an index lists under a key, in order. */
export const rowsBy = <Row, Index extends string>(
  table: Table<Row, Index>,
  index: Index,
  key: string,
): Row[] => {
  const entry = table.entries[index].get(key);
  if (entry === undefined) return [];
  return typeof entry === 'object'
    ? entry.keysArray().map((position) => rowAt(table, position))
    : [rowAt(table, entry)];
};

/** The row at a position, which must come from the table or one of its indexes. */
export const rowAt = <Row, Index extends string>(table: Table<Row, Index>, position: Position): Row =>
  table.rows.get(position) as Row;

const BTree = sorted.default;

/** The members of `sorted-btree` that we use, declared here so that our published types need no other package. */
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

/**
 * The place of a row in its table: a number in the order of insertion, or a text that the table derives from the row.
 */
export type Position = number | string;

/** An ordered set of positions. */
export type Positions = Tree<Position, unknown>;

export type IndexKeys = string | readonly string[] | undefined;

/** An index entry. Most keys have one row, kept as its bare position: a tree for each would take most of the memory. */
export type IndexEntry = Position | Positions;

export const newTree = <Key, Value>(): Tree<Key, Value> => new BTree<Key, Value>(undefined, compare);

/** Handles numbers first, then equal texts, since comparisons are half of a tree's cost. */
const compare = <Key>(left: Key, right: Key): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return left === right ? 0 : left < right ? -1 : 1;
};

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
