/**
 * Immutable tables: rows in order, found by id and by secondary indexes. A write creates a new table, which shares all
 * unchanged parts with the old one. An index entry is an ordered set that knows its size, so a filtered page and its
 * total cost the same at any table size. A selection is the rows of a list, through which a page steps in either direction.
 */
import sorted from 'sorted-btree';

export interface TableSpec<Row, Index extends string = never> {
  readonly id: (row: Row) => string;
  /** The position of a row, which decides the order of rows. Default: the order of insertion. */
  readonly position?: (row: Row, sequence: number) => Position;
  /** For each index, the keys under which it finds a row: none, one, or several. */
  readonly indexes: Readonly<Record<Index, (row: Row) => IndexKeys>>;
}

export interface Table<Row, Index extends string = never> {
  readonly spec: TableSpec<Row, Index>;
  readonly sequence: number;
  readonly rows: Tree<Position, Row>;
  readonly positions: Tree<string, Position>;
  readonly entries: Readonly<Entries<Index>>;
}

type Entries<Index extends string> = Record<Index, Tree<string, IndexEntry>>;

export const createTable = <Row, Index extends string>(spec: TableSpec<Row, Index>): Table<Row, Index> => {
  const entries = {} as Entries<Index>;
  for (const name of indexesOf(spec)) entries[name] = newTree();
  return { spec, sequence: 0, rows: newTree(), positions: newTree(), entries };
};

const indexesOf = <Index extends string>({ indexes }: Pick<TableSpec<never, Index>, 'indexes'>) =>
  Object.keys(indexes) as Index[];

export const getRow = <Row, Index extends string>(table: Table<Row, Index>, id: string): Row | undefined => {
  const position = table.positions.get(id);
  return position === undefined ? undefined : table.rows.get(position);
};

export const allRows = <Row, Index extends string>(table: Table<Row, Index>): IterableIterator<Row> =>
  table.rows.values();

/** The positions of the rows that an index lists under a key. */
const positionsOf = <Index extends string>(entries: Entries<Index>, index: Index, key: string) => {
  const entry = entries[index].get(key) ?? [];
  return typeof entry === 'object' ? entry : [entry];
};

/** The rows that an index lists under a key, in order. */
export const rowsBy = <Row, Index extends string>(table: Table<Row, Index>, index: Index, key: string) =>
  listPositions(positionsOf(table.entries, index, key)).map((position) => rowAt(table, position));

/** The row at a position. The table must have a row there. */
const rowAt = <Row>({ rows }: Pick<Table<Row>, 'rows'>, position: Position): Row => rows.get(position) as Row;

/** The members of `sorted-btree` that we use; declared here, so that our published types need no other package. */
export interface Tree<Key, Value> {
  readonly size: number;
  readonly isEmpty: boolean;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): boolean;
  setIfNotPresent(key: Key, value: Value): boolean;
  delete(key: Key): boolean;
  clone(): Tree<Key, Value>;
  keysArray(): Key[];
  keys(firstKey?: Key): IterableIterator<Key>;
  values(): IterableIterator<Value>;
  entries(): IterableIterator<[Key, Value]>;
  entriesReversed(highestKey?: Key): IterableIterator<[Key, Value]>;
}

/** The place of a row in its table: its number in the order of insertion, or what `TableSpec.position` returns. */
export type Position = number | string;

type Positions = Tree<Position, unknown>;

/** Positions in ascending order: the keys of a tree; or a list, which can also be in the order of its selection. */
type PositionSet = Positions | readonly Position[];

const isList = (set: PositionSet): set is readonly Position[] => Array.isArray(set);

export const listPositions = (set: PositionSet): readonly Position[] => (isList(set) ? set : set.keysArray());

type IndexKeys = string | readonly string[] | undefined;

/** The positions of all rows with one key. Most keys have one row: storing its position without a tree saves memory. */
type IndexEntry = Position | Positions;

const newTree = <Key, Value>(entries?: [Key, Value][]): Tree<Key, Value> =>
  new sorted.default<Key, Value>(entries, compare);

/** Checks for numbers first, since most keys are numbers and trees spend half of their time in this function. */
const compare = <Key>(left: Key, right: Key): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return left === right ? 0 : left < right ? -1 : 1;
};

const keysOf = (keys: IndexKeys): readonly string[] =>
  keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;

const keysNotIn = (keys: IndexKeys, wanted: IndexKeys): readonly string[] => {
  const known = keysOf(keys);
  return keysOf(wanted).filter((key) => !known.includes(key));
};

/** Adds a row. If a row has the same id, the new row takes its place. */
export const putRow = <Row, Index extends string>(before: Table<Row, Index>, row: Row) => {
  const { table, put } = startWriter(before);
  put(row);
  return table;
};

export const removeRow = <Row, Index extends string>(before: Table<Row, Index>, id: string) => {
  const { table, remove } = startWriter(before);
  remove(id);
  return table;
};

/** Writes to a copy of a table. Its `table` changes with each write, and is immutable only after the last one. */
export const startWriter = <Row, Index extends string>(before: Table<Row, Index>) => {
  const { spec } = before;
  const { entries, update } = startIndexWriter(before);
  const [rows, positions] = [before.rows.clone(), before.positions.clone()];
  const table = { ...before, rows, positions, entries };
  const remove = (id: string): void => {
    const position = positions.get(id);
    if (position === undefined) return;
    update(rows.get(position), undefined, position);
    rows.delete(position);
    positions.delete(id);
  };
  const put = (row: Row): void => {
    const id = spec.id(row);
    const known = positions.get(id);
    const position = spec.position?.(row, table.sequence) ?? known ?? table.sequence;
    if (known !== position) {
      if (known !== undefined) remove(id);
      positions.set(id, position);
    }
    update(known === position ? rows.get(position) : undefined, row, position);
    rows.set(position, row);
    table.sequence += 1;
  };
  return { table, put, remove };
};

/** Keeps copies of the indexes in step with the rows. */
const startIndexWriter = <Row, Index extends string>({ spec, entries: before }: Table<Row, Index>) => {
  const names = indexesOf(spec);
  const entries: Entries<Index> = { ...before };
  for (const name of names) entries[name] = before[name].clone();
  const update = (old: Row | undefined, now: Row | undefined, position: Position): void => {
    for (const name of names) {
      const [from, to] = [old && spec.indexes[name](old), now && spec.indexes[name](now)];
      if (from === to) continue; // a shortcut: the new version of a row usually has the same keys
      for (const key of keysNotIn(to, from)) writeEntry(entries[name], key, position, false);
      for (const key of keysNotIn(from, to)) writeEntry(entries[name], key, position, true);
    }
  };
  return { entries, update };
};

/** Adds a position to what an index has under a key, or removes it. The set there belongs to earlier tables too. */
const writeEntry = (tree: Tree<string, IndexEntry>, key: string, position: Position, adds: boolean) => {
  if (adds && tree.setIfNotPresent(key, position)) return;
  const entry = tree.get(key);
  if (entry === undefined || (entry === position && adds)) return;
  const set: Positions = typeof entry === 'object' ? entry.clone() : newTree([[entry, undefined]]);
  if (adds) set.set(position, undefined);
  else set.delete(position);
  if (set.isEmpty) tree.delete(key);
  else tree.set(key, set);
};

/** The rows of a list, as sets of positions in a table. No position is in two sets. */
export interface Selection<Row> {
  readonly table: Table<Row, string>;
  readonly sets: readonly PositionSet[];
  /** The order of the list; each set is a list in this order. Default: the order of the table. */
  readonly compare?: Order;
}

/**
 * Selects rows by indexes. Finds rows in the index with the fewest matches, and checks them against the other indexes
 * and the condition. Checks all rows if `where` has no index.
 * @param where a row has at least one of the keys of each index that is named here
 */
export const select = <Row, Index extends string>(
  table: Table<Row, Index>,
  where: { readonly [Name in Index]?: IndexKeys },
  condition?: (row: Row) => boolean,
): Selection<Row> => {
  const filters = (Object.entries(where) as [Index, IndexKeys][]).flatMap(([index, keys]) => {
    if (keys === undefined) return [];
    const wanted = new Set([keys].flat());
    const holds = (row: Row) => keysOf(table.spec.indexes[index](row)).some((key) => wanted.has(key));
    return [{ sets: Array.from(wanted, (key) => positionsOf(table.entries, index, key)), holds }];
  });
  const [narrowest, ...others] = filters.toSorted(
    (left, right) => countSelected(left) - countSelected(right),
  );
  const conditions = [...others.map(({ holds }) => holds), ...(condition ? [condition] : [])];
  const sets = narrowest?.sets ?? [table.rows];
  const isSelected = (row: Row): boolean => conditions.every((holds) => holds(row));
  return {
    table: table as unknown as Table<Row, string>, // the cast is safe: a selection does not use the indexes
    sets: conditions.length === 0 ? sets : sets.map((set) => findPositions(table, set, isSelected)),
  };
};

const findPositions = <Row>(
  table: Pick<Table<Row>, 'rows'>,
  set: PositionSet,
  isSelected: (row: Row) => boolean,
): readonly Position[] => {
  if (set !== table.rows) return listPositions(set).filter((position) => isSelected(rowAt(table, position)));
  // To check all rows, reading them in order is faster than looking up each row by its position.
  const found: Position[] = [];
  for (const [position, row] of table.rows.entries()) if (isSelected(row)) found.push(position);
  return found;
};

export const countSelected = ({ sets }: Pick<Selection<unknown>, 'sets'>): number =>
  sets.reduce((sum, set) => sum + (isList(set) ? set.length : set.size), 0);

/** The direction in which a caller pages: `forward` is the order in which the list is shown. */
export type Direction = 'forward' | 'backward';

/** The selected rows that come next after `from` in `direction`, at most `limit`, with their positions. */
export const takeSelected = <Row>(
  { table, sets, compare: inList = compare }: Selection<Row>,
  limit: number,
  direction: Direction,
  from?: Position,
) => {
  const order: Order = direction === 'forward' ? inList : (left, right) => inList(right, left);
  const takeFirst = (set: PositionSet): readonly Position[] => {
    const taken: Position[] = [];
    // A tree is in the table's order, so the loop begins at `from`. In a list it must compare each position with `from`.
    for (const position of walk(set, direction, from)) {
      if (taken.length >= limit) break;
      if (from === undefined || order(position, from) > 0) taken.push(position);
    }
    return taken;
  };
  return sets
    .flatMap(takeFirst)
    .sort(order)
    .slice(0, limit)
    .map((position) => ({ position, row: rowAt(table, position) }));
};

function* walk(set: PositionSet, direction: Direction, from?: Position): Generator<Position> {
  if (isList(set)) yield* direction === 'forward' ? set : set.toReversed();
  else if (direction === 'forward') yield* set.keys(from);
  else for (const [position] of set.entriesReversed(from)) yield position;
}

type Order = (left: Position, right: Position) => number;
