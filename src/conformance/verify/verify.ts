/** What `ca-mock verify` does: runs the suite, shows the progress, and writes the reports. */
import { outcomeText, reportJson, reportJunit, summaryText } from './report.ts';
import { type Outcome, type RunOptions, runSuite } from './run.ts';

export interface VerifyOptions extends Omit<RunOptions, 'onOutcome'> {
  readonly json?: boolean | undefined;
  readonly junit?: string | undefined;
}

export interface Print {
  out(text: string): void;
  file(path: string, text: string): void;
  /** Writes a line that the next line overwrites. Absent if the output is not a terminal. */
  readonly progress?: ((line: string) => void) | undefined;
}

/** @returns 1 if the run was stopped, or found something wrong; else 0 @throws Unusable if the suite cannot run */
export const runVerify = async (options: VerifyOptions, print: Print): Promise<0 | 1> => {
  const { json, junit } = options;
  const show = (outcome: Outcome, progress: string): void => {
    const text = outcomeText(outcome);
    if (text) {
      print.progress?.('');
      print.out(text);
    }
    print.progress?.(`${progress}, ${outcome.case.operationId}`);
  };
  const report = await runSuite({ ...options, onOutcome: json ? undefined : show });
  print.progress?.('');
  print.out(json ? `${JSON.stringify(reportJson(report), null, 2)}\n` : summaryText(report));
  if (junit !== undefined) print.file(junit, reportJunit(report));
  return report.isStopped || report.outcomes.some(({ result }) => result === 'failed') ? 1 : 0;
};
