/** The commands that call a running mock. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Mock, startMock } from '#mock';
import { folder, program } from './program.ts';

let mocks: readonly [Mock, Mock];
beforeAll(async () => {
  const options = { port: 0, log: 'silent', scenario: 'default', controlToken: 'sesame' } as const;
  mocks = [await startMock(options), await startMock(options)];
  const headers = { authorization: 'Bearer dev-token' };
  await fetch(`${mocks[0].url}/api/v1/connections`, { headers });
  await fetch(`${mocks[1].url}/api/v1/connections?domain=x.test`, { headers });
  await fetch(`${mocks[1].url}/api/v1/connected_accounts`, { headers });
});
afterAll(() => Promise.all(mocks.map((mock) => mock.close())));

const run = (args: readonly string[], env = {}) =>
  program.run(args, { cwd: folder, env: { CA_MOCK_CONTROL_TOKEN: 'sesame', ...env } });

test('export writes an environment as a valid scenario, to a file or to standard output', async () => {
  const [{ url }] = mocks;
  const written = await run(['export', '--url', url, '--environment', 'production', 'mine.yaml']);
  expect(written).toEqual({
    code: 0,
    stdout: 'Wrote production to mine.yaml. Serve it with: ca-mock --scenario mine.yaml\n',
    stderr: '',
  });
  const text = readFileSync(join(folder, 'mine.yaml'), 'utf8');
  expect(JSON.parse(text).clock.mode).toBe('running');
  expect(await run(['validate', 'mine.yaml'])).toMatchObject({ code: 0 });
  expect((await run(['export', '--environment', 'production'], { CA_MOCK_URL: url })).stdout).toContain(
    '"production":',
  );
  expect((await run(['export', '--url', url])).stdout).toContain('"development":');
  const { stdout } = await run(['export', '--url', url, '--relative']);
  expect(stdout).toContain('"development":');
  expect(stdout).not.toMatch(/"clock":|\d{4}-\d{2}-\d{2}T/);
});

test('export suggests the environment with the most similar name', async () => {
  const wrong = await run(['export', '--url', mocks[0].url, '--environment', 'prodction']);
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('"production"') });
});

test('coverage shows a table for each mock, and with --json a line', async () => {
  const urls = mocks.map(({ url }) => url);
  const { stdout } = await run(['coverage', ...urls]);
  expect(stdout.match(/^listConnections +1 /gm)).toHaveLength(2);
  const lines = (await run(['coverage', '--json', ...urls])).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).operations.seen)).toEqual([1, 2]);
});
