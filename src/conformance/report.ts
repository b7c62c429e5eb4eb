/** Reports of `ca-mock verify`: text for people, JSON for programs, JUnit XML for build servers. */
import type { Case } from './case.ts';

export type Result = 'passed' | 'failed' | 'skipped';

export interface Outcome {
  readonly case: Case;
  readonly result: Result;
  /** What is wrong, or why the case was skipped. */
  readonly messages: readonly string[];
  /** The time that the case took, in milliseconds. */
  readonly duration: number;
}

export interface Report {
  readonly baseUrl: string;
  readonly outcomes: readonly Outcome[];
  /** Whether the run was ended before its last case. */
  readonly isStopped: boolean;
}

const WIDTH = 'listAuthenticationRequests'.length;

/** A line of the table; below a case that failed, its rules, its line in the table of cases, and what is wrong. */
export const rowText = ({ case: one, result, messages }: Outcome): string => {
  if (result === 'skipped') return '';
  const row = `${result}  ${one.operationId.padEnd(WIDTH)}  ${one.name}\n`;
  const about = [one.basis, ...one.rules.map((rule) => `rule ${rule}`), ...(one.place ? [one.place] : [])].join(', ');
  const lines = [about, ...messages].join('\n').split('\n');
  return result === 'failed' ? row + lines.map((line) => `        ${line}\n`).join('') : row;
};

const RULES = 'The rules stand in the guide of each mock, such as A4 at /_mock/guide/rules#a4.\n';

/** Why cases were skipped, and the totals. */
export const summaryText = ({ outcomes, isStopped }: Report): string => {
  const reasons = outcomes.flatMap(({ result, messages }) => (result === 'skipped' ? messages : []));
  const skipped = [...new Set(reasons)].map(
    (reason) => `  ${reasons.filter((one) => one === reason).length} skipped: ${reason}\n`,
  );
  const totals = Object.entries(count(outcomes)).filter(([, number]) => number > 0);
  return [
    ...(count(outcomes).failed > 0 ? [RULES] : []),
    ...skipped,
    ...(isStopped ? ['  stopped before the end\n'] : []),
    `${totals.map(([result, number]) => `${number} ${result}`).join(', ') || 'no case'}\n`,
  ].join('');
};

const count = (outcomes: readonly Outcome[]) => {
  const of = (wanted: Result): number => outcomes.filter(({ result }) => result === wanted).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
};

export const reportJson = ({ baseUrl, isStopped, outcomes }: Report): object => ({
  base_url: baseUrl,
  totals: count(outcomes),
  is_stopped: isStopped,
  cases: outcomes.map(({ case: { operationId, name, basis, rules, place }, result, messages, duration }) => ({
    ...{ operation: operationId, case: name, result, basis, rules, ...(place && { place }) },
    messages,
    duration_ms: Math.round(duration),
  })),
});

export const reportJunit = ({ outcomes }: Report): string => {
  const operations = [...new Set(outcomes.map((one) => one.case.operationId))];
  const suites = operations.map((name) => {
    const own = outcomes.filter((one) => one.case.operationId === name);
    return `  <testsuite${attributes({ name, ...totalsOf(own) })}>\n${own.map(caseXml).join('\n')}\n  </testsuite>\n`;
  });
  const head = attributes({ name: 'ca-mock verify', ...totalsOf(outcomes) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`;
};

const totalsOf = (outcomes: readonly Outcome[]) => {
  const { failed: failures, skipped } = count(outcomes);
  const time = seconds(outcomes.reduce((sum, { duration }) => sum + duration, 0));
  return { tests: outcomes.length, failures, skipped, time };
};

const caseXml = ({ case: one, result, messages, duration }: Outcome): string => {
  const head = { classname: one.operationId, name: one.name, time: seconds(duration) };
  const message = messages[0] ?? '';
  const inside: Readonly<Record<Result, string>> = {
    passed: '',
    skipped: `<skipped${attributes({ message })}/>`,
    failed: `<failure${attributes({ type: [one.basis, ...one.rules].join(', '), message })}>${escapeXml(
      [one.place, ...messages].join('\n'),
    )}</failure>`,
  };
  return `    <testcase${attributes(head)}>${inside[result]}</testcase>`;
};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no control characters, except for the ends of lines and tabs. */
const escapeXml = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]/gu, ' ').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
