/** `ca-mock exec` in this process: its exit code, and what the command gets and leaves. */
import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { createMock, startMock } from '#mock';
import { COMMANDS } from '../../src/cli/commands.ts';
import { readOptions, variableName } from '../../src/library/option.ts';
import { RUN_OPTIONS, unknownVariables } from '../../src/library/options.ts';
import { judgeRun, requireFiles } from '../../src/library/run.ts';
import { runCommand, signals } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { serveHttp } from '../support/http-server.ts';
import { callsOf } from '../support/server.ts';

const folder = temporaryFolder();
const PATH = process.env.PATH ?? '';

/** Runs a script with Node as the command of `exec`. */
const exec = (flags: readonly string[], script: string, more: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(['exec', '--coverage=off', ...flags, '--', process.execPath, '-e', script], {
    ...more,
    env: { PATH, ...more.env },
  });

const CALL = `
  const { CA_MOCK_URL: url, CA_MOCK_ACCESS_TOKEN: token } = process.env;
  const call = (token) => fetch(url + '/api/v1/connections', { headers: { authorization: 'Bearer ' + token } });`;

test.each<[string, readonly string[], string, number, boolean]>([
  ['the code of the command', [], 'process.exit(7)', 7, false],
  ['128 and the number of the signal that ended it', [], 'process.kill(process.pid, "SIGKILL")', 137, false],
  ['1 if a gate finds something', ['--min-coverage=90'], '', 1, false],
  ['the code of the command, whatever a gate finds', ['--min-coverage=90'], 'process.exit(3)', 3, false],
  ['0 if all is well', ['--min-coverage=0'], '', 0, true],
])('exec exits with %s, and writes its record only with 0', async (_what, flags, script, code, isWritten) => {
  const pact = join(temporaryFolder(), 'pact.json');
  const ran = await exec([...flags, `--pact=${pact}`], script);
  expect([ran.code, existsSync(pact)]).toEqual([code, isWritten]);
  if (code !== 0) expect(ran.err).toMatch(`${pact} was not written, because the run failed.\n`);
});

test('the command gets the variables of the mock in place of those that are set, and its arguments as they were given', async () => {
  const told: unknown[] = [];
  await using server = await serveHttp(async (request, response) => {
    told.push(await json(request));
    response.end();
  });
  const script = `fetch('${server.url}', { method: 'POST', body: JSON.stringify([process.env, process.argv.slice(1)]) })`;
  const given = [
    'two words',
    '',
    '*',
    ...'--help "quoted" it\'s 100% %PATH% a^b $HOME back\\slash'.split(' '),
  ];
  const command = [process.execPath, '-e', script, '--', ...given];
  // The flags set the options of the mock.
  const taken = await exec([`--port=${server.port}`], '');
  expect([taken.code, taken.err]).toEqual([
    1,
    expect.stringContaining(`Port ${server.port} of 127.0.0.1 is in use.`),
  ]);
  const { code, out, err } = await runCommand(
    ['exec', '--scenario=default', '--control-token=sesame', '--', ...command],
    { env: { PATH, CA_MOCK_CLIENT_ID: 'of another run', OWN: 'kept' } },
  );
  const CA_MOCK_URL = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(told).toEqual([
    [
      expect.objectContaining({
        ...{ CA_MOCK_URL, CA_MOCK_CLIENT_ID: 'dev-client', CA_MOCK_CLIENT_SECRET: 'dev-secret' },
        ...{ CA_MOCK_ACCESS_TOKEN: 'dev-token', CA_MOCK_CONTROL_TOKEN: 'sesame', OWN: 'kept' },
        CA_MOCK_KEEP: 'none',
      }),
      given,
    ],
  ]);
  expect([code, out, err]).toEqual([
    0,
    '',
    expect.stringMatching(/^\nCoverage of the contract by this run: 0%/),
  ]);
});

test('behaviour N3: --pact-check compares with the file, names what differs, and leaves it as it is', async () => {
  const pact = join(folder, 'checked.json');
  const script = `${CALL} call(token)`;
  await exec([`--pact=${pact}`, '--pact-consumer=shop', '--pact-provider=accounts'], script);
  const before = readFileSync(pact, 'utf8');
  const names = ['--pact-consumer=shop', '--pact-provider=accounts'];
  const check = (given: string, flags = names) => exec([`--pact=${pact}`, '--pact-check', ...flags], given);
  expect(await check(script)).toEqual({ code: 0, out: '', err: '' });
  const none = await check('');
  expect([none.code, none.out, none.err]).toEqual([
    1,
    '',
    `${pact} is not what this run relied on (- only in the file, + only in the run, ~ otherwise there). To write it anew, run again without --pact-check.\n  - listConnections 200 (default)\n`,
  ]);
  expect(JSON.parse(before).consumer).toEqual({ name: 'shop' });
  expect((await check(script, names.slice(0, 1))).err).toContain('\n  ~ provider\n');
  expect(readFileSync(pact, 'utf8')).toBe(before);
});

/** Tells a server how many signals of SIGTERM have come, until two have, and ends with that number; SIGINT counts 100. */
const counting = (url: string): string => `
  let counted = 0;
  process.on('SIGINT', () => { counted += 100; });
  process.on('SIGTERM', () => { counted += 1; });
  (async () => {
    for (let calls = 0; calls < 500 && counted % 100 < 2; calls += 1) await fetch('${url}/' + (counted % 100));
    process.exit(counted);
  })();`;

test.each([
  [false, 102],
  [true, 2],
])('each signal goes on to the command, but Ctrl-C in a terminal (%s) does not: it goes there anyway', async (isTTY, code) => {
  const { once, send } = signals();
  let sent = -1;
  await using server = await serveHttp(({ url }, response) => {
    if (sent < 0 || url === `/${sent}`) {
      send(sent < 0 ? 'SIGINT' : 'SIGTERM');
      sent += 1;
    }
    response.end();
  });
  expect((await exec([], counting(server.url), { once, stdin: { isTTY } })).code).toBe(code);
});

test.each<[flag: string, file: string, reason: string, more?: string[]]>([
  ['--journal', '.', 'is a folder'],
  ['--journal', '/dev/null', 'is not a regular file'],
  ['--journal', 'package.json/calls.har', 'cannot be written: it is below a file'],
  ['--pact', 'nowhere/pact.json', 'its folder does not exist'],
  ['--pact', 'package.json', 'is not a Pact', ['--pact-check']],
])('%s %s is refused before the command runs', async (flag, file, reason, more: readonly string[] = []) => {
  const ran = join(folder, 'ran');
  const { code, err } = await exec([flag, file, ...more], `require('node:fs').writeFileSync('${ran}', '')`);
  expect([code, err, existsSync(ran)]).toEqual([
    more.length > 0 ? 2 : 1,
    expect.stringContaining(reason),
    false,
  ]);
});

/** Calls the control plane with a body, or without. @returns the JSON of the reply */
const CONTROL = `
  const control = async (method, path, body) => (await fetch(url + '/_mock' + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })).json();`;

test('behaviour N7: the archive has the masked calls of all environments, deleted ones too, though the command failed', async () => {
  const own = temporaryFolder();
  const [journal = '', link = '', before = ''] = ['calls.har', 'link.har', 'before.har'].map((name) =>
    join(own, name),
  );
  writeFileSync(journal, 'of an earlier run');
  symlinkSync(journal, link);
  linkSync(journal, before);
  const { code, out, err } = await exec(
    [`--journal=${link}`],
    `${CALL}${CONTROL}
    (async () => {
      await call(token);
      await call('prod-token');
      const { name, access_token, client_id, client_secret } = await control('POST', '/environments', { name: 'gone' });
      await call(access_token);
      await fetch(url + '/api/v1/connected_accounts?query=' + client_secret, { headers: { authorization: 'Bearer ' + access_token } });
      await control('DELETE', '/environments/gone');
    })().then(() => process.exit(2));`,
  );
  expect([code, out, err]).toEqual([2, '', '']);
  expect(readFileSync(before, 'utf8')).toBe('of an earlier run'); // another file took its place
  expect(readdirSync(own)).toEqual(['before.har', 'calls.har', 'link.har']);
  const { log } = JSON.parse(readFileSync(journal, 'utf8'));
  const entries: { _environment: string; request: { url: string } }[] = log.entries;
  const seen = entries.map(({ _environment, request }) => `${_environment} ${request.url.split('/').at(-1)}`);
  expect([log.version, ...seen]).toEqual([
    '1.2',
    ...['development', 'production', 'gone'].map((name) => `${name} connections`),
    expect.stringMatching(/^gone connected_accounts\?query=.*\*/),
  ]);
  expect(JSON.stringify(log)).not.toMatch(/dev-token|prod-token/);
});

test('behaviour N7: exec lists refused control calls always, and refused or unknown API calls if the command failed', async () => {
  const script = (code: number) => `${CALL}${CONTROL}
    (async () => {
      await control('POST', '/environments/current/faults', { operation: 'listConections', status: 503 });
      await fetch(url + '/api/v1/conections', { headers: { authorization: 'Bearer ' + token } });
      for (let one = 0; one < 11; one += 1) await call('wrong');
    })().then(() => process.exit(${code}));`;
  const passed = await exec([], script(0));
  expect(passed.err).toMatch(
    /^Control calls that were refused:\n {2}POST \/_mock\/environments\/current\/faults 400: operation is "listConections".*\n$/,
  );
  const failed = await exec([], script(3));
  const lines = failed.err.trimEnd().split('\n').slice(2);
  expect(lines.slice(0, 2)).toEqual([
    'API calls that were refused, or that no operation has:',
    expect.stringMatching(/^ {2}GET \/api\/v1\/conections 404 \(development\): .*conections/),
  ]);
  expect(lines[2]).toMatch(/^ {2}GET \/api\/v1\/connections 401 \(development\): /);
  expect(lines.slice(11)).toEqual(['  and 2 more']);
  expect([passed.code, failed.code]).toEqual([0, 3]);
});

test('behaviour N7: with CA_MOCK_URL, exec uses that mock, judges all that ran there, and leaves it running', async () => {
  await using mock = await startMock({ port: 0, log: 'silent', controlToken: 'sesame' });
  await mock.fetch('/keys');
  const own = { CA_MOCK_CLIENT_ID: 'mine', CA_MOCK_ACCESS_TOKEN: 'prod-token' };
  const env = { CA_MOCK_URL: mock.url, CA_MOCK_CONTROL_TOKEN: 'sesame', ...own };
  const journal = join(temporaryFolder(), 'calls.har');
  const script = `${CALL} process.env.CA_MOCK_CLIENT_ID === 'mine' && process.env.CA_MOCK_CLIENT_SECRET && call(token)`;
  const ran = await exec([`--journal=${journal}`, '--min-coverage=90'], script, { env });
  expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(/^Coverage is (?!0%)/)]);
  const { log } = JSON.parse(readFileSync(journal, 'utf8'));
  // The variables that the user has set win.
  expect(log.entries).toMatchObject([{ _environment: 'development' }, { _environment: 'production' }]);
  const refused = await exec(['--scenario=empty'], '', { env });
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining(
      `--scenario has no effect: exec uses the mock that runs at ${mock.url} (CA_MOCK_URL).`,
    ),
  ]);
});

test('behaviour N7: on a terminal, exec says where the mock and its console are', async () => {
  const { err } = await exec([], '', { isTTY: true });
  expect(err).toMatch(/^The mock is ready at (http:\/\/127\.0\.0\.1:\d+), its console at \1\/_mock\/\n$/);
});

// Environment variables of all commands, and the end of a run.

test('every variable of a command is known, and one with a letter too many is named with the right one (behaviour N1)', () => {
  const names = [...COMMANDS.values()].flatMap(({ options }) => Object.keys(options).map(variableName));
  for (const name of new Set([...names, 'CA_MOCK_URL', 'CA_MOCK_ACCESS_TOKEN', 'CA_MOCK_KEEP'])) {
    expect(unknownVariables({ [name]: '1' })).toEqual([]);
    const [warning] = unknownVariables({ [`${name}X`]: '1' });
    expect(warning).toContain(`Nothing reads the variable ${name}X. Did you mean "${name}`);
  }
});

test('what container platforms set for a service with the name ca-mock counts as absent', () => {
  const variables = {
    CA_MOCK_PORT: 'tcp://172.17.0.2:4720',
    CA_MOCK_PORT_4720_TCP: 'tcp://172.17.0.2:4720',
    CA_MOCK_PORT_4720_TCP_ADDR: '172.17.0.2',
    CA_MOCK_SERVICE_HOST: '10.0.0.1',
    CA_MOCK_SERVICE_PORT_HTTP: '4720',
    CA_MOCK_NAME: '/app/ca-mock',
  };
  expect(unknownVariables(variables)).toEqual([]);
  expect(readOptions(RUN_OPTIONS, { ...variables, CA_MOCK_STRICT: 'True' })).toEqual({ strict: true });
});

/** Judges a run that called one operation. Returns what was said, too. */
const judge = async (options: Parameters<typeof judgeRun>[1]) => {
  await using mock = createMock({ log: 'silent' });
  await callsOf(mock).call('GET', '/api/v1/connections?include=all');
  let said = '';
  return { ...(await judgeRun(mock, options, { write: (text) => (said += text) })), said };
};

test('behaviour N3: each gate says what it finds, and --pact-check neither needs a file nor writes it', async () => {
  const pact = join(folder, 'nowhere/pact.json');
  const check = { pact, pactCheck: true };
  requireFiles(check);
  expect(() => requireFiles({ pact })).toThrow('its folder does not exist');
  const { failures, record } = await judge({ ...check, minCoverage: 100 });
  expect(failures).toEqual([
    expect.stringMatching(/^Coverage is [\d.]+%, less than the minimum of 100%\.$/),
    expect.stringContaining('\n  + listConnections 200 with include=all (default)'),
  ]);
  record(true);
  expect(existsSync(pact)).toBe(false);
});

test('differences beyond 20 are counted, and a changed interaction is named', async () => {
  const pact = join(folder, 'changed.json');
  (await judge({ coverage: 'off', pact })).record(true);
  const text = readFileSync(pact, 'utf8');
  writeFileSync(pact, `\uFEFF${text.replaceAll('\n', '\r\n').replace('"path": "', '"path": "/old')}`);
  expect(JSON.parse(text).consumer).toEqual({ name: 'connected-accounts-mock' }); // of package.json; --pact-check reads another
  const [message] = (await judge({ coverage: 'off', pact, pactCheck: true })).failures;
  expect(message?.split('\n').slice(1)).toEqual(['  ~ listConnections 200 with include=all (default)']);
  const many = {
    ...JSON.parse(text),
    ...Object.fromEntries(Array.from({ length: 25 }, (_, nth) => [`x${nth}`, nth])),
  };
  writeFileSync(pact, JSON.stringify(many));
  const [long] = (await judge({ coverage: 'off', pact, pactCheck: true })).failures;
  expect(long?.split('\n')).toHaveLength(22);
  expect(long).toMatch(/\n {2}and 5 more$/);
});
