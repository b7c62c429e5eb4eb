/** The runner against a server that means harm: each attack is the failure of its case, and the run goes on. */
import { expect, jest, test } from '@jest/globals';
import { judge } from '../../src/verify/compare.ts';
import { outcomeText, reportJson, reportJunit, summaryText } from '../../src/verify/report.ts';
import { type Report, runSuite } from '../../src/verify/run.ts';
import { SUITE } from '../../src/verify/suite.ts';
import { listeningServer } from '../support/server.ts';
import { type Alter, startAltered } from './altered.ts';

jest.setTimeout(60_000); // several areas run here, through a second server

const server = await listeningServer();

const verify = async (alter: Alter, ...areas: readonly string[]): Promise<Report> => {
  const altered = await startAltered(server.mock.url, alter);
  const suite = SUITE.filter(({ name }) => areas.includes(name));
  try {
    return await runSuite({
      baseUrl: altered.url,
      clientId: 'dev-client',
      clientSecret: 'dev-secret',
      suite,
    });
  } finally {
    await altered.close();
  }
};

const messagesOf = ({ outcomes }: Report, name: string): string =>
  outcomes.find((outcome) => outcome.case.name === name)?.messages.join('\n') ?? 'no such case';

test('a reply larger than 8 MiB and one that is nested too deep fail their cases alone', async () => {
  const report = await verify(
    ({ url }) => {
      if (url.includes(':search')) return 'x'.repeat(8 * 1024 * 1024 + 1);
      return url.includes('/requests') ? '['.repeat(100_000) + ']'.repeat(100_000) : undefined;
    },
    'accounts: search',
    'authentication logs',
    'custom providers',
  );
  expect(messagesOf(report, 'A search without a text is refused')).toMatch('the reply is larger than 8 MiB');
  expect(messagesOf(report, 'Filters that match nothing give an empty list')).toMatch('100 levels deep');
  expect(messagesOf(report, 'A provider without a display name is refused')).toBe('');
});

test('nothing that is printed holds a control character, or the token that a server sends back cut off', async () => {
  let token = '';
  const report = await verify(({ url, status, authorization, ...reply }) => {
    if (!url.startsWith('/api/v1/connections') || status >= 400) return undefined;
    token = authorization.slice(7);
    const evil = `\u001b[2J\u009b31m\u202efine\nFAILED forged ${authorization.slice(0, 30)}`;
    return JSON.stringify({ connections: evil, ...reply.headers });
  }, 'connections');
  const verdict = judge(report, {});
  const printed = [
    report.outcomes.map(outcomeText).join('') + summaryText(report),
    reportJson(report, verdict),
    reportJunit(report),
  ].join('');
  expect(report.totals.failed).toBeGreaterThan(0);
  expect(printed).toMatch(/fine.{1,2}FAILED forged Bearer \[secret\]/);
  expect(printed).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  expect(token.length).toBeGreaterThan(30);
  expect(printed).not.toContain(token.slice(0, 20));
});

test('a token reply that is no JSON is said clearly', async () => {
  await expect(
    verify(({ url }) => (url === '/oauth/token' ? '<html>' : undefined), 'tokens'),
  ).rejects.toThrow(
    /oauth\/token answered 200 without a token: its body is no JSON object with a text "access_token"/,
  );
});
