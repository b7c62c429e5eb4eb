/** Reports which parts of the contract were exercised, for each operation and as one percentage. */

import { type OperationCounts, Usage } from '../environments/usage.ts';
import { loadContract } from '../openapi/load.ts';
import { createSurfaces, type Surface } from '../openapi/members.ts';
import type { OperationId } from '../openapi/types.ts';
import type { ControlSchemas } from './types.ts';

export type CoverageReport = ControlSchemas['Coverage'];
export type OperationCoverage = ControlSchemas['OperationCoverage'];
type Share = ControlSchemas['Share'];

/** The status for a body that is too large, answered before any operation runs (behaviour T4). */
const TOO_LARGE = 413;

/**
 * Reports what calls exercised. Statuses that every operation lists, and 413, come from limits and faults, not from the
 * operations: the report shows them if they were seen, but does not count them, and never lists them as missing.
 */
export const reportCoverage = (
  surfaces: readonly Surface[],
  counts: ReadonlyMap<OperationId, OperationCounts>,
): CoverageReport => {
  const common = commonStatuses(surfaces);
  const by_operation = surfaces.map((surface) =>
    reportOperation(surface, counts.get(surface.operationId), common),
  );
  const operations = { seen: by_operation.filter(({ calls }) => calls > 0).length, total: surfaces.length };
  const statuses = sum(
    surfaces.map((surface) => shareOfStatuses(countedOf(surface, common), counts.get(surface.operationId))),
  );
  const parameters = sum(by_operation.map((one) => shareOf(one.parameters)));
  const members = sum(by_operation.map((one) => shareOf(one.members)));
  const { seen, total } = sum([operations, statuses, parameters, members]);
  const percent = total === 0 ? 100 : Math.floor((seen / total) * 1_000) / 10;
  return { percent, operations, statuses, parameters, members, by_operation };
};

/** Merges the reports of several servers: what any of them saw counts as seen. */
export const mergeReports = (reports: readonly CoverageReport[]): CoverageReport => {
  const surfaces = createSurfaces(loadContract());
  const total = new Usage(surfaces);
  for (const report of reports) total.addCoverage(countsByOperation(report));
  return reportCoverage(surfaces.all(), total.coverage);
};

const countsByOperation = ({ by_operation }: CoverageReport): ReadonlyMap<OperationId, OperationCounts> =>
  new Map(
    by_operation.map(({ operation, calls, statuses, parameters, members }) => [
      operation as OperationId, // the report comes from a server with the same contract; the merge leaves out other operations
      {
        calls,
        statuses: new Map(Object.entries(statuses.seen).map(([status, times]) => [Number(status), times])),
        parameters: new Set(parameters.seen),
        members: new Set(members.seen),
      },
    ]),
  );

const commonStatuses = (surfaces: readonly Surface[]): ReadonlySet<number> => {
  const [first, ...others] = surfaces;
  const shared = first?.statuses.filter((status) =>
    others.every(({ statuses }) => statuses.includes(status)),
  );
  return new Set([TOO_LARGE, ...(shared ?? [])]);
};

/** The statuses of an operation that count. */
const countedOf = ({ statuses }: Surface, common: ReadonlySet<number>): readonly number[] =>
  statuses.filter((status) => !common.has(status));

const reportOperation = (
  surface: Surface,
  counts: OperationCounts | undefined,
  common: ReadonlySet<number>,
): OperationCoverage => ({
  operation: surface.operationId,
  method: surface.method,
  path: surface.path,
  calls: counts?.calls ?? 0,
  statuses: {
    seen: Object.fromEntries(counts?.statuses ?? []),
    missing: countedOf(surface, common).filter((status) => !counts?.statuses.has(status)),
  },
  parameters: split([...surface.query.members.keys()], counts?.parameters),
  members: split(surface.members, counts?.members),
});

const split = (names: readonly string[], seen: ReadonlySet<string> = new Set()) => ({
  seen: names.filter((name) => seen.has(name)),
  missing: names.filter((name) => !seen.has(name)),
});

const shareOf = ({ seen, missing }: ControlSchemas['Names']): Share => ({
  seen: seen.length,
  total: seen.length + missing.length,
});

/** The share of an operation's statuses; ignores statuses that the contract does not list. */
const shareOfStatuses = (counted: readonly number[], counts: OperationCounts | undefined): Share => ({
  seen: counted.filter((status) => counts?.statuses.has(status)).length,
  total: counted.length,
});

const sum = (shares: readonly Share[]): Share => ({
  seen: shares.reduce((total, share) => total + share.seen, 0),
  total: shares.reduce((total, share) => total + share.total, 0),
});
