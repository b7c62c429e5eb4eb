/** Coverage as a text table, for a terminal or a CI log. */
import type { CoverageReport, OperationCoverage } from './coverage-report.ts';

const HEAD = ['operation', 'calls', 'statuses', 'parameters', 'members', 'missing'];

/** The whole table. @param of the subject of the coverage: `this run`, or the name of an environment */
export const coverageTable = (report: CoverageReport, of: string): string => {
  const rows = [HEAD, ...report.by_operation.map(toRow)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...headline(report, of), '', ...lines, ''].join('\n');
};

/** The most operations that the short form names. */
const MOST_NAMED = 8;

/** Coverage in five lines, which name the most called operations. */
export const shortCoverage = (report: CoverageReport, of: string): string => {
  const called = report.by_operation
    .filter(({ calls }) => calls > 0)
    .toSorted((one, other) => other.calls - one.calls);
  const named = called.slice(0, MOST_NAMED).map(({ operation, calls }) => `${operation} ${calls}`);
  const more = called.length > MOST_NAMED ? `, and ${called.length - MOST_NAMED} more` : '';
  return [
    ...headline(report, of),
    `Calls: ${named.join(', ') || 'none'}${more}`,
    `${report.by_operation.length - called.length} ${called.length > 0 ? 'others' : 'operations'} were never called.`,
    'Set CA_MOCK_COVERAGE=full to print the whole table, or CA_MOCK_COVERAGE=off to print nothing.',
    '',
  ].join('\n');
};

const headline = (report: CoverageReport, of: string): readonly string[] => [
  `Coverage of the contract by ${of}: ${report.percent} %`,
  (['operations', 'statuses', 'parameters', 'members'] as const)
    .map((kind) => `${kind} ${report[kind].seen}/${report[kind].total}`)
    .join(', '),
];

const toRow = (operation: OperationCoverage): string[] => [
  operation.operation,
  String(operation.calls),
  Object.keys(operation.statuses.seen).join(' '),
  count(operation.parameters),
  count(operation.members),
  operation.calls === 0 ? 'never called' : missingNames(operation).join(' '),
];

const count = ({ seen, missing }: { seen: readonly string[]; missing: readonly string[] }): string =>
  seen.length + missing.length === 0 ? '' : `${seen.length}/${seen.length + missing.length}`;

/** The statuses, parameters and members that no call exercised. */
const missingNames = ({ statuses, parameters, members }: OperationCoverage): string[] => [
  ...statuses.missing.map(String),
  ...parameters.missing.map((name) => `?${name}`),
  ...members.missing,
];
