/** Selects the rows of a list from a table, and walks them in either direction from any position. */
import { type Position, positionsOf, rowAt, type Table } from './table.ts';

/** The part of a table's trees that a selection uses. */
export interface OrderedPositions {
  readonly size: number;
  /** The positions upwards from `low`, or from the lowest. */
  keys(low?: Position): IterableIterator<Position>;
  /** The positions downwards from `high`, or from the highest. */
  entriesReversed(high?: Position): IterableIterator<readonly [Position, ...unknown[]]>;
}

/** A range of positions in an index entry or the whole table. */
export interface Range {
  readonly positions: OrderedPositions;
  /** Inclusive. */
  readonly low?: Position;
  /** Exclusive. */
  readonly high?: Position;
}

/** The rows of a list: the rows at the positions in some ranges, which do not overlap. */
export interface Selection<Row> {
  readonly rowAt: (position: Position) => Row;
  readonly ranges: readonly Range[];
  /** The order of positions of different ranges. Default: the order of the positions. */
  readonly compare?: Order;
  /** Whether the last position comes first. */
  readonly descending?: boolean;
}

/** The keys that a row may have, by index. For each index given, the row must have one of them. */
export type Where<Index extends string> = {
  readonly [Name in Index]?: string | readonly string[] | undefined;
};

/** A filter by one index. */
interface Filter<Row> {
  readonly ranges: readonly Range[];
  /** Whether a row is in one of the ranges. */
  readonly holds: (row: Row) => boolean;
}

/**
 * Selects rows by indexes. With more than one index, or with a condition, it goes through the rows of the smallest
 * index entry once, to count the matching rows and to collect a page of them.
 * @param condition must hold for every row, in addition to the indexes
 */
export const select = <Row, Index extends string>(
  table: Table<Row, Index>,
  where: Where<Index>,
  condition?: (row: Row) => boolean,
): Selection<Row> => {
  const filters = (Object.entries(where) as [Index, Where<Index>[Index]][]).flatMap(([index, keys]) =>
    keys === undefined ? [] : [byIndex(table, index, new Set([keys].flat()))],
  );
  const narrowest = filters.toSorted((left, right) => sizeOf(left.ranges) - sizeOf(right.ranges))[0];
  const conditions = filters.filter((filter) => filter !== narrowest).map(({ holds }) => holds);
  if (condition) conditions.push(condition);
  const ranges = narrowest?.ranges ?? [{ positions: table.rows }];
  const isSelected = (row: Row): boolean => conditions.every((holds) => holds(row));
  return {
    rowAt: (position) => rowAt(table, position),
    ranges:
      conditions.length === 0
        ? ranges
        : ranges.map(({ positions }) => ({ positions: findPositions(table, positions, isSelected) })),
  };
};

const findPositions = <Row, Index extends string>(
  table: Table<Row, Index>,
  positions: OrderedPositions,
  isSelected: (row: Row) => boolean,
): OrderedPositions => {
  if (positions !== table.rows)
    return inOrder([...positions.keys()].filter((position) => isSelected(rowAt(table, position))));
  // A walk through the whole table is faster than looking up each row.
  const found: Position[] = [];
  for (const [position, row] of table.rows.entries()) if (isSelected(row)) found.push(position);
  return inOrder(found);
};

const inOrder = (positions: readonly Position[]): OrderedPositions => ({
  size: positions.length,
  keys: (low) => (low === undefined ? positions : positions.filter((position) => position >= low)).values(),
  entriesReversed: (high) =>
    positions
      .filter((position) => high === undefined || position <= high)
      .reverse()
      .map((position) => [position] as const)
      .values(),
});

/** The number of selected rows. Ranges without bounds know their size and need no counting. */
export const countSelected = <Row>({ ranges }: Selection<Row>): number => {
  if (ranges.every(isWhole)) return sizeOf(ranges);
  let count = 0;
  for (const range of ranges) for (const _ of walkRange(range, comparePositions)) count += 1;
  return count;
};

/** Up to `limit` selected rows with their positions, beyond `from` in the given direction of reading. */
export const takeSelected = <Row>(
  { ranges, rowAt: read, compare: order = comparePositions, descending = false }: Selection<Row>,
  limit: number,
  direction: Direction,
  from?: Position,
): { position: Position; row: Row }[] => {
  const isDown = (direction === 'forward') === descending;
  return ranges
    .flatMap((range) => takeFirst(walkRange(range, order, isDown, from), limit))
    .sort((left, right) => (isDown ? order(right, left) : order(left, right)))
    .slice(0, limit)
    .map((position) => ({ position, row: read(position) }));
};

const takeFirst = (positions: Iterable<Position>, limit: number): Position[] => {
  const taken: Position[] = [];
  if (limit === 0) return taken;
  for (const position of positions) if (taken.push(position) === limit) break;
  return taken;
};

/** The direction of reading: `forward` is the order in which the list is shown. */
export type Direction = 'forward' | 'backward';

function* walkRange(range: Range, order: Order, isDown = false, from?: Position): Generator<Position> {
  const { positions, low, high } = range;
  const isBelow = (position: Position): boolean => low !== undefined && position < low;
  const isAbove = (position: Position): boolean => high !== undefined && position >= high;
  const [isYetToCome, isOver] = isDown ? [isAbove, isBelow] : [isBelow, isAbove];
  const isAfterFrom = (position: Position): boolean =>
    from === undefined || (isDown ? order(position, from) < 0 : order(position, from) > 0);
  // The walk can begin at `from` only if it follows the order of the positions themselves.
  const start = from !== undefined && order === comparePositions ? from : isDown ? high : low;
  for (const position of isDown ? keysDown(positions, start) : positions.keys(start)) {
    if (isOver(position)) return;
    if (!isYetToCome(position) && isAfterFrom(position)) yield position;
  }
}

function* keysDown(positions: OrderedPositions, from?: Position): Generator<Position> {
  for (const [position] of positions.entriesReversed(from)) yield position;
}

type Order = (left: Position, right: Position) => number;
const comparePositions: Order = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

const isWhole = (range: Range): boolean => range.low === undefined && range.high === undefined;
const sizeOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, range) => sum + range.positions.size, 0);

const byIndex = <Row, Index extends string>(
  table: Table<Row, Index>,
  index: Index,
  keys: ReadonlySet<string>,
): Filter<Row> => ({
  ranges: [...keys].map((key) => ({ positions: positionsOf(table, index, key) })),
  holds: (row) => {
    const found = table.spec.indexes[index](row);
    return typeof found === 'string' ? keys.has(found) : (found?.some((key) => keys.has(key)) ?? false);
  },
});
