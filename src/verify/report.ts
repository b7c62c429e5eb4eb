/** What a run says of itself: to people as it goes and at its end, to programs as JSON, to build servers as JUnit's XML. */
import type { Verdict } from './compare.ts';
import { countResults, type Outcome, type Report, type Result } from './run.ts';
import { SAMPLES } from './samples.ts';

const WIDTH = Math.max(...Object.keys(SAMPLES).map(({ length }) => length));

/** A case that fails or warns, in full; nothing for the others. */
export const outcomeText = ({ case: one, result, messages }: Outcome): string => {
  if (result !== 'failed' && result !== 'warned') return '';
  const word = result === 'failed' ? 'FAILED ' : 'warning';
  const head = `${word}  ${one.name} [${[one.operationId, one.basis, ...one.rules].join(', ')}]\n`;
  return head + messages.map((message) => `         ${message}\n`).join('');
};

const sums = (outcomes: readonly Outcome[]): string =>
  Object.entries(countResults(outcomes))
    .filter(([result, count]) => count > 0 || result === 'passed')
    .map(([result, count]) => `${count} ${result}`)
    .join(', ');

const RULES = 'A code such as A4 is a rule; a running mock has its words at /_mock/guide/rules#a4.\n';

/** A line per operation, the sums, and what would let the skipped cases run. */
export const summaryText = ({ totals, outcomes, isStopped }: Report): string => {
  const operations = Object.keys(SAMPLES).flatMap((operationId) => {
    const own = outcomes.filter((outcome) => outcome.case.operationId === operationId);
    return own.length > 0 ? [`${operationId.padEnd(WIDTH)}  ${sums(own)}\n`] : [];
  });
  const reasons = new Map<string, number>();
  for (const { result, messages } of outcomes)
    for (const reason of result === 'skipped' ? messages : [])
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const warned =
    totals.warned > 0 ? '; a warning rests on something inferred, --inferred makes it a failure' : '';
  return [
    '\n',
    ...operations,
    `\n${sums(outcomes)}${warned}\n`,
    ...(totals.failed + totals.warned > 0 ? [RULES] : []),
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

export const reportJson = ({ baseUrl, totals, isStopped, outcomes }: Report, verdict: Verdict): string => {
  const { known, added, gone, compared } = verdict;
  const cases = outcomes.map(({ area, case: one, result, messages, duration }) => ({
    operation: one.operationId,
    case: one.name,
    result,
    area,
    basis: one.basis,
    rules: one.rules,
    messages,
    duration_ms: Math.round(duration),
  }));
  const drift = { compared, known, added, gone };
  return `${JSON.stringify({ base_url: baseUrl, totals, is_stopped: isStopped, drift, cases }, undefined, 2)}\n`;
};

/** A suite per area. */
export const reportJunit = ({ outcomes, totals }: Report): string => {
  const areas = new Map<string, Outcome[]>();
  for (const outcome of outcomes) areas.set(outcome.area, [...(areas.get(outcome.area) ?? []), outcome]);
  const counts = attributes({ tests: outcomes.length, failures: totals.failed, skipped: totals.skipped });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ca-mock verify"${counts}>
${[...areas].map(([name, own]) => suiteXml(name, own)).join('\n')}
</testsuites>
`;
};

const suiteXml = (name: string, outcomes: readonly Outcome[]): string => {
  const { failed, skipped } = countResults(outcomes);
  const time = seconds(outcomes.reduce((sum, { duration }) => sum + duration, 0));
  const counts = attributes({ name, tests: outcomes.length, failures: failed, skipped, time });
  return `  <testsuite${counts}>\n${outcomes.map(caseXml).join('\n')}\n  </testsuite>`;
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

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
