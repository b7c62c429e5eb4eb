/** Changing a table: every tree that is written to is a clone of its own, which shares what is not. */
import { type Held, missingFrom, type Position, type Positions, setOf, type Tree } from './position-tree.ts';
import type { Entries, Table } from './table.ts';

/** A table being changed: its trees are clones that share every node not yet written. */
export const startDraft = <Row, Index extends string>(table: Table<Row, Index>) => {
  const { spec } = table;
  const names = Object.keys(spec.indexes) as Index[];
  const rows = table.rows.clone();
  const positions = table.positions.clone();
  const entries: Entries<Index> = { ...table.entries };
  const own = new Set<unknown>();
  let sequence = table.sequence;

  const ownEntry = (name: Index): Tree<string, Held> => {
    if (!own.has(entries[name])) {
      entries[name] = entries[name].clone();
      own.add(entries[name]);
    }
    return entries[name];
  };
  const ownPositions = (entry: Tree<string, Held>, key: string, found: Positions): Positions => {
    if (own.has(found)) return found;
    const mine = found.clone();
    own.add(mine);
    entry.set(key, mine);
    return mine;
  };
  const index = (name: Index, key: string, position: Position): void => {
    const entry = ownEntry(name);
    if (entry.setIfNotPresent(key, position)) return;
    const held = entry.get(key);
    if (held === undefined || held === position) return;
    if (typeof held === 'object') ownPositions(entry, key, held).set(position, undefined);
    else entry.set(key, setOf(held, position));
  };
  const unindex = (name: Index, key: string, position: Position): void => {
    const entry = ownEntry(name);
    const held = entry.get(key);
    if (typeof held !== 'object') {
      entry.delete(key);
      return;
    }
    const left = ownPositions(entry, key, held);
    left.delete(position);
    if (left.isEmpty) entry.delete(key);
  };
  const reindex = (before: Row | undefined, after: Row | undefined, position: Position): void => {
    for (const name of names) {
      const old = before && spec.indexes[name](before);
      const now = after && spec.indexes[name](after);
      if (old === now) continue; // the rule for almost every index of a row that is replaced
      for (const key of missingFrom(now, old)) unindex(name, key, position);
      for (const key of missingFrom(old, now)) index(name, key, position);
    }
  };
  const remove = (id: string): void => {
    const position = positions.get(id);
    if (position === undefined) return;
    reindex(rows.get(position), undefined, position);
    rows.delete(position);
    positions.delete(id);
  };
  const write = (before: Row | undefined, after: Row, position: Position): void => {
    reindex(before, after, position);
    rows.set(position, after);
    sequence += 1;
  };
  const add = (row: Row): void => {
    const position = spec.position?.(row, sequence) ?? sequence;
    if (positions.setIfNotPresent(spec.id(row), position)) write(undefined, row, position);
    else put(row);
  };
  const put = (row: Row): void => {
    const id = spec.id(row);
    const held = positions.get(id);
    if (held !== undefined && held === (spec.position?.(row, sequence) ?? held)) {
      write(rows.get(held), row, held);
      return;
    }
    if (held !== undefined) remove(id);
    add(row);
  };
  const finish = (): Table<Row, Index> => ({
    spec,
    sequence,
    rows,
    positions,
    entries,
    lineage: table.lineage,
  });
  return { add, put, remove, finish };
};
