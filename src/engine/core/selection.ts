/** Selects rows of a table, and steps through them in either direction from any position. */
import {
  isList,
  listPositions,
  type Position,
  type PositionSet,
  positionsOf,
  rowAt,
  type Table,
} from './table.ts';

/** The rows of a list, as sets of positions in a table. No position is in two sets. */
export interface Selection<Row> {
  readonly rowAt: (position: Position) => Row;
  readonly idOf: (row: Row) => string;
  /** The position of a row of the table, selected or not. */
  readonly positionOf: (id: string) => Position | undefined;
  readonly sets: readonly PositionSet[];
  /** The order of the list. Default: the order of the table. */
  readonly compare?: Order;
  /** Whether the list begins with the highest position. */
  readonly descending?: boolean;
}

/** The keys to look up, by index. A row is selected if, for each index named here, it has at least one of the keys. */
export type Where<Index extends string> = {
  readonly [Name in Index]?: string | readonly string[] | undefined;
};

/**
 * Selects rows by indexes. Finds rows in the index with the fewest matches, and checks them against the other indexes
 * and the condition. Checks all rows if `where` has no index.
 * @param condition whether a row can be selected
 */
export const select = <Row, Index extends string>(
  table: Table<Row, Index>,
  where: Where<Index>,
  condition?: (row: Row) => boolean,
): Selection<Row> => {
  const filters = (Object.entries(where) as [Index, Where<Index>[Index]][]).flatMap(([index, keys]) =>
    keys === undefined ? [] : [byIndex(table, index, new Set([keys].flat()))],
  );
  const narrowest = filters.toSorted((left, right) => totalSize(left.sets) - totalSize(right.sets))[0];
  const conditions = filters.filter((filter) => filter !== narrowest).map(({ holds }) => holds);
  if (condition) conditions.push(condition);
  const sets = narrowest?.sets ?? [table.rows];
  const isSelected = (row: Row): boolean => conditions.every((holds) => holds(row));
  return {
    rowAt: (position) => rowAt(table, position),
    idOf: table.spec.id,
    positionOf: (id) => table.positions.get(id),
    sets: conditions.length === 0 ? sets : sets.map((set) => findPositions(table, set, isSelected)),
  };
};

const byIndex = <Row, Index extends string>(
  table: Table<Row, Index>,
  index: Index,
  keys: ReadonlySet<string>,
) => ({
  sets: Array.from(keys, (key): PositionSet => positionsOf(table, index, key)),
  holds: (row: Row): boolean => {
    const found = table.spec.indexes[index](row);
    return typeof found === 'string' ? keys.has(found) : (found?.some((key) => keys.has(key)) ?? false);
  },
});

const findPositions = <Row, Index extends string>(
  table: Table<Row, Index>,
  set: PositionSet,
  isSelected: (row: Row) => boolean,
): readonly Position[] => {
  if (set !== table.rows) return listPositions(set).filter((position) => isSelected(rowAt(table, position)));
  // To check all rows, reading them in order is faster than looking up each row by its position.
  const found: Position[] = [];
  for (const [position, row] of table.rows.entries()) if (isSelected(row)) found.push(position);
  return found;
};

export const countSelected = <Row>({ sets }: Selection<Row>): number => totalSize(sets);

const totalSize = (sets: readonly PositionSet[]): number =>
  sets.reduce((sum, set) => sum + (isList(set) ? set.length : set.size), 0);

/** The direction in which a caller pages: `forward` is the order in which the list is shown. */
export type Direction = 'forward' | 'backward';

/** A row, and its position in the table. */
export interface Taken<Row> {
  readonly position: Position;
  readonly row: Row;
}

/** The selected rows that come next after `from` in `direction`, at most `limit`, with their positions. */
export const takeSelected = <Row>(
  { sets, rowAt: read, compare: order = comparePositions, descending = false }: Selection<Row>,
  limit: number,
  direction: Direction,
  from?: Position,
): Taken<Row>[] => {
  const isDown = (direction === 'forward') === descending;
  return sets
    .flatMap((set) => takeFirst(set, limit, order, isDown, from))
    .sort((left, right) => (isDown ? order(right, left) : order(left, right)))
    .slice(0, limit)
    .map((position) => ({ position, row: read(position) }));
};

const takeFirst = (set: PositionSet, limit: number, order: Order, isDown: boolean, from?: Position) => {
  // In the table's order, the loop begins at `from`. In any other order, it must compare every position with `from`.
  const start = order === comparePositions ? from : undefined;
  const taken: Position[] = [];
  for (const position of walk(set, isDown, start)) {
    if (taken.length >= limit) break;
    if (from === undefined || order(position, from) * (isDown ? -1 : 1) > 0) taken.push(position);
  }
  return taken;
};

function* walk(set: PositionSet, isDown: boolean, from?: Position): Generator<Position> {
  if (isList(set)) yield* isDown ? set.toReversed() : set;
  else if (isDown) for (const [position] of set.entriesReversed(from)) yield position;
  else yield* set.keys(from);
}

type Order = (left: Position, right: Position) => number;
const comparePositions: Order = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
