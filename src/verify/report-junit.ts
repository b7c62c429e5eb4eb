/** The report for build servers: JUnit's XML, a suite per area. */
import { countResults, type Outcome } from './outcome.ts';
import type { Report } from './run.ts';

export const reportJunit = ({ outcomes, totals }: Report): string => {
  const areas = new Map<string, Outcome[]>();
  for (const outcome of outcomes) areas.set(outcome.area, [...(areas.get(outcome.area) ?? []), outcome]);
  const counts = attributes({ tests: outcomes.length, failures: totals.failed, skipped: totals.skipped });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ca-mock verify"${counts}>
${[...areas].map(([name, held]) => suiteXml(name, held)).join('\n')}
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
  const head = `    <testcase${attributes({ classname: one.operationId, name: one.name, time: seconds(duration) })}`;
  const text = messages.join('\n');
  if (result === 'passed') return `${head}/>`;
  if (result === 'skipped') return `${head}><skipped${attributes({ message: text })}/></testcase>`;
  if (result === 'warned') return `${head}><system-out>${escapeXml(text)}</system-out></testcase>`;
  const type = `${one.basis}: ${one.cites.join(', ')}`;
  return `${head}><failure${attributes({ type, message: messages[0] ?? '' })}>${escapeXml(text)}</failure></testcase>`;
};

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no way to write most control characters, so they are left out. */
const escapeXml = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, (character) => (character === '\n' ? character : ''))
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
