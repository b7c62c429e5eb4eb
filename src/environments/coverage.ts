/** Counts which parts of the contract the calls of an environment have exercised. */
import type { Surface, Surfaces } from '../openapi/members.ts';
import type { OperationId } from '../openapi/types.ts';
import { markNames } from './used.ts';

/** The parts of one operation that calls have exercised. */
export interface OperationCounts {
  calls: number;
  /** How often each status was answered; 0 means that the connection was cut. */
  readonly statuses: Map<number, number>;
  /** Query parameters of the contract that were sent. */
  readonly parameters: Set<string>;
  /** Members of the request body that were sent, as paths: `roles[].name`. */
  readonly members: Set<string>;
}

export interface Coverage {
  /** Counts a call; runs on every call. @param body parsed */
  record(operation: OperationId, status: number, query: readonly string[], body: unknown): void;
  byOperation(): ReadonlyMap<OperationId, OperationCounts>;
  /** Adds the counts of another coverage. */
  add(other: Pick<Coverage, 'byOperation'>): void;
  clear(): void;
}

/** Keeps only names of the contract, which bounds its size. */
export const createCoverage = (surfaces: Surfaces): Coverage => {
  const byOperation = new Map<OperationId, OperationCounts>();
  const countsOf = (operation: OperationId): OperationCounts => {
    const existing = byOperation.get(operation);
    if (existing) return existing;
    const counts = {
      calls: 0,
      statuses: new Map(),
      parameters: new Set<string>(),
      members: new Set<string>(),
    };
    byOperation.set(operation, counts);
    return counts;
  };
  return {
    record: (operation, status, query, body) => {
      const counts = countsOf(operation);
      counts.calls += 1;
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      markSent(counts, surfaces.of(operation), query, body);
    },
    byOperation: () => byOperation,
    add: (other) => {
      for (const [operation, seen] of other.byOperation()) addCounts(countsOf(operation), seen);
    },
    clear: () => byOperation.clear(),
  };
};

const markSent = (
  counts: OperationCounts,
  surface: Surface,
  query: readonly string[],
  body: unknown,
): void => {
  for (const name of query) if (surface.query.members.has(name)) counts.parameters.add(name);
  if (counts.members.size < surface.members.length) markNames(counts.members, surface.body, body);
};

const addCounts = (counts: OperationCounts, seen: OperationCounts): void => {
  counts.calls += seen.calls;
  for (const [status, times] of seen.statuses)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + times);
  for (const name of seen.parameters) counts.parameters.add(name);
  for (const path of seen.members) counts.members.add(path);
};
