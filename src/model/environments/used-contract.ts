/**
 * What an environment's calls have used of the contract: the coverage, and the names that were sent and received.
 * Stores only names from the contract, which limits the size and leaks no data.
 */

import type { Surfaces } from '../../contract/surfaces.ts';
import type { OperationId } from '../../contract/types.ts';
import {
  addAll,
  addNames,
  getOrMake,
  markNames,
  newSet,
  recordNames,
  type UsedCall,
  type UsedNames,
} from './used-names.ts';

/** The coverage of one operation. */
export interface OperationCounts {
  calls: number;
  /** The number of replies with each status; status 0 stands for a cut connection. */
  readonly statuses: Map<number, number>;
  /** Query parameters that were sent. */
  readonly parameters: Set<string>;
  /** Members of the request body that were sent, as paths such as `roles[].name`. */
  readonly members: Set<string>;
}

export class UsedContract {
  readonly coverage = new Map<OperationId, OperationCounts>();
  /** Never cleared: a report of these names covers a whole test run, in which the environment is often reset. */
  readonly names: UsedNames = new Map();

  constructor(readonly surfaces: Surfaces) {}

  /** Must be fast, since it runs for every call. */
  record(call: UsedCall): void {
    const { operation, status, sentNames, body } = call;
    const surface = this.surfaces.of(operation);
    const counts = countsOf(this.coverage, operation);
    counts.calls += 1;
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    for (const name of sentNames) if (surface.query.members.has(name)) counts.parameters.add(name);
    if (counts.members.size < surface.members.length) markNames(counts.members, surface.body, body);
    recordNames(this.names, surface, call);
  }

  add({ coverage, names }: UsedContract): void {
    for (const [operation, seen] of coverage) {
      const counts = countsOf(this.coverage, operation);
      counts.calls += seen.calls;
      for (const [status, times] of seen.statuses)
        counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + times);
      addAll(counts.parameters, seen.parameters);
      addAll(counts.members, seen.members);
    }
    addNames(this.names, names);
  }
}

const countsOf = (coverage: UsedContract['coverage'], operation: OperationId): OperationCounts =>
  getOrMake(coverage, operation, () => ({
    calls: 0,
    statuses: new Map(),
    parameters: newSet(),
    members: newSet(),
  }));
