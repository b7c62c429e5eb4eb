/** Answers to what lies beside the contract, as a scenario gives them (behaviour X4). */
import type { StubRow } from './rows.ts';

/** The first stub of a method and path. A stub of GET answers HEAD too. @param path raw, without the query */
export const findStub = (rows: Iterable<StubRow>, method: string, path: string): StubRow | undefined => {
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const row of rows) if (row.method === wanted && patternOf(row).test(path)) return row;
  return undefined;
};

const patterns = new WeakMap<StubRow, RegExp>();

/** `{name}` is one segment, and `/*` at the end any rest. */
const patternOf = (row: StubRow): RegExp => {
  const known = patterns.get(row);
  if (known) return known;
  const literal = row.path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${literal.replaceAll(/\{[^/{}]+\}/g, '[^/]+').replace(/\/\\\*$/, '/.*')}$`);
  patterns.set(row, pattern);
  return pattern;
};
