/** `ca-mock exec` runs another command with a mock of its own. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folder, program } from './program.ts';

const exec = (flags: readonly string[], ...command: readonly string[]) =>
  program.run(['exec', ...flags, '--', ...command], { cwd: folder });

/** The command that runs a script with Node. */
const node = (script: string): readonly string[] => [process.execPath, '-e', script];

const CALL = `
  const headers = { authorization: 'Bearer ' + process.env.CA_MOCK_ACCESS_TOKEN };
  fetch(process.env.CA_MOCK_URL + '/api/v1/connections', { headers }).then(({ status }) => console.log(status));`;

test('the command gets the address and credentials of the mock, and only the command writes to standard output', async () => {
  const { code, stdout, stderr } = await exec([], ...node(CALL));
  expect({ code, stdout }).toEqual({ code: 0, stdout: '200\n' });
  const lines = stderr.trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^Coverage of the contract by this run: [\d.]+%$/),
    expect.stringMatching(/^operations 1\/24, /),
    'Calls: listConnections 1',
    '23 others were never called.',
    'Set CA_MOCK_COVERAGE=full to print the whole table, or CA_MOCK_COVERAGE=off to print nothing.',
  ]);
  const { CA_MOCK_CLIENT_ID, CA_MOCK_CLIENT_SECRET } = JSON.parse(
    (await exec(['--control-token', 'sesame'], ...node('console.log(JSON.stringify(process.env))'))).stdout,
  );
  expect([CA_MOCK_CLIENT_ID, CA_MOCK_CLIENT_SECRET]).toEqual(['dev-client', 'dev-secret']);
});

test('exec exits with the code of the command, also if a signal ended the command', async () => {
  expect((await exec([], ...node('process.exit(7)'))).code).toBe(7);
  expect((await exec([], ...node('process.kill(process.pid, "SIGKILL")'))).code).toBe(137);
});

test('the arguments of the command arrive as they were given', async () => {
  const given = ['two words', '', '*', ...'"quoted" it\'s 100% %PATH% a^b a&b $HOME back\\slash'.split(' ')];
  const { stdout } = await exec([], ...node('console.log(JSON.stringify(process.argv.slice(1)))'), ...given);
  expect(JSON.parse(stdout)).toEqual(given);
});

test('exec can print coverage in full or not at all; too little fails the run, but a failed command keeps its exit code', async () => {
  const full = await exec(['--coverage', 'full', '--min-coverage', '90'], ...node(CALL));
  expect(full.code).toBe(1);
  expect(full.stderr).toMatch(/^listConnections +1 +200 /m);
  expect(full.stderr).toMatch(/Coverage is [\d.]+%, less than the minimum of 90%\.\n$/);
  expect((await exec(['--min-coverage', '90'], ...node('process.exit(3)'))).code).toBe(3);
  expect(await exec(['--coverage', 'off'], ...node(CALL))).toEqual({ code: 0, stdout: '200\n', stderr: '' });
});

test('a file that cannot be written or read is reported before the command runs', async () => {
  writeFileSync(join(folder, 'broken.json'), '{}');
  for (const [flags, reason] of [
    [['--used', 'broken.json', '--used-check'], 'broken.json does not say what an application relies on'],
    [['--used', 'broken.json'], 'broken.json does not say what an application relies on'],
    [['--used', 'nowhere/used.json'], 'nowhere/used.json cannot be written: its folder does not exist.'],
    [['--journal', 'nowhere/calls.har'], 'nowhere/calls.har cannot be written: its folder does not exist.'],
    [['--journal', '.'], '. cannot be written: it is a folder.'],
  ] as const)
    expect(await exec(flags, ...node(CALL))).toEqual({
      code: flags[1] === 'broken.json' ? 2 : 1,
      stdout: '',
      stderr: expect.stringContaining(reason),
    });
});

test('--pact writes a Pact with the name of the application, unless the run fails', async () => {
  await exec(['--pact', 'pact.json', '--pact-consumer', 'shop'], ...node(CALL));
  const { consumer, interactions } = JSON.parse(readFileSync(join(folder, 'pact.json'), 'utf8'));
  expect(consumer).toEqual({ name: 'shop' });
  expect(interactions).toMatchObject([{ description: 'listConnections 200', response: { status: 200 } }]);
  const failed = await exec(['--pact', 'other.json'], ...node('process.exit(3)'));
  expect([failed.code, failed.stderr]).toEqual([3, expect.stringContaining('other.json was not written')]);
});

test('--journal writes the calls of all environments as an HTTP Archive', async () => {
  await exec(['--journal', 'calls.har'], ...node(CALL));
  const { log } = JSON.parse(readFileSync(join(folder, 'calls.har'), 'utf8'));
  expect(log).toMatchObject({ version: '1.2', entries: [{ _environment: 'development' }] });
  expect(log.entries[0].request.url).toMatch(/\/api\/v1\/connections$/);
  expect(JSON.stringify(log)).not.toContain('dev-token');
});

test('exec passes a signal to the command, and passes on its exit code', async () => {
  const script = `
    process.once('SIGTERM', () => { require('node:fs').writeFileSync('ended', ''); process.exit(5); });
    console.log(process.env.CA_MOCK_URL);
    setInterval(() => {}, 1000);`;
  const running = await program.serve(['exec', '--', ...node(script)], { cwd: folder });
  expect((await running.stop('SIGTERM')).code).toBe(5);
  expect(existsSync(join(folder, 'ended'))).toBe(true);
  await expect(fetch(running.url)).rejects.toThrow('fetch failed');
});

test.each([
  [['exec']],
  [['exec', 'npm', 'test']],
  [['exec', 'npm', '--', 'test']],
  [['exec', '--strict', 'npm', 'test', '--foo']],
])('%j is refused, because exec needs a command after --', async (args) => {
  const { code, stderr } = await program.run(args);
  expect(code).toBe(2);
  expect(stderr).toContain('exec needs a command after --, such as: ca-mock exec -- npm test');
});

test('--help after -- goes to the command', async () => {
  expect((await exec([], ...node('console.log(process.argv[1])'), '--', '--help')).stdout).toBe('--help\n');
});
