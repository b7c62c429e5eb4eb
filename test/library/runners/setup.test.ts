/** The setup of a run: one mock for all its projects, what the end of the run closes and fails, and Vitest's plugin. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { startMock } from '#mock';
import { connectMock } from '../../../src/library/client.ts';
import { setupMock, teardownMock } from '../../../src/library/runners/setup.ts';
import plugin from '../../../src/library/runners/vitest-plugin.mts';
import { warmUp } from '../../../src/library/warm.ts';
import { temporaryFolder } from '../../support/folder.ts';

const QUIET = { log: 'silent', coverage: 'off' } as const;

const { exitCode } = process;
afterEach(() => {
  process.exitCode = exitCode;
  for (const name of ['STRICT', 'HOSTED', 'URL', 'SCENARIO', 'MIN_COVERAGE'])
    delete process.env[`CA_MOCK_${name}`];
});

test('the projects of a run share one mock, which the last of them ends; the next run has a new one', async () => {
  process.env.CA_MOCK_STRIKT = '1';
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ends = [await setupMock(QUIET), await setupMock(QUIET)];
  const lines = said.mock.calls.flat();
  said.mockRestore();
  delete process.env.CA_MOCK_STRIKT;
  expect(lines).toEqual(['Nothing reads the variable CA_MOCK_STRIKT. Did you mean "CA_MOCK_STRICT"?\n']);
  const remote = await connectMock();
  await ends[0]?.();
  expect((await remote.environments()).length).toBe(2);
  await ends[1]?.();
  await expect(remote.environments()).rejects.toThrow('Nothing is responding');
  expect([process.env.CA_MOCK_URL, process.env.CA_MOCK_ACCESS_TOKEN]).toEqual([undefined, undefined]);
  await setupMock(QUIET);
  expect((await connectMock()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await teardownMock();
  await teardownMock(); // a second time does nothing
  expect(process.env.CA_MOCK_URL).toBeUndefined();
});

test('an option of the setup wins over its variable, and a variable over the scenario', async () => {
  Object.assign(process.env, { CA_MOCK_STRICT: '1', CA_MOCK_HOSTED: 'deny' });
  const end = await setupMock({ ...QUIET, strict: false });
  const env = await (await connectMock()).environment();
  expect(await env.settings()).toMatchObject({ strict: false, hosted: 'deny' });
  await end();
});

test('behaviour N1: before a mock starts, an unknown option is refused, and a variable that needs another one', async () => {
  for (const name of ['check', 'consumer']) {
    const variable = `CA_MOCK_PACT_${name.toUpperCase()}`;
    process.env[variable] = '1';
    await expect(setupMock(QUIET)).rejects.toThrow(`--pact-${name} needs --pact as well.`);
    delete process.env[variable];
  }
  await expect(setupMock({ minCoverag: 1 } as object)).rejects.toThrow('Did you mean "minCoverage"?');
  expect(process.env.CA_MOCK_URL).toBeUndefined();
});

test('a mock that runs already is used and judged, and left running', async () => {
  await using mock = await startMock({ port: 0, log: 'silent' });
  process.env.CA_MOCK_URL = mock.url;
  const end = await setupMock({ ...QUIET, minCoverage: 1 });
  await expect(end()).rejects.toThrow('Coverage is 0%');
  expect((await mock.environments()).length).toBe(2);
  expect(process.env.CA_MOCK_URL).toBe(mock.url);
  process.env.CA_MOCK_URL = 'http://127.0.0.1:1';
  await expect(setupMock(QUIET)).rejects.toThrow('Nothing is responding');
});

/** What the process does when it has nothing left to do, and at its end. */
const endOf = (event: string): ((code: number) => void) =>
  process.listeners(event as 'exit').at(-1) ?? (() => {});

test.each([
  ['all tests passed', 0, true],
  ['a test failed', 1, false],
])('behaviour N3: if %s, the process ends with %i, and the record was written: %s', async (_what, code, isWritten) => {
  const pact = join(temporaryFolder(), 'in/pact.json');
  mkdirSync(join(pact, '..'));
  await (await setupMock({ ...QUIET, pact }))();
  const settle = endOf('exit');
  const ofRunner = (): void => {}; // Jest's own listener comes later, and decides the exit code
  process.once('exit', ofRunner);
  const before = endOf('beforeExit');
  before(code);
  expect(process.listeners('exit').filter((one) => one === settle)).toHaveLength(1);
  expect(endOf('exit')).toBe(settle);
  expect(existsSync(pact)).toBe(false);
  process.exitCode = code;
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  settle(code);
  expect(existsSync(pact)).toBe(isWritten);
  rmSync(join(pact, '..'), { recursive: true });
  process.exitCode = 0;
  settle(0);
  const lines = said.mock.calls.flat();
  said.mockRestore();
  expect(lines).toEqual([
    ...(isWritten ? [] : [`${pact} was not written, because the run failed.\n`]),
    `${pact} cannot be written: its folder does not exist. Create the folder first.\n`,
  ]);
  expect(process.exitCode).toBe(1);
  for (const listener of [settle, ofRunner]) process.off('exit', listener);
  process.off('beforeExit', before);
});

// A setup warms its process up before it says ready. The mock that is served shows no trace of that.

test('behaviour N3: a setup leaves no trace; a gate that finds something fails the end of the run, which closes the mock', async () => {
  const end = await setupMock({ ...QUIET, minCoverage: 50 });
  const mock = await connectMock(process.env.CA_MOCK_URL);
  expect((await mock.environments()).map(({ name }) => name)).toEqual(['development', 'production']);
  const environment = await mock.environment('development');
  expect([await environment.requests(), await environment.events()]).toEqual([[], []]);
  expect([(await mock.coverage()).percent, await mock.pact()]).toEqual([
    0,
    expect.objectContaining({ interactions: [] }),
  ]);
  const reply = await fetch(`${mock.url}/keys`);
  expect(reply.headers.get('x-request-id')).toBe('req_1');
  await expect(end()).rejects.toThrow(/Coverage is [\d.]+%, less than the minimum of 50%\./);
  expect(process.exitCode).toBe(1);
  await expect(mock.environments()).rejects.toThrow('Nothing is responding');
});

test('a process warms up once', () => {
  expect(warmUp()).toBe(warmUp());
});

// The plugin for Vitest: the options of a run.

test('the options of the plugin become variables, but a variable that is set wins', () => {
  process.env.CA_MOCK_STRICT = '0';
  const options = { scenario: 'empty', strict: true, minCoverage: 0, host: undefined } as object;
  const used = plugin(options);
  expect(used.config()).toEqual({ test: { globalSetup: ['connected-accounts-mock/vitest/setup'] } });
  const set = ['SCENARIO', 'STRICT', 'MIN_COVERAGE', 'HOST'].map((name) => process.env[`CA_MOCK_${name}`]);
  expect(set).toEqual(['empty', '0', '0', undefined]);
  used.buildEnd();
  expect(() => plugin({ scenario: {} } as object)).toThrow('scenario must be a name or a path here.');
  expect(() => plugin({ minCoverag: 1 } as object)).toThrow('Did you mean "minCoverage"?');
});

test('the projects of a run must have the same options, until the last of them has ended', () => {
  const [one, same, other] = [plugin({ strict: true }), plugin({ strict: true }), plugin()];
  one.config();
  same.config();
  for (const ending of [one, same]) {
    expect(() => other.config()).toThrow(
      'the plugins of two have different options: { strict: true } and {}',
    );
    ending.buildEnd();
  }
  other.config();
  other.buildEnd();
});
