/** What `ca-mock verify` does: runs the suite, shows the progress, and writes the reports. */
import { readUsed } from '../used/used.ts';
import { outcomeText, reportJson, reportJunit, summaryText } from './report.ts';
import { type Outcome, type RunOptions, runSuite } from './run.ts';
import { findingsOf, findingsText } from './used.ts';

export interface VerifyOptions extends Omit<RunOptions, 'onOutcome' | 'operations'> {
  readonly json?: boolean | undefined;
  readonly junit?: string | undefined;
  /** A file that lists what an application uses. If set, only cases about the operations in the file run. */
  readonly used?: string | undefined;
}

export interface Print {
  out(text: string): void;
  file(path: string, text: string): void;
  /** Writes a line that the next line overwrites. Absent if the output is not a terminal. */
  readonly progress?: ((line: string) => void) | undefined;
}

/** @returns 1 if the run was stopped, or found something wrong; else 0 @throws Unusable if the suite cannot run */
export const runVerify = async (options: VerifyOptions, print: Print): Promise<0 | 1> => {
  const used = options.used === undefined ? undefined : readUsed(options.used);
  const { json, junit } = options;
  const show = (outcome: Outcome, progress: string): void => {
    const text = outcomeText(outcome);
    if (text) {
      print.progress?.('');
      print.out(text);
    }
    print.progress?.(`${progress}, ${outcome.case.operationId}`);
  };
  const report = await runSuite({
    ...options,
    operations: used && new Set(Object.keys(used.operations)),
    onOutcome: json ? undefined : show,
  });
  print.progress?.('');
  const findings = used && findingsOf(used, report.outcomes);
  print.out(
    json ? `${JSON.stringify({ ...reportJson(report), used: findings }, null, 2)}\n` : summaryText(report),
  );
  if (findings && !json) print.out(findingsText(findings));
  if (junit !== undefined) print.file(junit, reportJunit(report));
  const isBad = [...report.outcomes, ...(findings ?? [])].some(
    ({ result }) => result === 'failed' || result === 'differs',
  );
  return report.isStopped || isBad ? 1 : 0;
};
