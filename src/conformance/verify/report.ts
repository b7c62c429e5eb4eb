/** Reports of a run: text for people, JSON for programs, JUnit XML for build servers. */
import { loadContract } from '../../engine/contract/load.ts';
import type { Outcome, Report, Result } from './run.ts';

/** The full text of a case that failed or warned. Empty for other cases. */
export const outcomeText = ({ case: one, result, messages }: Outcome): string => {
  if (result !== 'failed' && result !== 'warned') return '';
  const word = result === 'failed' ? 'FAILED ' : 'warning';
  const head = `${word}  ${one.name} [${[one.operationId, one.basis, ...one.rules].join(', ')}]\n`;
  return head + messages.map((message) => `         ${message}\n`).join('');
};

const RESULTS = ['passed', 'failed', 'warned', 'skipped'] as const satisfies readonly Result[];

const count = <Each extends string>(all: readonly { readonly result: Each }[], wanted: Each): number =>
  all.filter(({ result }) => result === wanted).length;

/** The number of each result, such as `5 passed, 2 skipped`. */
export const sums = <Each extends string>(
  all: readonly { readonly result: Each }[],
  results: readonly Each[],
): string =>
  results.flatMap((result) => (count(all, result) > 0 ? `${count(all, result)} ${result}` : [])).join(', ');

const RULES = 'A code such as A4 stands for a rule; a running mock explains it at /_mock/guide/rules#a4.\n';

const WARNINGS =
  "; warnings are about behaviour that the API's description does not state; --inferred turns them into failures";

/** The operations that have outcomes, in the order of the contract. */
const byOperation = (outcomes: readonly Outcome[]) =>
  loadContract().operations.flatMap(({ operationId: id }) => {
    const own = outcomes.filter((one) => one.case.operationId === id);
    return own.length > 0 ? [[id, own] as const] : [];
  });

/** A line for each operation, the totals, and what the skipped cases need to run. */
export const summaryText = ({ outcomes, isStopped }: Report): string => {
  const warned = count(outcomes, 'warned');
  const width = Math.max(...loadContract().operations.map(({ operationId: { length } }) => length));
  const lines = byOperation(outcomes).map(([id, own]) => `${id.padEnd(width)}  ${sums(own, RESULTS)}\n`);
  return [
    '\n',
    ...lines,
    `\n${sums(outcomes, RESULTS)}${warned > 0 ? WARNINGS : ''}\n`,
    ...(warned + count(outcomes, 'failed') > 0 ? [RULES] : []),
    ...skipReasons(outcomes),
    ...(isStopped ? ['  stopped before the end\n'] : []),
  ].join('');
};

const skipReasons = (outcomes: readonly Outcome[]): readonly string[] => {
  const reasons = outcomes.flatMap(({ result, messages }) => (result === 'skipped' ? messages : []));
  return [...new Set(reasons)].map(
    (reason) => `  ${reasons.filter((one) => one === reason).length} skipped: ${reason}\n`,
  );
};

export const reportJson = ({ baseUrl, isStopped, outcomes }: Report): object => ({
  base_url: baseUrl,
  totals: Object.fromEntries(RESULTS.map((result) => [result, count(outcomes, result)])),
  is_stopped: isStopped,
  cases: outcomes.map(({ case: one, result, messages, duration }) => ({
    operation: one.operationId,
    case: one.name,
    result,
    basis: one.basis,
    rules: one.rules,
    messages,
    duration_ms: Math.round(duration),
  })),
});

export const reportJunit = ({ outcomes }: Report): string => `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ca-mock verify"${counts(outcomes)}>
${byOperation(outcomes).map(suiteXml).join('\n')}
</testsuites>
`;

const counts = (outcomes: readonly Outcome[]): string =>
  attributes({
    tests: outcomes.length,
    failures: count(outcomes, 'failed'),
    skipped: count(outcomes, 'skipped'),
  });

const suiteXml = ([name, outcomes]: readonly [string, readonly Outcome[]]): string => {
  const time = seconds(outcomes.reduce((sum, { duration }) => sum + duration, 0));
  const head = `  <testsuite${attributes({ name })}${counts(outcomes)}${attributes({ time })}>`;
  return `${head}\n${outcomes.map(caseXml).join('\n')}\n  </testsuite>`;
};

const caseXml = ({ case: one, result, messages, duration }: Outcome): string => {
  const head = `    <testcase${attributes({ classname: one.operationId, name: one.name, time: seconds(duration) })}>`;
  const text = messages.join('\n');
  const type = [one.basis, ...one.rules].join(', ');
  const inside: Readonly<Record<Result, string>> = {
    passed: '',
    skipped: `<skipped${attributes({ message: text })}/>`,
    warned: `<system-out>${escapeXml(text)}</system-out>`,
    failed: `<failure${attributes({ type, message: messages[0] ?? '' })}>${escapeXml(text)}</failure>`,
  };
  return `${head}${inside[result]}</testcase>`;
};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string =>
  text.replace(/\p{Cc}/gu, ' ').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
