/**
 * Persistent tables: rows in order, found by id and by secondary indexes, every write sharing what it did not change.
 * An index entry is an ordered set with its own size, so a filtered page and its total cost the same at any table size.
 */
import {
  EMPTY_POSITIONS,
  fillIndex,
  fillTree,
  type IndexEntry,
  type IndexKeys,
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

/** The table that a spec describes. */
export type TableOf<Spec> = Spec extends TableSpec<infer Row, infer Index> ? Table<Row, Index> : never;

export type Entries<Index extends string> = Record<Index, Tree<string, IndexEntry>>;

/** A table of `rows`, in the order given; of rows with one id the last counts. */
export const createTable = <Row, Index extends string>(
  spec: TableSpec<Row, Index>,
  rows: Iterable<Row> = [],
): Table<Row, Index> => {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    if (spec.position) byId.delete(spec.id(row)); // its place is that of the last one
    byId.set(spec.id(row), row);
  }
  const all = [...byId.values()];
  const place = (row: Row, nth: number): Position => spec.position?.(row, nth) ?? nth;
  const rowsByPosition = new Map(all.map((row, nth) => [place(row, nth), row]));
  const positionsById = new Map(all.map((row, nth) => [spec.id(row), place(row, nth)]));
  const names = Object.keys(spec.indexes) as Index[];
  const entries = names.map((name) => [name, fillIndex(all, place, spec.indexes[name])]);
  return {
    spec,
    sequence: all.length,
    rows: fillTree(rowsByPosition),
    positions: fillTree(positionsById),
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
