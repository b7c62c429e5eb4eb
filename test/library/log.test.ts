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
