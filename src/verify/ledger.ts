/** The ledger: differences that are known. A new one fails a run, and so does one that has gone, until its line goes. */
import type { Outcome } from './outcome.ts';

/** The lines of a ledger; empty ones and those that begin with `#` say nothing. */
export const readLedger = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The line that stands for a case which fails. */
export const failureLines = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.filter(({ result }) => result === 'failed').map(({ case: { name } }) => `${name}: fails`);

export interface Reconciled {
  readonly known: readonly string[];
  /** Found, and not in the ledger. */
  readonly added: readonly string[];
  /** In the ledger, and not found. */
  readonly gone: readonly string[];
}

/** What was found against what is known. A line about a case that was skipped is left alone. */
export const reconcile = (
  found: readonly string[],
  ledger: readonly string[],
  outcomes: readonly Outcome[],
): Reconciled => {
  const [isFound, isKnown] = [new Set(found), new Set(ledger)];
  const skipped = outcomes
    .filter(({ result }) => result === 'skipped')
    .map(({ case: { name } }) => `${name}: `);
  const isAboutSkipped = (line: string): boolean => skipped.some((start) => line.startsWith(start));
  return {
    known: found.filter((line) => isKnown.has(line)),
    added: found.filter((line) => !isKnown.has(line)),
    gone: ledger.filter((line) => !isFound.has(line) && !isAboutSkipped(line)),
  };
};
