/** Reports of `ca-mock verify`: text for people, JSON for programs, JUnit XML for build servers. */
import type { Case } from './case.ts';

export interface Outcome {
  readonly case: Case;
  readonly result: 'passed' | 'failed' | 'skipped';
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
  const about = [aboutOf(one), one.place].filter(Boolean).join(', ');
  const below = result === 'failed' ? [about, ...messages].join('\n').replaceAll(/^/gm, '        ').concat('\n') : '';
  return result === 'skipped' ? '' : `${result}  ${one.operationId.padEnd(WIDTH)}  ${one.name}\n${below}`;
};

const aboutOf = ({ basis, rules }: Case): string => [basis, ...rules.map((rule) => `rule ${rule}`)].join(', ');

/** Why cases were skipped, and the totals. */
export const summaryText = ({ outcomes, isStopped }: Report): string => {
  const totals = count(outcomes);
  const reasons = outcomes.flatMap(({ result, messages }) => (result === 'skipped' ? messages : []));
  const skipped = [...new Set(reasons)].map(
    (why) => `  ${reasons.filter((one) => one === why).length} skipped: ${why}`,
  );
  const found = Object.entries(totals).filter(([, number]) => number > 0);
  return [
    ...(totals.failed > 0 ? ['The rules stand in the guide of each mock, such as A4 at /_mock/guide/rules#a4.'] : []),
    ...skipped,
    ...(isStopped ? ['  stopped before the end'] : []),
    `${found.map(([result, number]) => `${number} ${result}`).join(', ') || 'no case'}\n`,
  ].join('\n');
};

const count = (outcomes: readonly Outcome[]) => {
  const of = (wanted: Outcome['result']) => outcomes.filter(({ result }) => result === wanted).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
};

export const reportJson = ({ baseUrl, isStopped, outcomes }: Report): object => ({
  base_url: baseUrl,
  totals: count(outcomes),
  is_stopped: isStopped,
  cases: outcomes.map(({ case: { operationId, name, basis, rules, place }, result, messages, duration }) => ({
    operation: operationId,
    case: name,
    result,
    basis,
    rules,
    ...(place && { place }),
    messages,
    duration_ms: Math.round(duration),
  })),
});

export const reportJunit = ({ outcomes }: Report): string => {
  const { failed: failures, skipped } = count(outcomes);
  const time = seconds(outcomes.reduce((sum, { duration }) => sum + duration, 0));
  const suite = { name: 'ca-mock verify', tests: outcomes.length, failures, skipped, time };
  const cases = outcomes.map((outcome) => `  ${caseXml(outcome)}\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', {}, element('testsuite', suite, `\n${cases}`))}\n`;
};

const caseXml = ({ case: one, result, messages, duration }: Outcome): string => {
  const [message = ''] = messages;
  const inside = {
    passed: '',
    skipped: element('skipped', { message }),
    failed: element('failure', { type: aboutOf(one), message }, escapeXml([one.place, ...messages].join('\n'))),
  };
  return element('testcase', { classname: one.operationId, name: one.name, time: seconds(duration) }, inside[result]);
};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** @param inside XML */
const element = (name: string, values: Readonly<Record<string, string | number>>, inside = ''): string => {
  const attributes = Object.entries(values).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${attributes.join('')}>${inside}</${name}>`;
};

/** XML 1.0 has no control characters, except for the ends of lines and tabs. */
const escapeXml = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]/gu, ' ').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
