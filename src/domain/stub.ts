/** Answers from the scenario to calls that are not in the contract (behaviour X4). */
import type { StubRow } from './rows.ts';

/**
 * The first stub for a method and path. A stub of GET answers HEAD too.
 * @param path raw, without the query
 */
export const findStub = (rows: Iterable<StubRow>, method: string, path: string): StubRow | undefined => {
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const row of rows) if (row.method === wanted && patternOf(row).test(path)) return row;
  return undefined;
};

const patterns = new WeakMap<StubRow, RegExp>();

/** `{name}` matches one segment, and `/*` at the end matches the rest of the path. */
const patternOf = (row: StubRow): RegExp => {
  const known = patterns.get(row);
  if (known) return known;
  const literal = row.path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${literal.replaceAll(/\{[^/{}]+\}/g, '[^/]+').replace(/\/\\\*$/, '/.*')}$`);
  patterns.set(row, pattern);
  return pattern;
};
