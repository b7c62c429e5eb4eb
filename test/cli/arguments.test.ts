import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readArguments } from '../../src/cli/arguments.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { createPrinter } from '../../src/cli/start.ts';
import { isScenarioName } from '../../src/engine/scenario/scenario.ts';
import type { Started } from '../../src/library/create.ts';
import { type LogEntry, toLog } from '../../src/library/log.ts';
import { flagName } from '../../src/library/option.ts';
import { START_OPTIONS } from '../../src/library/options.ts';
import { told } from '../support/misspelt.ts';

/** @param flags without spaces in their values @param variables without `CA_MOCK_` */
const read = (flags: string, variables: Record<string, string> = {}) => {
  const env = Object.entries(variables).map(([name, value]) => [`CA_MOCK_${name}`, value]);
  return readArguments(flags.split(' ').filter(Boolean), START_OPTIONS, Object.fromEntries(env)).values;
};

test.each<[flags: string, variables: Record<string, string>, values: object]>([
  ['', {}, {}], // so the scenario and the defaults decide
  [
    '--port 0 --clock 2026-01-15T09:30:00Z --strict',
    {},
    { port: 0, clock: '2026-01-15T09:30:00Z', strict: true },
  ],
  ['--base-url https://mock.test/ --seed random', {}, { baseUrl: 'https://mock.test/', seed: 'random' }],
  ['--port=65535 --base-url=HTTP://Mock.test', {}, { port: 65_535, baseUrl: 'HTTP://Mock.test' }],
  ['--port=2 -s empty', {}, { port: 2, scenario: 'empty' }],
  ['-p=4999', {}, { port: 4999 }],
  ['--control-token=-abc', {}, { controlToken: '-abc' }],
  ['--port 1', { PORT: '2' }, { port: 1 }],
  ['', { PORT: '2', HOST: '' }, { port: 2 }],
  ['--strict=false', { STRICT: 'on' }, { strict: false }],
  ['', { WATCH: '1', STRICT: '0' }, { watch: true, strict: false }],
  ['', { VALIDATE_RESPONSES: 'off' }, { validateResponses: 'off' }],
  ['--grpc-descriptors a --grpc-descriptors=b', {}, { grpcDescriptors: ['a', 'b'] }],
  ['', { GRPC_DESCRIPTORS: 'a,b' }, { grpcDescriptors: ['a', 'b'] }],
  ['--save a.json --watch=false', {}, { save: 'a.json', watch: false }],
  ['--watch', { SAVE: '' }, { watch: true }],
  ['--tls-cert c.pem', { TLS_KEY: 'k.pem' }, { tlsCert: 'c.pem', tlsKey: 'k.pem' }],
])('the flags %j with the variables %j are the options %j', (flags, variables, values) => {
  expect(read(flags, variables)).toEqual(values);
});

test.each<[flags: string, message: string, variables?: Record<string, string>]>([
  ['--port 70000', '--port is "70000", but must be a whole number from 0 to 65535.'],
  ['--port 80.', '--port is "80.", but must be a whole number'],
  ['-p 1 --port=2', '--port is given twice. Give it once.'],
  ['--seed dice', 'must be a whole number from 0 to 4294967295, or random.'],
  ['--clock noon', '--clock is "noon", but must be an ISO 8601 time'],
  ['--base-url http://h/?q=1', '--base-url is "http://h/?q=1", but must be an http'],
  ['--base-url http://me:word@h', '--base-url is "http://[secret]@h", but must be an http'],
  ['-p x', '-p is "x", but must be'],
  ['--hosted aprove', 'must be one of interactive, approve, deny. Did you mean "approve"?'],
  ['--strict=maybe', '--strict is "maybe", but must be true or false'],
  ['--control-token=\n', '--control-token must be one or more letters'],
  ['--control-token -abc', '--control-token needs a value'],
  ['--port', '--port needs a value: a whole number from 0 to 65535.'],
  ['--scenario --strict', '--scenario needs a value'],
  ['--scenaro empty', 'There is no flag --scenaro. Did you mean "--scenario"?'],
  ['-x', 'There is no flag -x.'],
  ['--PORT=1', 'There is no flag --PORT. Did you mean "--port"?'],
  ['--__proto__ x', 'There is no flag --__proto__.'],
  ['-port 1', 'There is no flag -port. Did you mean "--port"?'], // not read as several flags
  ['-scenario=empty', 'There is no flag -scenario. Did you mean "--scenario"?'],
  ['--tls-cert c.pem', '--tls-cert needs --tls-key as well.'],
  ['', 'CA_MOCK_TLS_KEY needs --tls-cert as well.', { TLS_KEY: 'k.pem' }],
  ['', 'CA_MOCK_PORT is "http", but must be', { PORT: 'http' }],
  ['--watch', 'CA_MOCK_SAVE and --watch exclude each other.', { SAVE: 'a.json' }],
])('the message about %j names the flag or variable as it was typed: %s', (flags, message, variables = {}) => {
  expect(() => read(flags, variables)).toThrow(message);
});

test.each(
  Array.from(COMMANDS),
)('%s refuses each flag that is empty, lacks a value or its companion, or comes twice', async (_name, {
  options,
  operands,
}) => {
  const rest = operands.startsWith('--') ? ['--', 'true'] : [];
  const say = (...argv: string[]) => told(() => readArguments([...argv, ...rest], options, {}, operands));
  for (const [name, { placeholder, isRepeatable, needs }] of Object.entries(options)) {
    const flag = flagName(name);
    if (!isRepeatable)
      expect(await say(`${flag}=1`, `${flag}=1`)).toBe(`${flag} is given twice. Give it once.`);
    if (placeholder === undefined)
      expect(await say(`${flag}=maybe`)).toMatch(new RegExp(`${flag} (is "maybe", but must be|needs)`));
    else
      expect([await say(`${flag}=`), await say(flag)]).toEqual([
        expect.stringMatching(new RegExp(`${flag} (is .*, but must be|must be|needs)`)),
        expect.stringContaining(`${flag} needs a value`),
      ]);
    if (needs !== undefined) expect(await say(`${flag}=1`)).toBe(`${flag} needs ${flagName(needs)} as well.`);
  }
});

// What `ca-mock start` prints, by its log style, without a process.

const started = (url: string, ...environments: object[]): Started =>
  ({ mock: { url, scenario: { name: 'own', description: 'Mine' } }, environments }) as unknown as Started;

const DEV = { name: 'dev', client_id: 'id', client_secret: 'secret', access_token: '' };
const ONE = started('https://h:1', DEV);

const printed = (style: 'pretty' | 'json' | 'silent', given = ONE, isTTY = false) => {
  const said = { out: '', err: '' };
  const stdout = { isTTY, write: (text: string) => (said.out += text) };
  const printer = createPrinter(style, { stdout, stderr: { write: (text: string) => (said.err += text) } });
  printer.ready(given);
  const entries: LogEntry[] = [
    { event: 'request', method: 'GET', path: '/keys', status: 200, ms: 1 },
    { event: 'reloaded', message: 'Reloaded own.' },
    { event: 'warning', message: 'odd' },
  ];
  for (const entry of entries) toLog(printer.log)(entry);
  return said;
};

test('silent has the address alone, JSON a line for the address, each environment, each page and each entry of the log', () => {
  expect(printed('silent')).toEqual({ out: 'https://h:1\n', err: '' });
  const { out, err } = printed('json');
  expect(err).toBe('');
  expect(JSON.parse(`[${out.trim().replaceAll('\n', ',')}]`)).toEqual([
    { event: 'ready', url: 'https://h:1' },
    { event: 'environment', name: 'dev', client_id: 'id', client_secret: 'secret', access_token: '' },
    { event: 'address', of: 'console', url: 'https://h:1/_mock/' },
    { event: 'address', of: 'reference', url: 'https://h:1/_mock/docs' },
    { event: 'address', of: 'guide', url: 'https://h:1/_mock/guide' },
    { event: 'request', method: 'GET', path: '/keys', status: 200, ms: 1 },
    { event: 'reloaded', message: 'Reloaded own.' },
    { event: 'warning', message: 'odd' },
  ]);
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
  expect(out).toMatch(/\nGET \/keys 200 \(1 ms\)\nReloaded own\.\n$/);
  expect(err).toBe('Warning: odd.\n');
  const plain = { ...ONE, mock: { ...ONE.mock, scenario: { name: 'own', description: '' } } };
  expect(printed('pretty', plain as Started).out).toMatch(/^ {2}Scenario +own$/m);
  expect(printed('pretty', started('http://h:1', { ...DEV, access_token: 'token' })).out).toContain(
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

// What `cmd` and Windows would not understand, as far as it can be seen elsewhere. CI runs all tests on Windows too.

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

test.each(Object.entries(scripts))('cmd can run the script %s', (_name, script) => {
  for (const command of script.split(' && ')) {
    const [program = ''] = command.split(' ');
    const isKnown = ['node', 'npm'].includes(program) || existsSync(`node_modules/.bin/${program}`);
    expect([program, isKnown]).toEqual([program, true]); // so no `VARIABLE=value`, `rm`, `./file` or `sh`
    const words = command.replaceAll(/"[^"%]*"/g, 'quoted');
    expect(words).toMatch(/^[\w:=./ -]*$/); // so no ' ; | > $ % ^ & ` and no pattern that only a shell expands
  }
});

test('a scenario cannot have the name of a device of Windows, or end in what its file names lose', () => {
  for (const name of ['con', 'NUL', 'Aux', 'prn', 'com1', 'LPT9', 'trailing.', 'trailing '])
    expect([name, isScenarioName(name)]).toEqual([name, false]);
  for (const name of ['console', 'null', 'com10', 'auxiliary']) expect(isScenarioName(name)).toBe(true);
});
