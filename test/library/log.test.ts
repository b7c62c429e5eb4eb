/** What the log says about a refused call, and what the message of a 401 says. */
import { expect, test } from '@jest/globals';
import { createMock, type LogEntry } from '#mock';

test('the log says why a call of the control plane was refused', async () => {
  const entries: LogEntry[] = [];
  await using mock = createMock({ log: (entry) => entries.push(entry) });
  await expect(mock.environment('prodction')).rejects.toThrow('production');
  expect(entries).toMatchObject([
    { event: 'request', status: 404, reason: expect.stringContaining('prodction') },
  ]);
});

test('the log of a call of the API has its environment, and a link to the rule that refused it or what was ignored', async () => {
  const entries: LogEntry[] = [];
  await using mock = createMock({ log: (entry) => entries.push(entry) });
  for (const strict of ['0', '1'])
    await mock.fetch('/api/v1/connections?domian=x', {
      headers: { authorization: 'Bearer dev-token', 'x-mock-strict': strict },
    });
  const call = { event: 'request', operation: 'listConnections', environment: 'development' };
  expect(entries).toMatchObject([
    { ...call, status: 200, warnings: [expect.stringContaining('Did you mean "domain"?')] },
    { ...call, status: 400, rule: 'http://mock.local/_mock/guide/rules#t2' },
  ]);
});

test('the message of a 401 names the clients of the scenario without their secrets, and a help page', async () => {
  await using mock = createMock({ log: 'silent' });
  await mock.createEnvironment();
  const answer = await mock.fetch('/api/v1/connections', { headers: { authorization: 'Bearer other' } });
  const text = await answer.text();
  expect([answer.status, JSON.parse(text).message]).toEqual([
    401,
    expect.stringMatching(
      /Clients of this server: dev-client \(development\), prod-client \(production\)\. The guide: http:\/\/mock\.local\/_mock\/guide\/troubleshooting#401$/,
    ),
  ]);
  expect(text).not.toMatch(/dev-secret|dev-token|prod-secret/);
});
