/** What `ca-mock start` prints, by its log style, without a process. */
import { expect, test } from '@jest/globals';
import { createPrinter } from '../../src/cli/start.ts';
import type { Started } from '../../src/library/create.ts';
import { type LogEntry, toLog } from '../../src/library/log.ts';

const started = (url: string, ...environments: object[]): Started =>
  ({ mock: { url, scenario: { name: 'own', description: 'Mine' } }, environments }) as unknown as Started;

const CREDENTIALS = { clientId: 'id', clientSecret: 'secret', accessToken: '' };
const ONE = started('https://h:1', { name: 'dev', credentials: CREDENTIALS });

const printed = (style: 'pretty' | 'json' | 'silent', given = ONE, isTTY = false) => {
  const said = { out: '', err: '' };
  const stdout = { isTTY, write: (text: string) => (said.out += text) };
  const printer = createPrinter(style, { stdout, stderr: { write: (text: string) => (said.err += text) } });
  printer.ready(given);
  const entries: LogEntry[] = [
    { event: 'request', method: 'GET', path: '/keys', status: 200, ms: 1 },
    { event: 'reloaded', scenario: 'own' },
    { event: 'warning', message: 'odd' },
  ];
  for (const entry of entries) toLog(printer.log)(entry);
  return said;
};

test('JSON has a line for the address, each environment, each page and each entry of the log', () => {
  const { out, err } = printed('json');
  expect(err).toBe('');
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { event: 'ready', url: 'https://h:1' },
    { event: 'environment', name: 'dev', client_id: 'id', client_secret: 'secret', access_token: '' },
    { event: 'address', of: 'console', url: 'https://h:1/_mock/' },
    { event: 'address', of: 'reference', url: 'https://h:1/_mock/docs' },
    { event: 'address', of: 'guide', url: 'https://h:1/_mock/guide' },
    { event: 'request', method: 'GET', path: '/keys', status: 200, ms: 1 },
    { event: 'reloaded', scenario: 'own' },
    { event: 'warning', message: 'odd' },
  ]);
});

test('silent has the address alone', () => {
  expect(printed('silent')).toEqual({ out: 'https://h:1\n', err: '' });
});

test('pretty shows the scenario, the credentials and a call that works; problems go to standard error', () => {
  const { out, err } = printed('pretty');
  expect(out).toMatch(
    /^ca-mock is ready at https:\/\/h:1\n\n {2}Scenario +own \(Mine\)\n {2}Console +https:/,
  );
  expect(out).toMatch(/^ {2}dev +id \/ secret \/ none$/m);
  expect(out).toContain(
    'curl --insecure -d grant_type=client_credentials -d client_id=id -d client_secret=secret https://h:1/oauth/token',
  );
  expect(out).toMatch(/\nGET \/keys 200 \(1 ms\)\nReloaded own, because its files changed\.\n$/);
  expect(err).toBe('Warning: odd.\n');
  const plain = { ...ONE, mock: { ...ONE.mock, scenario: { name: 'own', description: '' } } };
  expect(printed('pretty', plain as Started).out).toMatch(/^ {2}Scenario +own$/m);
  const credentials = { ...CREDENTIALS, accessToken: 'token' };
  expect(printed('pretty', started('http://h:1', { name: 'dev', credentials })).out).toContain(
    "  curl -H 'Authorization: Bearer token' http://h:1/api/v1/connected_accounts\n",
  );
});

test('on a terminal a line begins with the time of day; from 400 on it is yellow, from 500 on red', () => {
  const said: string[] = [];
  const stdout = { isTTY: true, write: (text: string) => said.push(text) };
  const log = toLog(createPrinter('pretty', { stdout, stderr: stdout }).log);
  for (const status of [399, 400, 499, 500])
    log({ event: 'request', method: 'GET', path: '/keys', status, ms: 1 });
  const starts = said.map((line) => line.split('GET')[0] ?? '');
  for (const start of starts) expect(start).toMatch(/^\d\d:\d\d:\d\d /);
  const [yellow, red] = process.env.NO_COLOR ? ['', ''] : ['\u001b[33m', '\u001b[31m'];
  expect(starts.map((start) => start.slice(9))).toEqual(['', yellow, yellow, red]);
});
