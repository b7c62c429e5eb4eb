/** Environment variables of all commands, and the end of a run. */
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createMock } from '#mock';
import { COMMANDS } from '../../src/cli/commands.ts';
import { variableName } from '../../src/library/option.ts';
import { judgeRun, requireFiles, variablesOf } from '../../src/library/run.ts';
import { RUN_OPTIONS } from '../../src/library/run-options.ts';
import { readVariables, unknownVariables } from '../../src/library/variables.ts';
import { temporaryFolder } from '../support/folder.ts';
import { callsOf } from '../support/server.ts';

const folder = temporaryFolder();

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
  expect(readVariables(RUN_OPTIONS, { ...variables, CA_MOCK_STRICT: 'True' })).toEqual({ strict: true });
});

test('only a run that passed writes its record; a run that failed says that it did not (behaviour N3)', async () => {
  await using mock = createMock({ log: 'silent' });
  const pact = join(folder, 'calls.json');
  let said = '';
  const stderr = { write: (text: string) => (said += text) };
  const { record } = await judgeRun(mock, { coverage: 'off', pact }, stderr);
  record(false);
  expect(existsSync(pact)).toBe(false);
  expect(said).toBe(`${pact} was not written, because the run failed.\n`);
  record(true);
  expect(existsSync(pact)).toBe(true);
});

test('a run tells its tests the address, the credentials of the first environment and the control token', () => {
  const credentials = { clientId: 'a', clientSecret: 'b', accessToken: 'c' };
  const environments = [{ name: 'one', credentials }];
  const started = { mock: { url: 'http://h' }, environments } as unknown as Parameters<typeof variablesOf>[0];
  const variables = {
    ...{ CA_MOCK_URL: 'http://h', CA_MOCK_CLIENT_ID: 'a', CA_MOCK_CLIENT_SECRET: 'b' },
    ...{ CA_MOCK_ACCESS_TOKEN: 'c', CA_MOCK_KEEP: 'none' },
  };
  expect(variablesOf(started, {})).toEqual(variables);
  const { CA_MOCK_KEEP: _, ...others } = variables;
  process.env.CA_MOCK_KEEP = 'failed'; // what the user has set stays
  expect(variablesOf(started, { controlToken: 't' })).toEqual({ ...others, CA_MOCK_CONTROL_TOKEN: 't' });
  delete process.env.CA_MOCK_KEEP;
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

test('a Pact takes the place of the file to which a link leads, and leaves no other file behind', async () => {
  const own = temporaryFolder();
  const [file, link] = [join(own, 'kept.json'), join(own, 'link.json')];
  writeFileSync(file, 'before');
  symlinkSync(file, link);
  (await judge({ coverage: 'off', pact: link })).record(true);
  expect(readFileSync(file, 'utf8')).toContain('"interactions"');
  expect(readdirSync(own).sort()).toEqual(['kept.json', 'link.json']);
});

test('differences beyond 20 are counted, and a changed interaction is named by its members', async () => {
  const pact = join(folder, 'changed.json');
  (await judge({ coverage: 'off', pact })).record(true);
  const text = readFileSync(pact, 'utf8');
  writeFileSync(pact, `\uFEFF${text.replaceAll('\n', '\r\n').replace('"path": "', '"path": "/old')}`);
  const [message] = (await judge({ coverage: 'off', pact, pactCheck: true })).failures;
  expect(message?.split('\n').slice(1)).toEqual([
    '  ~ listConnections 200 with include=all (default) request path: "/old/api/v1/connections", now "/api/v1/connections"',
  ]);
  const many = {
    ...JSON.parse(text),
    ...Object.fromEntries(Array.from({ length: 25 }, (_, nth) => [`x${nth}`, nth])),
  };
  writeFileSync(pact, JSON.stringify(many));
  const [long] = (await judge({ coverage: 'off', pact, pactCheck: true })).failures;
  expect(long?.split('\n')).toHaveLength(22);
  expect(long).toMatch(/\n {2}and 5 more$/);
});

test('the end of a run shows its coverage in short, in full or not at all', async () => {
  const [short, full, off] = await Promise.all(
    ([undefined, 'full', 'off'] as const).map(async (coverage) => (await judge({ coverage })).said),
  );
  expect(short).toMatch(/^\nCoverage of the contract by this run: [\d.]+%\n.*Calls: listConnections 1\n/s);
  expect(full).toMatch(/^listConnections +1 +200 /m);
  expect(off).toBe('');
});

test.each([
  ['shop', 'shop'],
  [undefined, 'connected-accounts-mock'], // of package.json
])('the Pact of a run whose consumer is %s has the name %s', async (pactConsumer, name) => {
  const pact = join(folder, 'pact.json');
  (await judge({ coverage: 'off', pact, pactConsumer })).record(true);
  expect(JSON.parse(readFileSync(pact, 'utf8')).consumer).toEqual({ name });
});

test.each([
  '{ "name": "" }',
  '{ "name": 5 }',
  '{',
])('a run whose package.json is %s calls its application so', async (text) => {
  const [pact, own, before] = [join(folder, 'plain.json'), temporaryFolder(), process.cwd()];
  writeFileSync(join(own, 'package.json'), text);
  process.chdir(own);
  try {
    (await judge({ coverage: 'off', pact })).record(true);
  } finally {
    process.chdir(before);
  }
  expect(JSON.parse(readFileSync(pact, 'utf8')).consumer).toEqual({ name: 'application' });
});
