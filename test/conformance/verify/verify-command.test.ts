/** Runs `ca-mock verify` as a command: checks its output, its files and its exit code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { listeningServer } from '../../support/server.ts';

const server = await listeningServer();

const CLIENT = ['--base-url', server.mock.url, '--client-id', 'dev-client'];

const env = { CA_MOCK_CLIENT_SECRET: 'dev-secret' };
const folder = temporaryFolder();

const run = (...argv: readonly string[]) => runCommand(['verify', ...CLIENT, ...argv], { env });

test('the report has a line for each operation and the totals; without failures the exit code is 0', async () => {
  const { code, out, err } = await run();
  expect(code).toBe(0);
  expect(err).toBe('');
  expect(out).toMatch(/^getKeys +\d+ passed$/m);
  expect(out).toMatch(/\n\d+ passed, \d+ skipped\n {2}\d+ skipped: changes data, which needs --write\n/);
});

test('--json writes only JSON to standard output, and --junit writes a JUnit file', async () => {
  const junit = join(folder, 'report.xml');
  const { code, out } = await run('--json', '--junit', junit);
  expect(code).toBe(0);
  const { totals, cases } = JSON.parse(out);
  expect(totals).toMatchObject({ failed: 0, warned: 0 });
  expect(cases[0]).toMatchObject({ operation: 'issueToken', result: 'passed', basis: 'inferred' });
  expect(readFileSync(junit, 'utf8')).toMatch(
    /^<\?xml [^>]*>\n<testsuites name="ca-mock verify" tests="\d+" failures="0" skipped="\d+">/,
  );
});

test.each([
  [['--connector', 'mial'], /--connector mial is not a connector of the service. Did you mean "mail"\?/],
  [['--connector', 'paused'], /--connector paused is not enabled and COMPLETED. Choose one of mail, /],
  [['--user-id', 'usr_1'], /--user-id needs --organization-id as well/],
  [['--external-id', 'e'], /--external-id needs --organization-id as well/],
])('%j can have no effect, so it is refused', async (argv, message) => {
  const { code, out, err } = await run(...argv);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});

test('a JUnit file that cannot be written is reported before any call', async () => {
  const message = 'nowhere/report.xml cannot be written: its folder does not exist.';
  const { code, out, err } = await run('--junit', 'nowhere/report.xml');
  expect([code, out, err]).toEqual([1, '', expect.stringContaining(message)]);
});

test('if required flags are missing, the message names all of them, and only them', async () => {
  const { code, err } = await runCommand(['verify', '--client-id', 'a']);
  expect([code, err]).toEqual([2, expect.stringContaining('verify needs --base-url and --client-secret.')]);
});

test('a wrong secret causes exit code 2 and a message that does not show the secret', async () => {
  const { code, out, err } = await run('--client-secret', 'a-wrong-secret');
  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err).toMatch(
    /\/oauth\/token returned no token: status 401\. Check the address, --client-id and --client-secret\./,
  );
  expect(err).not.toContain('a-wrong-secret');
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the run before its next case', async (signal) => {
  const once = (each: string, listener: () => void): void => (each === signal ? listener() : undefined);
  const { code, out, err } = await runCommand(['verify', ...CLIENT], { env, once });
  expect([code, out.trim(), err]).toEqual([1, 'stopped before the end', '']);
});
