/** Which parts of the contract were exercised: as JSON, or as a text table for a terminal or a CI log. */
import type { ContractOperation } from '../contract/load.ts';
import { columns } from '../core/text.ts';
import type { OperationCounts } from '../environments/used.ts';
import type { ControlSchemas } from './control-document.ts';

export type CoverageReport = ControlSchemas['Coverage'];
type OperationCoverage = ControlSchemas['OperationCoverage'];

/** The status of replies to bodies that are too large; no operation runs for such a body (behaviour T4). */
const TOO_LARGE = 413;

/**
 * The coverage of each operation, and of all as one percentage. Statuses that every operation lists, and 413, come from limits
 * and faults: such a status is shown if it was seen, but never counts, and is never missing.
 */
export const reportCoverage = (
  operations: readonly ContractOperation[],
  counts: ReadonlyMap<string, OperationCounts>,
): CoverageReport => {
  const isOwn = (status: number): boolean =>
    status !== TOO_LARGE && !operations.every(({ statuses }) => statuses.includes(status));
  const counted = operations.map(({ operationId, statuses }) =>
    split(statuses.filter(isOwn), counts.get(operationId)?.statuses),
  );
  const reports = operations.map((operation, nth) =>
    reportOperation(operation, counts.get(operation.operationId), counted[nth]?.missing ?? []),
  );
  const shares = {
    operations: { seen: reports.filter(({ calls }) => calls > 0).length, total: reports.length },
    statuses: shareOf(counted),
    parameters: shareOf(reports.map(({ parameters }) => parameters)),
    members: shareOf(reports.map(({ members }) => members)),
  };
  const all = Object.values(shares);
  const percent =
    Math.floor((sum(all.map(({ seen }) => seen)) / sum(all.map(({ total }) => total))) * 1_000) / 10;
  return { percent, ...shares, by_operation: reports };
};

const reportOperation = (
  { operationId: operation, method, path, query, members }: ContractOperation,
  counts: OperationCounts | undefined,
  missing: number[],
): OperationCoverage => ({
  operation,
  method: method.toUpperCase(),
  path,
  calls: counts?.calls ?? 0,
  statuses: { seen: Object.fromEntries(counts?.statuses ?? []), missing },
  parameters: split([...query.members.keys()], counts?.parameters),
  members: split(members, counts?.members),
});

const split = <Name>(names: readonly Name[], seen: { has(name: Name): boolean } = new Set()) => ({
  seen: names.filter((name) => seen.has(name)),
  missing: names.filter((name) => !seen.has(name)),
});

const shareOf = (parts: readonly { seen: readonly unknown[]; missing: readonly unknown[] }[]) => {
  const seen = sum(parts.map((part) => part.seen.length));
  return { seen, total: seen + sum(parts.map(({ missing }) => missing.length)) };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const HEAD = ['operation', 'calls', 'statuses', 'parameters', 'members', 'missing'];

/** Coverage as a table of all operations. @param coveredBy the words after "by" in the title, such as `this run` */
export const coverageTable = (report: CoverageReport, coveredBy: string): string =>
  `${headline(report, coveredBy)}\n\n${columns([HEAD, ...report.by_operation.map(toRow)])}\n`;

/** Coverage in two lines, and how to see more or less. */
export const shortCoverage = (report: CoverageReport, coveredBy: string): string =>
  `${headline(report, coveredBy)}
Set CA_MOCK_COVERAGE=full to print the whole table, or CA_MOCK_COVERAGE=off to print nothing.
`;

const headline = (report: CoverageReport, coveredBy: string): string => {
  const shares = (['operations', 'statuses', 'parameters', 'members'] as const).map(
    (kind) => `${kind} ${report[kind].seen}/${report[kind].total}`,
  );
  return `Coverage of the contract by ${coveredBy}: ${report.percent}%\n${shares.join(', ')}`;
};

const toRow = ({ operation, calls, statuses, parameters, members }: OperationCoverage): string[] => {
  const count = ({ seen, missing }: { seen: readonly string[]; missing: readonly string[] }): string =>
    seen.length + missing.length === 0 ? '' : `${seen.length}/${seen.length + missing.length}`;
  const missing = [...statuses.missing, ...parameters.missing.map((name) => `?${name}`), ...members.missing];
  const seen = Object.keys(statuses.seen).join(' ');
  const rest = calls === 0 ? 'never called' : missing.join(' ');
  return [operation, String(calls), seen, count(parameters), count(members), rest];
};
