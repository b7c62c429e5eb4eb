/**
 * Persistent tables: rows in order, found by id and by secondary indexes, every write sharing what it did not change.
 * An index entry is an ordered set with its own size, so a filtered page and its total cost the same at any table size.
 */
import difference from 'sorted-btree/extended/diffAgainst.js';
import { startDraft } from './draft.ts';
import {
  fillIndex,
  fillTree,
  type Held,
  type IndexKeys,
  NOWHERE,
  type Position,
  type Positions,
  setOf,
  type Tree,
} from './position-tree.ts';

const diffAgainst = difference.default;

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
  /** The same for all tables that grew from one: what was derived of one need only be brought up to date for another. */
  readonly lineage: object;
}

export type Entries<Index extends string> = Record<Index, Tree<string, Held>>;

/** A table that holds `rows`, in the order given; of rows with one id the last counts. */
export const createTable = <Row, Index extends string>(
  spec: TableSpec<Row, Index>,
  rows: Iterable<Row> = [],
): Table<Row, Index> => {
  const all = [...rows];
  const place = (row: Row, nth: number): Position => spec.position?.(row, nth) ?? nth;
  const rowsByPosition = new Map<Position, Row>();
  const positionsById = new Map<string, Position>();
  all.forEach((row, nth) => {
    rowsByPosition.set(place(row, nth), row);
    positionsById.set(spec.id(row), place(row, nth));
  });
  if (positionsById.size < all.length) return putRows(createTable(spec), all);
  const names = Object.keys(spec.indexes) as Index[];
  const entries = names.map((name) => [name, fillIndex(all, place, spec.indexes[name])]);
  return {
    spec,
    sequence: all.length,
    rows: fillTree(rowsByPosition),
    positions: fillTree(positionsById),
    entries: Object.fromEntries(entries) as Entries<Index>, // of the names that are the type's
    lineage: {},
  };
};

export const getRow = <Row, Index extends string>(table: Table<Row, Index>, id: string): Row | undefined => {
  const position = table.positions.get(id);
  return position === undefined ? undefined : table.rows.get(position);
};

/** All rows, in order. */
export const allRows = <Row, Index extends string>(table: Table<Row, Index>): IterableIterator<Row> =>
  table.rows.values();

/** The positions that an index holds under a key. */
export const positionsOf = <Row, Index extends string>(
  table: Table<Row, Index>,
  index: Index,
  key: string,
): Positions => {
  const held = table.entries[index].get(key);
  if (held === undefined) return NOWHERE;
  return typeof held === 'object' ? held : setOf(held);
};

/** The rows that an index holds under a key, in order. */
export const rowsBy = <Row, Index extends string>(
  table: Table<Row, Index>,
  index: Index,
  key: string,
): Row[] => {
  const held = table.entries[index].get(key);
  if (held === undefined) return [];
  return typeof held === 'object'
    ? held.keysArray().map((position) => rowAt(table, position))
    : [rowAt(table, held)];
};

/** The row at a position that the table or one of its indexes gave. */
export const rowAt = <Row, Index extends string>(table: Table<Row, Index>, position: Position): Row =>
  table.rows.get(position) as Row;

/**
 * Where two tables of one lineage hold different rows, in no order. Costs what was written between them, not what they hold.
 * @param differs whether two rows at one position count as different
 */
export const differingPositions = <Row, Index extends string>(
  before: Table<Row, Index>,
  after: Table<Row, Index>,
  differs: (before: Row, after: Row) => boolean,
): Position[] => {
  const found: Position[] = [];
  const add = (position: Position): void => {
    found.push(position);
  };
  diffAgainst(before.rows, after.rows, add, add, (position, old, now) => {
    if (differs(old, now)) found.push(position);
  });
  return found;
};

/** Adds a row, or replaces the one with its id where it stands. */
export const putRow = <Row, Index extends string>(table: Table<Row, Index>, row: Row): Table<Row, Index> =>
  putRows(table, [row]);

/** `putRow` for a row that should be new: told so, it walks the trees once less. */
export const addRow = <Row, Index extends string>(table: Table<Row, Index>, row: Row): Table<Row, Index> => {
  const draft = startDraft(table);
  draft.add(row);
  return draft.finish();
};

/** Adds or replaces many rows at the cost of one pass. */
export const putRows = <Row, Index extends string>(
  table: Table<Row, Index>,
  rows: Iterable<Row>,
): Table<Row, Index> => {
  const draft = startDraft(table);
  for (const row of rows) draft.put(row);
  return draft.finish();
};

export const removeRow = <Row, Index extends string>(
  table: Table<Row, Index>,
  id: string,
): Table<Row, Index> => {
  const draft = startDraft(table);
  draft.remove(id);
  return draft.finish();
};
