/** The reports of `ca-mock verify`, from outcomes written by hand. */
import { expect, test } from '@jest/globals';
import { Api } from '../../../src/conformance/verify/api.ts';
import type { Case } from '../../../src/conformance/verify/case.ts';
import { outcomeText, reportJson, reportJunit, summaryText } from '../../../src/conformance/verify/report.ts';
import type { Outcome, Report } from '../../../src/conformance/verify/run.ts';
import { openTarget } from '../../../src/conformance/verify/service.ts';
import type { OperationId } from '../../../src/service/contract.ts';
import { listeningServer } from '../../support/server.ts';

const outcome = (
  result: Outcome['result'],
  name: string,
  messages: readonly string[] = [],
  more: Partial<Outcome> = {},
  operationId: OperationId = 'listConnections',
): Outcome => {
  const one: Case = {
    name,
    operationId,
    basis: 'promised',
    rules: ['C1'],
    writes: false,
    run: async () => {},
  };
  return { case: one, result, messages, duration: 1_500, exchanges: [], ...more };
};

const NEEDS = 'changes data, which needs --write';
const OUTCOMES = [
  outcome('skipped', 'Sends', [NEEDS], { duration: 0 }, 'createMembership'),
  outcome('passed', 'Lists'),
  outcome('failed', 'Says "a" & <b>', ['one\u0007', 'two']),
  outcome('warned', 'Guesses', ['odd'], { duration: 1_499.6 }),
  outcome('skipped', 'Sends too', [NEEDS], { duration: 0 }, 'createMembership'),
];
const REPORT: Report = { baseUrl: 'http://h', outcomes: OUTCOMES, isStopped: true };

test('the text of a case that failed or warned names its rules and problems; other cases have none', () => {
  expect(OUTCOMES.map(outcomeText)).toEqual([
    ...['', ''],
    'FAILED   Says "a" & <b> [listConnections, promised, C1]\n         one\u0007\n         two\n',
    'warning  Guesses [listConnections, promised, C1]\n         odd\n',
    '',
  ]);
});

test('the summary has a line for each operation in the order of the contract, and says why cases were skipped', () => {
  const text = summaryText(REPORT);
  expect(text).toMatch(
    /^\nlistConnections +1 passed, 1 failed, 1 warned\ncreateMembership +2 skipped\n\n1 passed, 1 failed, 1 warned, 2 skipped; warnings are /,
  );
  expect(text).toContain(`A code such as A4 stands for a rule`);
  expect(text).toMatch(new RegExp(`\\n  2 skipped: ${NEEDS}\\n  stopped before the end\\n$`));
  const sound = {
    ...REPORT,
    outcomes: OUTCOMES.filter(({ result }) => result === 'passed'),
    isStopped: false,
  };
  expect(summaryText(sound)).toMatch(/^\nlistConnections +1 passed\n\n1 passed\n$/);
  const failed = { ...sound, outcomes: OUTCOMES.filter(({ result }) => result === 'failed') };
  expect(summaryText(failed)).toMatch(/\n1 failed\nA code such as A4/);
});

test('the report as JSON has each case, and the number of each result', () => {
  expect(reportJson(REPORT)).toMatchObject({
    base_url: 'http://h',
    totals: { passed: 1, failed: 1, warned: 1, skipped: 2 },
    is_stopped: true,
  });
  expect(Object(reportJson(REPORT)).cases[3]).toEqual({
    ...{ operation: 'listConnections', case: 'Guesses', result: 'warned', basis: 'promised' },
    ...{ rules: ['C1'], messages: ['odd'], duration_ms: 1_500 },
  });
});

test('the report as JUnit XML escapes what XML would read, and counts no warning as a failure', () => {
  const name = 'Says &quot;a&quot; &amp; &lt;b&gt;';
  expect(reportJunit(REPORT)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ca-mock verify" tests="5" failures="1" skipped="2">
  <testsuite name="listConnections" tests="3" failures="1" skipped="0" time="4.500">
    <testcase classname="listConnections" name="Lists" time="1.500"></testcase>
    <testcase classname="listConnections" name="${name}" time="1.500"><failure type="promised, C1" message="one ">one  two</failure></testcase>
    <testcase classname="listConnections" name="Guesses" time="1.500"><system-out>odd</system-out></testcase>
  </testsuite>
  <testsuite name="createMembership" tests="2" failures="0" skipped="2" time="0.000">
    <testcase classname="createMembership" name="Sends" time="0.000"><skipped message="${NEEDS}"/></testcase>
    <testcase classname="createMembership" name="Sends too" time="0.000"><skipped message="${NEEDS}"/></testcase>
  </testsuite>
</testsuites>
`);
});

const server = await listeningServer();
const access = { baseUrl: server.mock.url, clientId: 'dev-client', clientSecret: 'dev-secret', timeout: 60 };

test.each([
  ['mial', '--connector mial is not a connector of the service. Did you mean "mail"?'],
  ['paused', '--connector paused is not enabled and COMPLETED. Choose one of mail, '],
  ['acme-oidc', '--connector acme-oidc is not a connector of the service. Choose one of mail, '],
])('the connector %s, which no case can use, is refused', async (connector, message) => {
  await expect(openTarget({ ...access, connector })).rejects.toThrow(message);
});

test('the cases use the connector that the user named, else the first of its type that can have accounts', async () => {
  const named = new Api(await openTarget({ ...access, connector: 'chat' }), 'promised');
  expect([named.connector('OAUTH'), named.connector('API_KEY')]).toEqual(['chat', 'crm']);
  expect(new Api(await openTarget(access), 'promised').connector('OAUTH')).toBe('mail');
  expect(() => named.given('userId')).toThrow('needs a user outside the organization; set the id');
});
