/** `exec --used` records in a file what a run uses of the API, or compares the run with the file, which `diff` reads. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { type SetupOptions, setupMock } from '../../../src/library/runners/setup.ts';
import { builtProgram } from '../../support/program.ts';

jest.setTimeout(120_000); // starts other processes, which are slow on a busy machine

const folder = mkdtempSync(join(tmpdir(), 'record-'));
afterAll(() => rmSync(folder, { recursive: true }));

const json = { 'content-type': 'application/json' };

/** Calls the API in two environments at once, as an application would. */
const application = async (query: string): Promise<void> => {
  const { CA_MOCK_URL: url, CA_MOCK_ACCESS_TOKEN: token } = process.env;
  const call = async (bearer: string, path: string, body?: object) => {
    const headers = { ...json, authorization: `Bearer ${bearer}` };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    await (await fetch(url + path, { headers, ...sent })).text();
  };
  const made = await fetch(`${url}/_mock/environments`, { method: 'POST', headers: json, body: '{}' });
  const { access_token } = (await made.json()) as Record<'access_token', string>; // control.yaml describes this reply
  const link = { connector: 'mail', identifier: 'ada', user_verify_url: 'https://a.test' };
  await Promise.all([
    call(token ?? '', `/api/v1/connections${query}`),
    call(access_token, '/api/v1/connected_accounts/magic_link', link),
    call(token ?? '', '/api/v1/connected_accounts/magic_link', { connector: 'mail' }),
  ]);
};

/** Starts a mock as a test runner does, runs the application, and ends the run. */
const runTests = async (query: string, options: SetupOptions): Promise<void> => {
  const endRun = await setupMock({ coverage: 'off', log: 'silent', ...options });
  await application(query);
  await endRun();
};

const file = (name: string): string => join(folder, name);

test('a run with several environments writes one file, with the same bytes each time', async () => {
  await runTests('?include=all', { used: file('used.json') });
  const text = readFileSync(file('used.json'), 'utf8');
  expect(JSON.parse(text)).toEqual({
    format: 1,
    api: '1.0.0',
    operations: {
      createMagicLink: {
        sends: ['connector', 'identifier', 'user_verify_url'],
        gets: { 200: ['expiry', 'link'], 400: expect.arrayContaining(['code', 'message']) },
      },
      listConnections: {
        sends: ['include=all'],
        gets: { 200: expect.arrayContaining(['connections[].key_id', 'connections[].type']) },
      },
    },
  });
  const reads = ['connections[].key_id'];
  const { operations } = JSON.parse(text);
  const written = { ...operations, listConnections: { ...operations.listConnections, reads } };
  writeFileSync(file('again.json'), JSON.stringify({ ...JSON.parse(text), operations: written }));
  await runTests('?include=all', { used: file('again.json') });
  const kept = JSON.parse(readFileSync(file('again.json'), 'utf8'));
  expect(kept.operations.listConnections.reads).toEqual(reads);
  rmSync(file('again.json'));
  await runTests('?include=all', { used: file('again.json') });
  expect(readFileSync(file('again.json'), 'utf8')).toBe(text);
});

test('--used-check does not change the file, and a run that differs from the file fails', async () => {
  const check = { used: file('used.json'), usedCheck: true };
  await runTests('?include=all', check);
  await expect(runTests('', check)).rejects.toThrow(
    'used.json does not list exactly the parts of the API that this run used.',
  );
  await expect(runTests('', { ...check, used: file('fresh.json') })).rejects.toThrow();
  expect(existsSync(file('fresh.json'))).toBe(false);
  writeFileSync(file('broken.json'), '[]');
  await expect(runTests('', { ...check, used: file('broken.json') })).rejects.toThrow(
    'broken.json does not say what an application relies on',
  );
});

test('exec shows what a run newly uses and no longer uses, and diff reads the file', async () => {
  const program = builtProgram();
  const run = (...argv: readonly string[]) => program.run(argv, { cwd: folder });
  const command = ['--', process.execPath, '-e', "fetch(process.env.CA_MOCK_URL + '/keys')"];
  const { code, stderr } = await run('exec', '--used', 'used.json', '--used-check', ...command);
  expect(code).toBe(1);
  expect(stderr).toMatch('used.json does not list exactly the parts of the API that this run used');
  expect(stderr).toMatch('  - listConnections request: include=all\n');
  expect(stderr).toMatch('  + getKeys reply 200\n');
  expect(await run('exec', '--used-check', ...command)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--used-check needs --used FILE.'),
  });
  expect(await run('diff', 'used.json', join(process.cwd(), 'openapi.yaml'))).toMatchObject({
    code: 0,
    stdout: '2 operations used; breaks: 0, may break: 0, new: 0\n',
  });
  await program.stop();
});
