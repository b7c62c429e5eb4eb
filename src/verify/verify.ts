/** What `ca-mock verify` does: runs the suite, says how it goes, and writes the reports. */
import { writeText } from '../mock/write-text.ts';
import { Unreachable } from './client.ts';
import { countResults, outcomeText, reportJson, reportJunit, summaryText } from './report.ts';
import { type Outcome, type RunOptions, runSuite } from './run.ts';

export interface VerifyOptions extends Omit<RunOptions, 'timeout' | 'onOutcome' | 'suite' | 'operations'> {
  /** Seconds that a reply may take. */
  readonly timeout?: number | undefined;
  /** JSON on standard output, and nothing else. */
  readonly json?: boolean | undefined;
  /** File to write. */
  readonly junit?: string | undefined;
}

export interface Print {
  out(text: string): void;
  error(text: string): void;
  /** A line that the next one overwrites; left out where nothing can be overwritten. */
  readonly progress?: ((line: string) => void) | undefined;
}

/** @returns the exit code. 0: all is well; 1: a failure; 2: the suite could not run */
export const runVerify = async (options: VerifyOptions, print: Print): Promise<0 | 1 | 2> => {
  const { json, junit, timeout } = options;
  try {
    const onOutcome = json ? undefined : createObserver(print);
    const report = await runSuite({ ...options, timeout: timeout && timeout * 1000, onOutcome });
    print.progress?.('');
    print.out(json ? `${JSON.stringify(reportJson(report), null, 2)}\n` : summaryText(report));
    if (junit !== undefined) writeText(junit, reportJunit(report));
    return report.isStopped || countResults(report.outcomes).failed > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    print.error(`${error.message}\n`);
    return 2;
  }
};

/** Says what fails when it fails, and how far the run is. */
const createObserver = ({ out, progress }: Print): ((outcome: Outcome, total: number) => void) => {
  let count = 0;
  return (outcome, total) => {
    count += 1;
    const text = outcomeText(outcome);
    if (text) {
      progress?.('');
      out(text);
    }
    progress?.(`${count} of ${total} cases, ${outcome.case.operationId}`);
  };
};
