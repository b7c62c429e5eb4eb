/** The commands of `ca-mock`, in process where they can be. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { printCoverage } from '../../src/cli/checks.ts';
import { start, TLS } from '../library/start.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { program } from './program.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const ROOT = process.cwd();
afterEach(() => process.chdir(ROOT));

/** Runs a command in this process, in the folder. */
const run = async (...args: string[]) => {
  process.chdir(folder);
  const { code, out, err } = await runCommand(args, { env: { PATH: process.env.PATH ?? '' } });
  return { code, stdout: out, stderr: err };
};
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

test('`help` and --help print the help of the program or of a command, and --version the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const help = await run('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const line of [
    /^ {2}validate \[FILE\.\.\.\] +check scenario files; /m,
    /^ {2}help \[COMMAND\] +show this text, /m,
    /^ {2}--port, -p N +port to listen on; .* \(default: 4720\)$/m,
    /^ {2}--strict +refuse unknown .* \(default: the scenario's, else off\)$/m,
  ])
    expect(help.stdout).toMatch(line);
  for (const args of [['help'], ['help', '-h'], ['help', 'help']]) expect(await run(...args)).toEqual(help);
  for (const args of [['--version'], ['-v'], ['start', '--port', '0', '--version']])
    expect(await run(...args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const ofCommand = await run('help', 'verify');
  expect(ofCommand.stdout).toMatch(
    /^Usage: ca-mock verify \[FLAGS\]\n\n {2}run the .*\n\nFlags\n.*--client-id ID/s,
  );
  expect(ofCommand.stdout).not.toContain('--port');
  expect(await run('verify', '--json', '-h')).toEqual(ofCommand);
});

test('exec exits with the code of a shell if the command is missing, or is not executable', async () => {
  write('plain.txt', '');
  for (const [command, code, reason] of [
    ['./missing', 127, 'ENOENT.'],
    ['./plain.txt', 126, 'EACCES.'],
    ['npm test', 127, 'ENOENT. Leave the quotes out: ca-mock exec -- npm test'],
  ] as const) {
    const ran = await run('exec', '--coverage', 'off', '--', command);
    expect(ran).toMatchObject({ code, stderr: `${command} cannot be run: ${reason}\n` });
  }
});

test('printing the help does not load the server', async () => {
  await program.run(['--help'], { env: { NODE_V8_COVERAGE: folder } });
  const files = readdirSync(folder).flatMap((name): string[] =>
    JSON.parse(readFileSync(join(folder, name), 'utf8'))
      .result.map(({ url }: { url: string }) => url)
      .filter((url: string) => url.startsWith('file:')),
  );
  expect(files.some((file) => file.endsWith('/cli.js'))).toBe(true);
  expect(files.filter((file) => readFileSync(new URL(file), 'utf8').includes('x-powered-by'))).toEqual([]);
});

test.each([
  [['strat'], 'There is no command "strat". Did you mean "start"?'],
  [['help', 'verfy'], 'There is no command "verfy". Did you mean "verify"?'],
  [['start', 'empty'], 'The argument "empty" is too many. The command takes only flags; a command must be'],
  [['help', 'start', 'x'], 'The argument "x" is too many. The command takes only [COMMAND].'],
  [
    ['exec', '--journal', 'a.json', '--pact', './a.json', '--', 'true'],
    '--pact and --journal need a file each',
  ],
  [['exec', '--used', 'a.json', '--', 'true'], 'There is no flag --used.'],
  [['diff', 'a.json', 'openapi.yaml'], 'There is no command "diff".'],
  [['init', ''], 'An argument is empty. Leave it out, or give [FILE].'],
  [['init', 'a.yaml', 'b.yaml'], 'The argument "b.yaml" is too many. The command takes only [FILE].'],
  [['coverage', '--url', 'http://127.0.0.1:1'], 'There is no flag --url. Give the address without a flag.'],
  [['list', '--grpc-descriptors', '/nope'], '--grpc-descriptors needs --grpc as well.'],
  [['scenario.YML'], 'To serve a scenario: ca-mock --scenario scenario.YML'],
  [
    ['verify'],
    'verify needs --base-url and --client-id and --client-secret.\nCommands and flags: ca-mock help,',
  ],
  [['exec', 'npm', '--', 'test'], 'exec needs a command after --, such as: ca-mock exec -- npm test'],
  [['exec', '--'], 'exec needs a command after --'],
  [['completion', 'bash'], 'There is no command "completion"'],
  [['version'], 'Did you mean "--version"?'],
  [['list', '--grpc', '--fixtures', 'x'], '--fixtures has no effect with --grpc'],
  [['list', '--grpc'], 'list --grpc needs the descriptors of an SDK'],
  [['init', '--from', 'http://127.0.0.1:9'], 'There is no flag --from'],
])('%j exits with 2 and suggests what the user meant', async (args, advice) => {
  expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(advice) });
});

const CLOSED = 'http://127.0.0.1:9'; // nothing listens on this port
const CLIENT = ['--client-id', 'a', '--client-secret', 'b'];
const readersOf = (address: string) => [
  ['verify', '--base-url', address, ...CLIENT],
  ['coverage', address],
  ['export', '--url', address],
];
test.each(
  readersOf(CLOSED),
)('%s exits with 2 and a message when the server cannot be reached, and without an address says which it reads', async (...args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^[^\n]*127\.0\.0\.1:9[^\n]*\n$/);
  expect(readdirSync(folder)).toEqual([]);
  const usage = args.slice(0, -1).concat('URL').join(' ');
  if (args[0] !== 'verify')
    expect((await run(`${args[0]}`)).stderr).toMatch(
      `Reading http://127.0.0.1:4720, the default address. Another mock: ca-mock ${usage}\n`,
    );
});

test('a command that does not trust a certificate says how to trust it', async () => {
  const mock = await start(TLS);
  const advice = /certificate is not trusted \([A-Z_]+\)\. Set NODE_EXTRA_CA_CERTS to the PEM file/;
  for (const args of readersOf(mock.url))
    expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(advice) });
  const plain = await start();
  expect((await run('coverage', plain.url.replace('http', 'https'))).stderr).toContain('Write http://');
  expect((await run('coverage', mock.url.replace('https', 'http'))).stderr).toContain('write https://');
});

test('list prints a line for every scenario, ca-mock.yaml first, and with --json an array', async () => {
  const missing = await run('list', '--fixtures', 'mine');
  expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no folder mine') });
  mkdirSync(join(folder, 'mine'));
  write('mine/tiny.yaml', 'description: Next to nothing\n');
  write('ca-mock.yaml', 'description: My application\n');
  const { stdout } = await run('list', '--fixtures', 'mine');
  expect(stdout).toMatch(
    /^ca-mock\.yaml +My application\n.*^default +Two organizations.*^tiny +Next to nothing$/ms,
  );
  const [first, ...others] = JSON.parse((await run('list', '--fixtures', 'mine', '--json')).stdout);
  expect(first).toEqual({ name: 'ca-mock.yaml', description: 'My application' });
  expect(others).toContainEqual({ name: 'tiny', description: 'Next to nothing' });
});

test('list --grpc shows which methods of an SDK the mock serves, and which it does not', async () => {
  const descriptors = join(import.meta.dirname, '../grpc/accounts.binpb');
  const { code, stdout } = await run('list', '--grpc', '--grpc-descriptors', descriptors);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^example\.accounts\.v1\.Connections\/ListConnections +listConnections {2}GET \/api\/v1\/connections$/m,
  );
  expect(stdout).toMatch(
    /CountConnectedAccounts +not served: {2}POST \/example.accounts.v1.ConnectedAccounts\/Count\w+$/m,
  );
  expect(stdout).toMatch(
    /^No name in the API matches AUTHORIZATION_TYPE_CONTOSO_DWD, .*AuthorizationDetails\.contoso_dwd, /m,
  );
  const names = join(import.meta.dirname, '../grpc/names.yaml');
  const both = ['--grpc-descriptors', descriptors, '--grpc-descriptors', names];
  const mapped = await run('list', '--grpc', ...both);
  expect(mapped.stdout).not.toMatch(/contoso_dwd|CONTOSO_DWD|NORTHWIND_OAUTH1/);
  const env = { CA_MOCK_FIXTURES: 'mine', CA_MOCK_ORGANIZATION_I: 'x' }; // unlike the flag, may be set for other commands
  const listed = await runCommand(['list', '--grpc', '--json', ...both.slice(0, 2)], { env });
  expect(listed.err).toBe(
    'Nothing reads the variable CA_MOCK_ORGANIZATION_I. Did you mean "CA_MOCK_ORGANIZATION_ID"?\n', // behaviour N1
  );
  const rows: { operation: string }[] = JSON.parse(listed.out);
  const areServed = rows.map(({ operation }) => operation !== 'not served:');
  expect(areServed).toEqual(areServed.toSorted().toReversed());
  const none = await run('list', '--grpc', '--grpc-descriptors', folder);
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toContain('contains no descriptors of gRPC services');
});

test('validate shows every problem of every file with FILE:LINE:COL, that of a shared file once, and exits with 1', async () => {
  write('good.yaml', 'environments: { development: {} }\n');
  write('bad.yaml', 'environments:\n  development:\n    user: []\n    settings: { hosted: maybe }\n');
  write('base.yaml', 'environments: { development: { users: [{ email: nobody }] } }\n');
  const extending = (row: string): string =>
    `extends: ./base.yaml\nenvironments: { development: { connected_accounts: [${row}], user: [] } }\n`;
  write('one.yaml', extending('{ connector: mail, identifier: a }'));
  write('two.yaml', extending('{ connector: chat, identifier: a, status: OPEN }'));
  const files = ['good.yaml', 'bad.yaml', 'one.yaml', 'two.yaml'];
  const { code, stdout } = await run('validate', ...files, 'missing.yaml', '.', 'https://a.test/b.yaml');
  expect(code).toBe(1);
  expect(stdout.match(/^\S+:\d+:\d+(?=: )/gm)).toEqual([
    ...['bad.yaml:3:5', 'bad.yaml:4:25', 'base.yaml:1:49'],
    ...['one.yaml:2:90', 'two.yaml:2:95', 'two.yaml:2:104'],
  ]);
  for (const words of [
    /^good\.yaml: valid \(/m,
    /^bad\.yaml:3:5: .*users/m,
    /^bad\.yaml:4:25: .*interactive/m,
    /there is no file missing\.yaml/,
    /"https:\/\/a\.test\/b\.yaml" is an address; save it as a file first/,
    /"\." is a folder; use the path of a file in it/,
  ])
    expect(stdout).toMatch(words);
});

test('validate says what a scenario holds, and what it changes in its base, so that a mistyped key shows', async () => {
  const rows = 'users: [{ email: ada@acme.test, metadata: { team: core } }], connections: [{ key_id: mial }]';
  write('mine.yaml', `extends: default\nenvironments: { development: { ${rows} } }\n`);
  const { stdout } = await run('validate', 'mine.yaml');
  expect(stdout).toMatch(
    /^mine\.yaml: valid \(2 clients, 3 organizations, .* 20 connections, .*; of default: 1 row changed, 1 added\)\n$/,
  );
});

test('validate without a file checks ca-mock.yaml of the working directory and all scenarios of --fixtures', async () => {
  write('ca-mock.yaml', 'environments: { a: { access_tokens: [t] }, b: {} }\n');
  expect(await run('validate')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^ca-mock\.yaml: warning: .*\nca-mock\.yaml: valid \(no rows\)\n$/),
    stderr: '',
  });
  mkdirSync(join(folder, 'mine'));
  write('mine/tiny.yaml', 'environments: { development: { access_tokens: [mine] } }\n');
  write('ca-mock.yaml', 'extends: tiny\n');
  expect(await run('validate', '--fixtures', 'mine')).toMatchObject({
    code: 0,
    stdout: 'ca-mock.yaml: valid (no rows; of tiny: 0 rows changed, 0 added)\ntiny: valid (no rows)\n',
  });
});

test('init writes a valid scenario, also as JSON, and does not overwrite a file', async () => {
  for (const [args, name, flags] of [
    [[], 'ca-mock.yaml', ''],
    [['mine.JSON'], 'mine.JSON', ' --scenario mine.JSON'],
  ] as const) {
    const stdout = `Wrote ${name}. Serve it with: ca-mock${flags}\n`;
    expect(await run('init', ...args)).toEqual({ code: 0, stdout, stderr: '' });
    expect((await run('validate', name)).code).toBe(0);
  }
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  expect(JSON.parse(read('mine.JSON'))).toEqual(parse(read('ca-mock.yaml')));
  write('mine.yaml', 'untouched');
  const refused = await run('init', 'mine.yaml');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('mine.yaml already exists');
  expect(read('mine.yaml')).toBe('untouched');
  expect((await run('init', 'nowhere/mine.yaml')).stderr).toContain('its folder does not exist');
});

// The commands that read a running mock, called in this process.

const file = join(temporaryFolder(), 'mine.yaml');
const TOKEN = ['--control-token', 'sesame'];

test('export writes the environment that is named, else the first, to a file or to standard output', async () => {
  const { url } = await start({ controlToken: 'sesame' });
  const run = (...flags: string[]) =>
    runCommand(['export', ...TOKEN, ...flags], { env: { CA_MOCK_URL: url } });
  expect(await run('--environment', 'production', file)).toEqual({
    code: 0,
    out: `Wrote production to ${file}. Serve it with: ca-mock --scenario ${file}\n`,
    err: '',
  });
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).environments)).toEqual(['production']);
  expect(await runCommand(['validate', file])).toMatchObject({ code: 0, err: '' });
  const { out, err } = await run();
  expect([Object.keys(JSON.parse(out).environments), err]).toEqual([['development'], '']);
  expect(JSON.parse(out).clock.mode).toBe('running');
  expect((await run('--relative')).out).not.toMatch(/"clock":|\d{4}-\d{2}-\d{2}T/);
  const wrong = await run('--environment', 'prodction');
  expect([wrong.code, wrong.out, wrong.err]).toEqual([1, '', expect.stringContaining('"production"')]);
  const denied = await runCommand(['export', '--url', url]);
  expect([denied.code, denied.err]).toEqual([1, expect.stringContaining('control token')]);
});

test('coverage shows each mock that is named, in this order, as a table or as a line of JSON', async () => {
  const mocks = [await start(), await start()];
  for (const path of ['connections', 'connected_accounts'])
    await fetch(`${mocks[1]?.url}/api/v1/${path}`, { headers: { authorization: 'Bearer dev-token' } });
  const urls = mocks.map(({ url }) => url);
  const lines = (await runCommand(['coverage', '--json', ...urls])).out.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).operations.seen)).toEqual([0, 2]);
  const { code, out, err } = await runCommand(['coverage'], { env: { CA_MOCK_URL: urls[1] ?? '' } });
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^listConnections +1 /m);
  const low = await runCommand(['coverage', '--min-coverage', '1', ...urls]);
  expect([low.code, low.err]).toEqual([1, `${urls[0]}: 0% is less than --min-coverage 1.\n`]);
  // Exactly the minimum is enough, and each of several mocks must reach it.
  const { percent = 0 } = (await mocks[1]?.coverage()) ?? {};
  const codeAt = async (minCoverage: number, ...operands: string[]) => {
    const stream = { write: () => true };
    const process = { env: {}, stdout: stream, stderr: stream, once: () => {}, cwd: () => folder };
    return printCoverage({ values: { minCoverage }, operands, flags: [] }, process);
  };
  const [none = '', some = ''] = urls;
  const codes = [codeAt(0, none), codeAt(percent, some), codeAt(percent, some, none)];
  expect([percent > 0, ...(await Promise.all(codes))]).toEqual([true, 0, 0, 1]);
  const guarded = await start({ controlToken: 'sesame' });
  expect((await runCommand(['coverage', ...TOKEN, guarded.url])).code).toBe(0);
});
