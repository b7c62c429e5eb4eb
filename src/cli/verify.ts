/** `ca-mock verify`: runs the conformance suite against any server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type FlagValues, flagName } from '../mock/option.ts';
import { Unreachable } from '../verify/client.ts';
import { readData } from '../verify/data-file.ts';
import { judge } from '../verify/judge.ts';
import { readLedger } from '../verify/ledger.ts';
import type { Outcome } from '../verify/outcome.ts';
import { readRecording, writeRecording } from '../verify/recording.ts';
import { reportJson } from '../verify/report-json.ts';
import { reportJunit } from '../verify/report-junit.ts';
import { tableFoot, tableHead, tableRow, verdictText } from '../verify/report-table.ts';
import { type Report, runSuite } from '../verify/run.ts';
import { readArguments, requireNoOperands } from './arguments.ts';
import { type Process, type Run, UsageError } from './command.ts';
import { VERIFY_OPTIONS } from './options.ts';

type Values = FlagValues<typeof VERIFY_OPTIONS>;

/** Exit code 0: nothing is wrong; 1: a failure or a difference; 2: the suite could not run. */
export const verify: Run = async (argv, process) => {
  const { values, operands } = readArguments(argv, VERIFY_OPTIONS, process.env);
  requireNoOperands(operands);
  const files = readFiles(values);
  try {
    const report = await runWith(values, files.data, process);
    if (values.record !== undefined) writeFileSync(values.record, writeRecording(report.outcomes));
    if (values.junit !== undefined) writeFileSync(values.junit, reportJunit(report));
    const verdict = judge(report, files);
    process.stdout.write(
      values.json ? reportJson(report, verdict) : tableFoot(report) + verdictText(verdict),
    );
    return verdict.isGood ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
};

const runWith = (values: Values, data: ReturnType<typeof readData>, process: Process): Promise<Report> => {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  let isFirst = true;
  const onOutcome = (outcome: Outcome): void => {
    if (isFirst) process.stdout.write(tableHead());
    isFirst = false;
    process.stdout.write(tableRow(outcome));
  };
  return runSuite({
    ...data,
    ...values,
    baseUrl: required(values, 'baseUrl'),
    clientId: required(values, 'clientId'),
    clientSecret: required(values, 'clientSecret'),
    timeout: values.timeout && values.timeout * 1000,
    signal: stop.signal,
    ...(!values.json && { onOutcome }),
  });
};

const required = (values: Values, name: 'baseUrl' | 'clientId' | 'clientSecret'): string => {
  const value = values[name];
  if (value === undefined) throw new UsageError(`verify needs ${flagName(name)}.`);
  return value;
};

/** All files are read before the first call, so that a wrong one costs no run. */
const readFiles = ({ data, compare, ledger }: Values) => ({
  data: data === undefined ? {} : readAs(data, '--data', readData),
  recording: compare === undefined ? undefined : readAs(compare, '--compare', readRecording),
  ledger: ledger === undefined ? undefined : readAs(ledger, '--ledger', readLedger),
});

const readAs = <Content>(file: string, flag: string, read: (text: string) => Content): Content => {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    const { message } = error as Error; // reading a file and reading its text throw nothing else
    throw new UsageError(`${flag} ${file}: ${message}`);
  }
};
