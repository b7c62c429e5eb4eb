/**
 * Persistent tables: rows in order, found by id and by secondary indexes, every write sharing what it did not change.
 * An index entry is an ordered set with its own size, so a filtered page and its total cost the same at any table size.
 */
import {
  EMPTY_POSITIONS,
  type IndexEntry,
  type IndexKeys,
  newTree,
  type Position,
  type Positions,
  setOf,
  type Tree,
} from './position-tree.ts';

export interface TableSpec<Row, Index extends string = never> {
  readonly id: (row: Row) => string;
  /** The order of rows; by default the order of insertion. */
  readonly position?: (row: Row, sequence: number) => Position;
  /** What a row is found by: no key, one, or several. */
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
    entries: Object.fromEntries(entries) as Entries<Index>, // of the names that are the type's
  };
};

export const getRow = <Row, Index extends string>(table: Table<Row, Index>, id: string): Row | undefined => {
  const position = table.positions.get(id);
  return position === undefined ? undefined : table.rows.get(position);
};

/** All rows, in order. */
export const allRows = <Row, Index extends string>(table: Table<Row, Index>): IterableIterator<Row> =>
  table.rows.values();

/** The positions that an index has under a key. */
export const positionsOf = <Row, Index extends string>(
  table: Table<Row, Index>,
  index: Index,
  key: string,
): Positions => {
  const entry = table.entries[index].get(key);
  if (entry === undefined) return EMPTY_POSITIONS;
  return typeof entry === 'object' ? entry : setOf(entry);
};

/** The rows that an index has under a key, in order. */
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

/** The row at a position that the table or one of its indexes gave. */
export const rowAt = <Row, Index extends string>(table: Table<Row, Index>, position: Position): Row =>
  table.rows.get(position) as Row;
