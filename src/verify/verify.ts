/** What `ca-mock verify` does: runs the suite, says how it goes, and writes what it was asked to write. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { didYouMean } from '../core/nearest.ts';
import { defined } from '../core/object.ts';
import { describe } from '../mock/log.ts';
import { writeText } from '../mock/write-text.ts';
import { isJsonObject } from '../openapi/document.ts';
import { judge, readLedger, readRecording, writeRecording } from './compare.ts';
import { Unreachable } from './http.ts';
import { outcomeText, reportJson, reportJunit, summaryText, verdictText } from './report.ts';
import { type Outcome, type RunOptions, runSuite } from './run.ts';
import type { Data } from './session.ts';
import { SUITE } from './suite.ts';

export interface VerifyOptions extends Omit<RunOptions, 'timeout' | 'onOutcome' | 'onExchange' | 'suite'> {
  /** Seconds that a reply may take. */
  readonly timeout?: number | undefined;
  /** JSON on standard output, and nothing else. */
  readonly json?: boolean | undefined;
  /** Files to write. */
  readonly junit?: string | undefined;
  readonly record?: string | undefined;
  /** Files to read. */
  readonly data?: string | undefined;
  readonly compare?: string | undefined;
  readonly ledger?: string | undefined;
}

export interface Print {
  out(text: string): void;
  error(text: string): void;
  /** A line that is written over by the next; left out where nothing can be written over. */
  readonly progress?: ((line: string) => void) | undefined;
}

/** A file that was named cannot be read, or does not hold what it should. */
export class WrongFile extends Error {
  override readonly name = 'WrongFile';
}

/**
 * @returns the exit code. 0: nothing is wrong; 1: a failure or a difference; 2: the suite could not run
 * @throws WrongFile before anything is called
 */
export const runVerify = async (options: VerifyOptions, print: Print): Promise<0 | 1 | 2> => {
  const { json, junit, record, timeout, data, compare, ledger } = options;
  const { organizationId, userId, externalId, connector } = options;
  const known = {
    ...(data !== undefined && readAs(data, '--data', readData)),
    // What flags say wins over the file.
    ...defined({ organizationId, userId, externalId, connector }),
  };
  const yardsticks = {
    recording: compare === undefined ? undefined : readAs(compare, '--compare', readRecording),
    ledger: ledger === undefined ? undefined : readAs(ledger, '--ledger', readLedger),
  };
  try {
    const onOutcome = json ? undefined : createObserver(print);
    const milliseconds = timeout && timeout * 1000;
    const report = await runSuite({ ...options, ...known, timeout: milliseconds, onOutcome });
    print.progress?.('');
    const verdict = judge(report, yardsticks);
    print.out(json ? reportJson(report, verdict) : summaryText(report) + verdictText(verdict));
    if (record !== undefined) writeText(record, writeRecording(report.outcomes));
    if (junit !== undefined) writeText(junit, reportJunit(report));
    return verdict.isGood ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    print.error(`${error.message}\n`);
    return 2;
  }
};

/** Says what fails when it fails, and how far the run is. */
const createObserver = ({ out, progress }: Print): ((outcome: Outcome) => void) => {
  const total = SUITE.reduce((sum, { cases }) => sum + cases.length, 0);
  let count = 0;
  return (outcome) => {
    count += 1;
    const text = outcomeText(outcome);
    if (text) {
      progress?.('');
      out(text);
    }
    progress?.(`${count} of ${total} cases, ${outcome.area}`);
  };
};

const readAs = <Content>(file: string, flag: string, read: (text: string) => Content): Content => {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new WrongFile(`${flag} ${file}: ${describe(error)}`);
  }
};

const MEMBERS: Readonly<Record<string, keyof Data>> = {
  organization_id: 'organizationId',
  user_id: 'userId',
  external_id: 'externalId',
  connector: 'connector',
};

/** JSON or YAML. @throws Error for anything but an object whose members are known texts */
const readData = (text: string): Data => {
  const known = Object.keys(MEMBERS);
  const data: unknown = parse(text, { schema: 'core', logLevel: 'silent' });
  if (!isJsonObject(data)) throw new Error(`It should be an object with ${known.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
      if (member === undefined)
        throw new Error(
          `It has an unknown member "${name}".${didYouMean(name, known)} Known: ${known.join(', ')}.`,
        );
      if (typeof value !== 'string' || value === '')
        throw new Error(`Its member ${name} should be a text that is not empty.`);
      return [member, value];
    }),
  );
};
