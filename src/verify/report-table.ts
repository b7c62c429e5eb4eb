/** The report for a terminal: a line per case as it runs, and the sums at the end. */
import type { Verdict } from './judge.ts';
import type { Outcome, Result } from './outcome.ts';
import type { Report } from './run.ts';
import { SAMPLES } from './samples.ts';

const WORDS: Readonly<Record<Result, string>> = {
  passed: 'ok',
  failed: 'FAILED',
  warned: 'warning',
  skipped: 'skipped',
};

const RESULT_WIDTH = Math.max(...Object.values(WORDS).map(({ length }) => length));
const OPERATION_WIDTH = Math.max(...Object.keys(SAMPLES).map(({ length }) => length));

const row = (operation: string, result: string, name: string): string =>
  `${operation.padEnd(OPERATION_WIDTH)}  ${result.padEnd(RESULT_WIDTH)}  ${name}\n`;

export const tableHead = (): string => row('OPERATION', 'RESULT', 'CASE');

/** The line of a case: why it was skipped at its end, what is wrong with it below. */
export const tableRow = ({ case: one, result, messages }: Outcome): string => {
  if (result === 'passed') return row(one.operationId, WORDS[result], one.name);
  if (result === 'skipped')
    return row(one.operationId, WORDS[result], `${one.name} (${messages.join(', ')})`);
  const indent = ' '.repeat(OPERATION_WIDTH + RESULT_WIDTH + 4);
  return (
    row(one.operationId, WORDS[result], `${one.name} [${one.basis}: ${one.cites.join(', ')}]`) +
    messages.map((message) => `${indent}${message}\n`).join('')
  );
};

/** The sums, and what would let the skipped cases run. */
export const tableFoot = ({ totals, outcomes, isStopped }: Report): string => {
  const reasons = new Map<string, number>();
  for (const { result, messages } of outcomes) {
    if (result !== 'skipped') continue;
    const reason = messages[0] ?? '';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const warned = totals.warned > 0 ? ' (inferred only; --inferred makes them fail)' : '';
  return [
    `\n${totals.passed} passed, ${totals.failed} failed, ${totals.warned} warned${warned}, ${totals.skipped} skipped\n`,
    ...[...reasons].map(([reason, count]) => `  ${count} skipped: ${reason}\n`),
    ...(isStopped ? ['  stopped before the end\n'] : []),
  ].join('');
};

/** What a recording and a ledger have to say; nothing if neither was given. */
export const verdictText = ({ compared, hasLedger, known, added, gone }: Verdict): string => {
  if (compared === undefined && !hasLedger) return '';
  const lines = [
    ...(compared === undefined ? [] : [`${compared} cases compared with the recording`]),
    `${added.length} new${hasLedger ? `, ${known.length} known, ${gone.length} gone` : ' differences or failures'}`,
    ...added.map((line) => `  new: ${line}`),
    ...gone.map((line) => `  gone, remove its line from the ledger: ${line}`),
  ];
  return `\n${lines.join('\n')}\n`;
};
