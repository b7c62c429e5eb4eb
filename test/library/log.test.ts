/** What the log says about a refused call, and what the message of a 401 says. */
import { expect, jest, test } from '@jest/globals';
import { createMock, type LogEntry } from '#mock';
import { describe, formatEntry, toLog } from '../../src/library/log.ts';

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
  const call = {
    ...{ event: 'request', method: 'GET', path: '/api/v1/connections', ms: expect.any(Number) },
    ...{ operation: 'listConnections', environment: 'development' },
  };
  const meant = expect.stringContaining('Did you mean "domain"?');
  expect(entries).toEqual([
    { ...call, status: 200, warnings: [meant] },
    { ...call, status: 400, reason: meant, rule: 'http://mock.local/_mock/guide/rules#t2' },
  ]);
  for (const entry of entries) expect('ms' in entry && String(entry.ms)).toMatch(/^\d+(\.\d)?$/);
});

test('the log shows neither the query of a page nor the whole token in its path', async () => {
  const entries: LogEntry[] = [];
  await using mock = createMock({ log: (entry) => entries.push(entry) });
  await mock.fetch(`/magicLink/${'aB3d'.repeat(11)}?decision=deny`);
  expect(entries).toMatchObject([{ status: 404, path: '/magicLink/aB3daB3d...' }]);
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

const CALL = { event: 'request', method: 'GET', path: '/x', status: 404, ms: 3 } as const;

test('a line of the log holds what is known of a call, and then why it was refused', () => {
  expect(formatEntry(CALL)).toBe('GET /x 404 (3 ms)');
  const more = {
    operation: 'getKeys',
    environment: 'dev',
    reason: 'No.',
    warnings: ['Odd.'],
    rule: 'http://r',
  };
  expect(formatEntry({ ...CALL, ...more })).toBe('GET /x 404 getKeys (dev, 3 ms): No. Odd. http://r');
});

test('an entry is one line, in which nothing that a caller sent controls the terminal', () => {
  const text = 'a\n\u001b[31mb\u009bc\u2028d\u007f';
  const shown = 'a\\u000a\\u001b[31mb\\u009bc\\u2028d\\u007f';
  expect(formatEntry({ ...CALL, path: text, reason: text })).toBe(`GET ${shown} 404 (3 ms): ${shown}`);
  expect(formatEntry({ event: 'grpc_unserved', address: text, message: '' })).toContain(`at ${shown} uses`);
  expect(formatEntry({ event: 'fault', message: 'a\n  at b\u001b' })).toBe(
    'The mock failed: a\n  at b\\u001b',
  );
});

test.each<[LogEntry, string]>([
  [{ event: 'fault', message: 'Oh.' }, 'The mock failed: Oh.'],
  [
    { event: 'reply_violation', method: 'GET', url: '/x?a=1', message: 'Oh.' },
    'The reply to GET /x?a=1 broke the contract: Oh.',
  ],
  [{ event: 'grpc_unserved', address: '::1', message: 'Oh.' }, 'A client at ::1 uses gRPC. Oh.'],
  [
    { event: 'reload_failed', message: 'a.yaml:1:2: Oh.' },
    'The scenario changed but cannot be loaded, so the mock keeps the old scenario:\na.yaml:1:2: Oh.',
  ],
  [
    { event: 'not_saved', file: 'a.json', message: 'Oh' },
    'a.json cannot be written: Oh. The mock tries again.',
  ],
])('the log says of %j: %s', (entry, words) => {
  expect(formatEntry(entry)).toBe(words);
});

test('the log warns of an environment of the scenario that no call can reach', async () => {
  const entries: LogEntry[] = [];
  await using _mock = createMock({
    scenario: { environments: { a: {} } },
    log: (entry) => entries.push(entry),
  });
  expect(entries).toEqual([
    { event: 'warning', message: expect.stringMatching(/^environments\.a has no clients/) },
  ]);
});

test('the log writes problems to standard error, as text or JSON, but no calls; a function gets both', () => {
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const warning = { event: 'warning', message: 'odd' } as const;
  const got: LogEntry[] = [];
  for (const option of ['pretty', 'json', 'silent', (entry: LogEntry) => void got.push(entry)] as const)
    for (const entry of [CALL, warning]) toLog(option)(entry);
  const lines = said.mock.calls.flat();
  said.mockRestore();
  expect(lines).toEqual(['Warning: odd.\n', '{"event":"warning","message":"odd"}\n']);
  expect(got).toEqual([CALL, warning]);
});

test('whatever is thrown is described', () => {
  expect([new Error('a'), 'b', null, { message: 'c' }, { stack: 'd' }].map((one) => describe(one))).toEqual([
    ...['a', 'b', 'null', 'c', '[object Object]'],
  ]);
  expect(describe({ message: 'c' }, 'stack')).toBe('c');
  expect(describe({ message: 'c', stack: 'd' }, 'stack')).toBe('d');
});
