/**
 * Names of commands, flags, options, filters and headers are misspelt by one letter: a refusal or a warning names the right
 * one (behaviour N1). test/engine/contract/misspelt.test.ts does this to the names of the documents.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { connectMock, createMock, startMock } from '#mock';
import { readArguments } from '../../src/cli/arguments.ts';
import { COMMAND_NAMES, COMMANDS } from '../../src/cli/commands.ts';
import { runProgram } from '../../src/cli/program.ts';
import { packageRoot } from '../../src/engine/contract/package-root.ts';
import type { MockEnvironment } from '../../src/library/mock-environment.ts';
import { flagName, type Option } from '../../src/library/option.ts';
import { MOCK_OPTIONS, requireOptions, START_OPTIONS } from '../../src/library/options.ts';
import { RUN_OPTIONS } from '../../src/library/run-options.ts';
import { type MockMatchers, matchers } from '../../src/library/runners/matchers.ts';
import type { setupMock } from '../../src/library/runners/setup.ts';
import type { createTestEnvironments } from '../../src/library/runners/test-environments.ts';
import type plugin from '../../src/library/runners/vitest-plugin.mts';
import { silentOnes, told } from '../support/misspelt.ts';
import { testServer } from '../support/server.ts';

const server = testServer();
const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

/** Expects a message with the right name for each misspelt one. */
const expectTold = async (...given: Parameters<typeof silentOnes>): Promise<void> =>
  expect(await silentOnes(...given)).toEqual([]);

test('commands', async () => {
  const say = async (wrong: string): Promise<string> => {
    let text = '';
    const stream = {
      write: (more: string) => {
        text += more;
      },
    };
    const process = { env: {}, stdout: stream, stderr: stream, once: () => {}, cwd: () => '.' };
    expect(await runProgram([wrong], process)).toBe(2);
    return text;
  };
  await expectTold(COMMAND_NAMES, say);
});

test.each(Array.from(COMMANDS))('flags of %s', async (_command, { options, operands }) => {
  const say = (wrong: string) => told(() => readArguments([wrong, '--', 'true'], options, {}, operands));
  await expectTold(Object.keys(options).map(flagName), say);
});

test('values of flags that have a list', async () => {
  const tables = [...COMMANDS.values()].map(({ options }) => options);
  const rows: [string, Option<unknown>][] = tables.flatMap((options) => Object.entries(options));
  for (const [name, option] of rows.filter(([, { placeholder }]) => placeholder?.includes('|'))) {
    const say = (wrong: string) =>
      told(() => readArguments([`${flagName(name)}=${wrong}`], { [name]: option }, {}));
    const values = (option.placeholder ?? '').split('|').filter((value) => value !== 'N');
    await expectTold(values, say);
  }
});

test('options of startMock, createMock and the plugin for Vitest', async () => {
  const say = (take: (options: object) => unknown) => (wrong: string) => told(() => take({ [wrong]: 1 }));
  await expectTold(Object.keys(START_OPTIONS), say(startMock));
  await expectTold(Object.keys(MOCK_OPTIONS), say(createMock));
  const run = say((options) => requireOptions(options, RUN_OPTIONS)); // the setups and the plugin
  await expectTold(Object.keys(RUN_OPTIONS), run);
});

test('names in the matchers of runners, and the operation', async () => {
  const { mock } = server;
  const env = await mock.createEnvironment();
  const received = (wrong: string) =>
    told(() => matchers.toHaveReceived(env, 'listConnections', { [wrong]: 1 }));
  await expectTold(['status', 'times', 'body', 'query'], received);
  const sent = (wrong: string) => told(() => matchers.toHaveSent(env, { [wrong]: 1 }));
  await expectTold(['to', 'kind', 'subject', 'link', 'times'], sent);
  const operations = Object.values(parse(read('openapi.yaml')).paths).flatMap((path) =>
    Object.values(Object(path)).flatMap((operation) => Object(operation).operationId ?? []),
  );
  const called = (wrong: string) => told(() => matchers.toHaveReceived(env, wrong as 'getKeys'));
  await expectTold(operations, called);
  const fault = (wrong: string) => told(() => env.faults.add({ operation: wrong as 'getKeys', status: 500 }));
  await expectTold(operations, fault);
});

test('names in filters and waits of the library', async () => {
  const mock = await startMock({ port: 0, log: 'silent' });
  const remote = await connectMock(mock.url);
  for (const env of [await mock.environment(), await remote.environment()]) {
    const requests = ['operation', 'status', 'path', 'query', 'identifier', 'body', 'since'];
    const takers: [string[], (given: object) => unknown][] = [
      [requests, (filter) => env.requests(filter)],
      [[...requests, 'timeout'], (filter) => env.waitForRequest(filter)],
      [['to', 'kind', 'since'], (filter) => env.outbox(filter)],
      [['to', 'timeout'], (filter) => env.waitForEmail(filter)],
      [['scenario'], (options) => env.reset(options)],
    ];
    for (const [names, take] of takers) await expectTold(names, (wrong) => told(() => take({ [wrong]: 1 })));
    const wait = (wrong: string) =>
      told(() => env.waitForStatus('mail/ada@acme.test', 'ACTIVE', { [wrong]: 1 }));
    await expectTold(['timeout'], wait);
  }
  const connect = (wrong: string) => told(() => connectMock(mock.url, { [wrong]: 'x' }));
  await expectTold(['controlToken'], connect);
  await mock.close();
});

test('an object in place of a text of a query is refused', async () => {
  const say = told(() => server.mock.pact({ consumer: { name: 'shop' } } as never));
  expect(await say).toBe('consumer is an object, but must be a string. Pass consumer as a string.');
});

test('headers with which a call steers the mock', async () => {
  const env = await server.isolated();
  const say = (toHeaders: (wrong: string) => Record<string, string>) => async (wrong: string) => {
    await env.control('DELETE', '/requests');
    await env.api('GET', '/api/v1/connections', undefined, toHeaders(wrong));
    const [entry] = (await env.control('GET', '/requests')).body.requests;
    return (entry.warnings ?? []).join(' ');
  };
  const names = ['x-mock-environment', 'x-mock-strict'];
  const byHeader = say((wrong) => ({ [wrong]: '1' }));
  const lower = async (wrong: string) => (await byHeader(wrong)).toLowerCase();
  await expectTold(names, lower);
  const inBaggage = say((wrong) => ({ baggage: `a=b,${wrong}=x` }));
  await expectTold(['mock-environment'], inBaggage);
  await expectTold(
    ['code'],
    say((wrong) => ({ prefer: `${wrong}=503` })),
  );
  await expectTold(
    ['true'],
    say((wrong) => ({ 'x-mock-strict': wrong })),
  );
});

interface Entries {
  readonly plugin: typeof plugin;
  readonly setupMock: typeof setupMock;
  readonly createTestEnvironments: typeof createTestEnvironments;
}

/** Only for the compiler (`npm run types`), which tells of a directive below that has no error to expect. */
const refusedByTheCompiler = async (
  { plugin, setupMock, createTestEnvironments }: Entries,
  env: MockEnvironment,
  matcher: MockMatchers,
): Promise<void> => {
  // @ts-expect-error scenario
  plugin({ scenaro: 'x' });
  // @ts-expect-error minCoverage
  plugin({ minCoverag: 40 });
  // @ts-expect-error pactConsumer
  await setupMock({ pactConsumr: 'shop' });
  // @ts-expect-error strict
  createMock({ strickt: true });
  // @ts-expect-error port
  await startMock({ prot: 0 });
  // @ts-expect-error controlToken
  await connectMock('http://127.0.0.1:4720', { controlTokn: 'x' });
  // @ts-expect-error error_code
  await env.faults.add({ operation: 'getKeys', error_cod: 'INTERNAL' });
  // @ts-expect-error the operation listConnections
  await env.faults.add({ operation: 'listConection', status: 500 });
  // @ts-expect-error status
  await env.waitForRequest({ statsu: 200 });
  // @ts-expect-error timeout
  await env.waitForEmail({ timout: 200 });
  // @ts-expect-error timeout
  await env.waitForStatus('mail/ada@acme.test', 'ACTIVE', { timout: 200 });
  // @ts-expect-error the status ACTIVE
  await env.waitForStatus('mail/ada@acme.test', 'ACTIV');
  // @ts-expect-error times
  await matcher.toHaveReceived('listConnections', { tims: 2 });
  // @ts-expect-error subject
  await matcher.toHaveSent({ subjct: 'Welcome' });
  // @ts-expect-error invitation
  await matcher.toHaveSent({ kind: 'invite' });
  // @ts-expect-error 15d
  await env.advance('15 days');
  // @ts-expect-error 5s
  await env.waitForRequest({ timeout: '5 seconds' });
  await env.advance(`${Number('2')}h30m`);
  // @ts-expect-error per
  createTestEnvironments({ prr: 'file' }, 'jest');
};
void refusedByTheCompiler;
