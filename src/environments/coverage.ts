/** Counts which parts of the contract the calls of an environment have exercised. */
import type { Surface, Surfaces } from '../openapi/members.ts';
import type { OperationId } from '../openapi/types.ts';
import { markNames } from './used.ts';

/** What was seen of one operation. */
export interface Tally {
  calls: number;
  /** How often each status was answered; 0 means that the connection was cut. */
  readonly statuses: Map<number, number>;
  /** Query parameters of the contract that were sent. */
  readonly parameters: Set<string>;
  /** Members of the request body that were sent, as paths: `roles[].name`. */
  readonly members: Set<string>;
}

export interface Coverage {
  /** Runs on every call. @param body parsed */
  record(operation: OperationId, status: number, query: readonly string[], body: unknown): void;
  tallies(): ReadonlyMap<OperationId, Tally>;
  /** Adds what another coverage has seen. */
  add(other: Pick<Coverage, 'tallies'>): void;
  clear(): void;
}

/** Keeps only names of the contract, so its size is bounded. */
export const createCoverage = (surfaces: Surfaces): Coverage => {
  const tallies = new Map<OperationId, Tally>();
  const tallyOf = (operation: OperationId): Tally => {
    const existing = tallies.get(operation);
    if (existing) return existing;
    const tally = {
      calls: 0,
      statuses: new Map(),
      parameters: new Set<string>(),
      members: new Set<string>(),
    };
    tallies.set(operation, tally);
    return tally;
  };
  return {
    record: (operation, status, query, body) => {
      const tally = tallyOf(operation);
      tally.calls += 1;
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
      markSent(tally, surfaces.of(operation), query, body);
    },
    tallies: () => tallies,
    add: (other) => {
      for (const [operation, seen] of other.tallies()) addTally(tallyOf(operation), seen);
    },
    clear: () => tallies.clear(),
  };
};

const markSent = (tally: Tally, surface: Surface, query: readonly string[], body: unknown): void => {
  for (const name of query) if (surface.query.members.has(name)) tally.parameters.add(name);
  if (tally.members.size < surface.members.length) markNames(tally.members, surface.body, body);
};

const addTally = (tally: Tally, seen: Tally): void => {
  tally.calls += seen.calls;
  for (const [status, times] of seen.statuses)
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + times);
  for (const name of seen.parameters) tally.parameters.add(name);
  for (const path of seen.members) tally.members.add(path);
};
