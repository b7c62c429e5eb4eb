/** Changes a table. The result is a new table that shares every unchanged tree node with the old table. */
import {
  type Entries,
  type IndexEntry,
  keysNotIn,
  type Position,
  type Positions,
  setOf,
  type Table,
  type Tree,
} from './table.ts';

/** Adds a row, or replaces the row with the same id in its place. */
export const putRow = <Row, Index extends string>(table: Table<Row, Index>, row: Row): Table<Row, Index> =>
  putRows(table, [row]);

/** Adds or replaces many rows in one pass. */
export const putRows = <Row, Index extends string>(
  table: Table<Row, Index>,
  rows: Iterable<Row>,
): Table<Row, Index> => {
  const writer = startWriter(table);
  for (const row of rows) writer.put(row);
  return writer.finish();
};

export const removeRow = <Row, Index extends string>(
  table: Table<Row, Index>,
  id: string,
): Table<Row, Index> => {
  const writer = startWriter(table);
  writer.remove(id);
  return writer.finish();
};

/** Collects writes to one table; `finish` returns the new table. */
export const startWriter = <Row, Index extends string>(table: Table<Row, Index>) => {
  const { spec } = table;
  const rows = table.rows.clone();
  const positions = table.positions.clone();
  const indexes = startIndexWriter(table);
  let sequence = table.sequence;

  const remove = (id: string): void => {
    const position = positions.get(id);
    if (position === undefined) return;
    indexes.update(rows.get(position), undefined, position);
    rows.delete(position);
    positions.delete(id);
  };
  const write = (before: Row | undefined, after: Row, position: Position): void => {
    indexes.update(before, after, position);
    rows.set(position, after);
    sequence += 1;
  };
  const put = (row: Row): void => {
    const id = spec.id(row);
    const known = positions.get(id);
    const position = spec.position?.(row, sequence) ?? known ?? sequence;
    if (known !== undefined && known !== position) remove(id);
    positions.set(id, position);
    write(known === position ? rows.get(position) : undefined, row, position);
  };
  const putBack = (row: Row, position: Position): void => {
    positions.set(spec.id(row), position);
    write(undefined, row, position);
  };
  const finish = (): Table<Row, Index> => ({ spec, sequence, rows, positions, entries: indexes.entries });
  return {
    put,
    remove,
    /** Puts a removed row back where it stood. */
    putBack,
    finish,
    /** The table as written so far: it shares the trees that later writes change. */
    current: finish(),
  };
};

/** Keeps the indexes in step with the rows. Clones each tree before the first write to it. */
const startIndexWriter = <Row, Index extends string>({ spec, entries: before }: Table<Row, Index>) => {
  const names = Object.keys(spec.indexes) as Index[];
  const entries: Entries<Index> = { ...before };
  const own = new Set<unknown>();

  const ownEntries = (name: Index): Tree<string, IndexEntry> => {
    if (!own.has(entries[name])) {
      entries[name] = entries[name].clone();
      own.add(entries[name]);
    }
    return entries[name];
  };
  const ownPositions = (tree: Tree<string, IndexEntry>, key: string, found: Positions): Positions => {
    if (own.has(found)) return found;
    const mine = found.clone();
    own.add(mine);
    tree.set(key, mine);
    return mine;
  };
  const add = (name: Index, key: string, position: Position): void => {
    const tree = ownEntries(name);
    if (tree.setIfNotPresent(key, position)) return;
    const entry = tree.get(key);
    if (entry === undefined || entry === position) return;
    if (typeof entry === 'object') ownPositions(tree, key, entry).set(position, undefined);
    else tree.set(key, setOf(entry, position));
  };
  const remove = (name: Index, key: string, position: Position): void => {
    const tree = ownEntries(name);
    const entry = tree.get(key);
    if (typeof entry !== 'object') {
      tree.delete(key);
      return;
    }
    const left = ownPositions(tree, key, entry);
    left.delete(position);
    if (left.isEmpty) tree.delete(key);
  };
  const update = (old: Row | undefined, now: Row | undefined, position: Position): void => {
    for (const name of names) {
      const oldKeys = old && spec.indexes[name](old);
      const newKeys = now && spec.indexes[name](now);
      if (oldKeys === newKeys) continue; // almost always the case when a row is replaced
      for (const key of keysNotIn(newKeys, oldKeys)) remove(name, key, position);
      for (const key of keysNotIn(oldKeys, newKeys)) add(name, key, position);
    }
  };
  return { entries, update };
};
