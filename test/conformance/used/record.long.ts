/** `exec --used` records in a file what a run uses of the API, or compares the run with the file, which `diff` reads. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/folder.ts';
import { builtProgram } from '../../support/program.ts';

const folder = temporaryFolder();
const program = builtProgram();
afterAll(program.stop);

/** A run of a test runner, as a process of its own: the record is written when the process ends. */
const RUN = `
  import { setupMock } from ${JSON.stringify(join(program.folder, 'setup.js'))};
  const [query, options, code] = process.argv.slice(2);
  const endRun = await setupMock({ coverage: 'off', log: 'silent', ...JSON.parse(options) });
  const { CA_MOCK_URL: url, CA_MOCK_ACCESS_TOKEN: token } = process.env;
  const json = { 'content-type': 'application/json' };
  const call = async (bearer, path, body) => {
    const headers = { ...json, authorization: 'Bearer ' + bearer };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    await (await fetch(url + path, { headers, ...sent })).text();
  };
  const made = await fetch(url + '/_mock/environments', { method: 'POST', headers: json, body: '{}' });
  const { access_token } = await made.json();
  const link = { connector: 'mail', identifier: 'ada', user_verify_url: 'https://a.test' };
  await Promise.all([
    call(token, '/api/v1/connections' + query),
    call(access_token, '/api/v1/connected_accounts/magic_link', link),
    call(token, '/api/v1/connected_accounts/magic_link', { connector: 'mail' }),
  ]);
  await endRun();
  process.on('exit', () => { process.exitCode ||= Number(code); }); // as Jest does, after the teardown`;

const runTests = (query: string, options: object, code = 0, env: Readonly<Record<string, string>> = {}) => {
  const script = join(folder, 'run.mjs');
  writeFileSync(script, RUN);
  const { status, stderr } = spawnSync(
    process.execPath,
    [script, query, JSON.stringify(options), String(code)],
    { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
  );
  return { status, stderr };
};

const PASSED = { status: 0, stderr: '' };

const file = (name: string): string => join(folder, name);

test('a run with several environments writes one file, with the same bytes each time', () => {
  expect(runTests('?include=all', { used: file('used.json') })).toEqual(PASSED);
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
  expect(runTests('?include=all', { used: file('again.json') })).toEqual(PASSED);
  const kept = JSON.parse(readFileSync(file('again.json'), 'utf8'));
  expect(kept.operations.listConnections.reads).toEqual(reads);
  rmSync(file('again.json'));
  expect(runTests('?include=all', { used: file('again.json') })).toEqual(PASSED);
  expect(readFileSync(file('again.json'), 'utf8')).toBe(text);
});

test('--used-check does not change the file, and a run that differs from the file fails', () => {
  const check = { used: file('used.json'), usedCheck: true };
  expect(runTests('?include=all', check)).toEqual(PASSED);
  const differs = runTests('', check);
  expect(differs.status).toBe(1);
  expect(differs.stderr).toContain(
    'used.json does not list exactly the parts of the API that this run used.',
  );
  expect(runTests('', { ...check, used: file('fresh.json') }).status).toBe(1);
  expect(existsSync(file('fresh.json'))).toBe(false);
  writeFileSync(file('broken.json'), '[]');
  const broken = runTests('', { ...check, used: file('broken.json') });
  expect(broken.stderr).toContain('broken.json does not say what an application relies on');
});

test('a run that fails does not replace the record of an earlier run, and says so (behaviour N3)', () => {
  writeFileSync(file('kept.json'), readFileSync(file('used.json')));
  const kept = 'kept.json was not written, because the run failed.';
  const failed = runTests('', { used: file('kept.json') }, 1);
  expect(failed).toEqual({
    status: 1,
    stderr: `${file('kept.json')} was not written, because the run failed.\n`,
  });
  const low = runTests('', { used: file('kept.json'), minCoverage: 90 });
  expect(low.status).toBe(1);
  expect(low.stderr).toContain('less than the minimum of 90%');
  expect(low.stderr).toContain(kept);
  expect(readFileSync(file('kept.json'), 'utf8')).toBe(readFileSync(file('used.json'), 'utf8'));
});

test('a setup names a misspelt option, and warns of a misspelt variable, and takes what platforms set (behaviour N1)', () => {
  expect(runTests('', { scenaro: 'x' }).stderr).toContain(
    'There is no option scenaro. Did you mean "scenario"?',
  );
  const env = { CA_MOCK_SCENARO: 'x', CA_MOCK_PORT: 'tcp://172.17.0.2:4720', CA_MOCK_STRICT: 'True' };
  expect(runTests('', {}, 0, { ...env, CA_MOCK_PORT_4720_TCP_ADDR: '172.17.0.2' })).toEqual({
    status: 0,
    stderr: 'Nothing reads the variable CA_MOCK_SCENARO. Did you mean "CA_MOCK_SCENARIO"?\n',
  });
});

test('exec shows what a run newly uses and no longer uses, and diff reads the file', async () => {
  const run = (...argv: readonly string[]) => program.run(argv, { cwd: folder });
  const command = ['--', process.execPath, '-e', "fetch(process.env.CA_MOCK_URL + '/keys')"];
  const { code, stderr } = await run('exec', '--used', 'used.json', '--used-check', ...command);
  expect(code).toBe(1);
  expect(stderr).toMatch('used.json does not list exactly the parts of the API that this run used');
  expect(stderr).toMatch('  - listConnections request: include=all\n');
  expect(stderr).toMatch('  + getKeys reply 200\n');
  expect(await run('exec', '--used-check', ...command)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--used-check needs --used as well.'),
  });
  expect(await run('diff', 'used.json', join(process.cwd(), 'openapi.yaml'))).toMatchObject({
    code: 0,
    stdout: '2 operations used; breaks: 0, may break: 0, new: 0\n',
  });
});
