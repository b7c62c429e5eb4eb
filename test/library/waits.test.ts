/** Waits of an environment, for calls, e-mails and statuses: what they find, and what a wait that times out tells. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { connectMock, createMock, startMock } from '#mock';
import { readArguments } from '../../src/cli/arguments.ts';
import { COMMAND_NAMES, COMMANDS } from '../../src/cli/commands.ts';
import { packageRoot } from '../../src/engine/contract/package-root.ts';
import type { MockEnvironment } from '../../src/library/mock-environment.ts';
import { flagName, type Option } from '../../src/library/option.ts';
import { MOCK_OPTIONS, RUN_OPTIONS, requireOptions, START_OPTIONS } from '../../src/library/options.ts';
import { type MockMatchers, matchers } from '../../src/library/runners/matchers.ts';
import { setupMock } from '../../src/library/runners/setup.ts';
import { runCommand } from '../support/command.ts';
import { silentOnes, told } from '../support/misspelt.ts';
import { callsOf, testServer } from '../support/server.ts';
import { mockOfFile, NEW_ACCOUNT } from './isolated.ts';

const GRACE = 'usr_100000000000000002';
const ACME = 'org_100000000000000001';
const MAIL = 'ca_100000000000000001';
const { mock, isolated } = mockOfFile();

test('waitForRequest finds the call whose body and query match', async () => {
  const { env, call } = await isolated();
  const waited = env.waitForRequest({ body: { connector: 'mail' }, query: { a: 'b' }, timeout: '5m' });
  await call('POST', 'connected_accounts', NEW_ACCOUNT);
  await call('POST', 'connected_accounts?a=b', NEW_ACCOUNT);
  expect((await waited).status).toBe(409);
  expect(await env.requests({ path: '/api/v1/*', query: { a: 'b' } })).toHaveLength(1);
});

test('the error of a wait that times out lists the calls or e-mails that came instead', async () => {
  const { env, call } = await isolated();
  await expect(env.waitForRequest({ timeout: '1ms' })).rejects.toThrow(
    'No matching call was made within 1ms. There are no calls in this environment.',
  );
  await call('GET', 'connections');
  await expect(env.waitForRequest({ identifier: 'nobody@acme.test', timeout: '1ms' })).rejects.toThrow(
    'within 1ms. The calls in this environment:\n  GET /api/v1/connections 200 listConnections',
  );
  await env.faults.add({ operation: 'getKeys', status: 503 });
  for (const path of ['a', 'b', 'c', 'd', 'connections?pagesize=5']) await call('GET', path);
  const wait = env.waitForRequest({ status: 418, timeout: 0 });
  await expect(wait).rejects.toThrow(
    'within 0s. The last 5 of 6 calls in this environment:\n  GET /api/v1/a 404',
  );
  await expect(wait).rejects.toThrow(/listConnections\n {4}pagesize is not a known parameter\./);
  await callsOf(mock).call('GET', '/keys', { headers: { 'x-mock-environment': env.name } });
  await expect(env.waitForRequest({ status: 418, timeout: 0 })).rejects.toThrow(
    /GET \/keys 503 getKeys.*\n {4}fault \S+ took effect on this call$/,
  );
  await env.clearRequests();
  for (const path of ['a', 'b', 'c', 'd', 'e']) await call('GET', path);
  await expect(env.waitForRequest({ status: 418, timeout: 0 })).rejects.toThrow(
    'The calls in this environment:',
  );
  await call('PATCH', `invites/organizations/${ACME}/users/${GRACE}/resend`);
  await expect(env.waitForEmail({ kind: 'invitation', timeout: '1ms' })).rejects.toThrow(
    'The e-mails in this environment:\n  reminder to grace@acme.test: ',
  );
});

test('waitForStatus finds an account by its id or its natural key', async () => {
  const { env, call } = await isolated();
  const waited = env.waitForStatus('mail/new@acme.test', 'PENDING_AUTH');
  await call('POST', 'connected_accounts', NEW_ACCOUNT);
  const { id } = await waited;
  const later = env.waitForStatus(id, 'EXPIRED', { timeout: '5m' });
  await env.accounts.expire(id);
  expect((await later).identifier).toBe('new@acme.test');
});

test('behaviour I6: waitForStatus compares a connector in any case, and an identifier exactly', async () => {
  const connected_accounts = [
    { repeat: 201, connector: 'Mail', identifier: 'a{n}' },
    { connector: 'Mail', identifier: 'a', status: 'ACTIVE' },
  ] as const;
  const environment = { connections: [{ key_id: 'Mail', type: 'OAUTH' }], connected_accounts } as const;
  await using env = await mock.createEnvironment({
    scenario: { environments: { development: environment } },
  });
  expect((await env.waitForStatus('mAIL/a', 'ACTIVE', { timeout: '1ms' })).connector).toBe('Mail');
  await expect(env.waitForStatus('Mail/A', 'ACTIVE', { timeout: '1ms' })).rejects.toThrow('does not exist');
});

test('the error of waitForStatus names the current status of the account, and lists the changes', async () => {
  const { env, call } = await isolated();
  await env.accounts.grant(MAIL);
  await expect(env.waitForStatus(MAIL, 'EXPIRED', { timeout: '1ms' })).rejects.toThrow(
    `The account ${MAIL} is ACTIVE and did not become EXPIRED within 1ms.`,
  );
  await env.accounts.expire(MAIL);
  await call('POST', 'connected_accounts', NEW_ACCOUNT);
  await expect(env.waitForStatus('mail/x', 'EXPIRED', { timeout: '1ms' })).rejects.toThrow(
    /^The account mail\/x does not exist and did not become EXPIRED within 1ms\. The changes in this environment:\n.*\n.* from ACTIVE to EXPIRED\n {2}connected_account\.created \S+$/,
  );
  await expect(env.waitForStatus(MAIL, 'EXPIRED', { timeout: 'soon' as never })).rejects.toThrow(
    "timeout is 'soon', but must be a number of milliseconds",
  );
});

test('a filter takes a Date, and a timeout is a number of milliseconds or a duration', async () => {
  await using env = await mock.createEnvironment({ clock: '2030-01-01T00:00:00Z' });
  await env.setClock({ mode: 'frozen', now: '2030-01-02T00:00:00Z' });
  await callsOf(mock).call('GET', '/api/v1/connections', { token: env.credentials.accessToken });
  expect(await env.requests({ since: new Date('2030-01-02T00:00:00Z') })).toHaveLength(1);
  expect(await env.requests({ since: new Date('2030-01-02T00:00:01Z') })).toEqual([]);
  expect(await env.requests({ since: '2030-01-02T00:00:01Z' })).toEqual([]);
  expect(await env.outbox({ since: new Date('2030-01-01T00:00:00Z') })).toEqual([]);
  await expect(env.waitForEmail({ timeout: 5 })).rejects.toThrow('No matching e-mail was sent within 5ms.');
  await expect(env.waitForRequest({ status: 500, timeout: '5ms' })).rejects.toThrow('within 5ms.');
});

/** Values of another kind than a condition takes: refused through every door, in plain JavaScript too. */
const WRONG: readonly [condition: object, message: string][] = [
  [{ query: new URLSearchParams('include=all') }, 'query is URLSearchParams'],
  [{ query: 'include=all' }, "query is 'include=all', but must be an object of members"],
  [{ query: new Map([['a', 'b']]) }, 'query is Map'],
  [{ query: { page: ['1'] } }, 'page is ["1"], but must be a string.'],
  [{ query: { page: Number.NaN } }, 'query.page is NaN'],
  [{ body: () => true }, 'body is [Function'],
  [{ body: { page: Number.NaN } }, 'body.page is NaN, but must be a finite number.'],
  [{ body: { a: [{ b: undefined }] } }, 'body.a.0.b is undefined'],
  [{ body: { a: /b/ } }, 'body.a is /b/, but must be a value of JSON.'],
  [{ body: { a: expect.any(String) } }, 'body.a is '],
  [{ status: [] }, 'status is [], but must be a string that is not empty, a number or a Date.'],
  [{ status: Number.NaN }, 'status is NaN'],
  [{ status: undefined }, 'status is undefined'],
  [{ status: 99 }, 'status is "99", but must be '],
  [
    { path: '' },
    "path is '', but must be a string that is not empty, a number or a Date. Correct it, or leave it out.",
  ],
  [{ identifier: ['a'] }, "identifier is [ 'a' ]"],
  [{ since: 5 }, 'since is "5", but must be '],
  [{ limit: 1 }, 'Unknown name limit. Known: '],
  [{ format: 'har' }, 'Unknown name format. Known: '],
  [{ operation: 'listConnections', body: {} }, 'Calls of listConnections have no body'],
];

test.each(WRONG)('behaviour N6: a filter with %o is refused', async (condition, message) => {
  const { env } = await isolated();
  for (const take of [env.requests, env.har, env.waitForRequest])
    await expect(Reflect.apply(take, env, [condition])).rejects.toThrow(message);
});

test('behaviour N6: filters of e-mails, and filters that are not plain objects', async () => {
  const { env } = await isolated();
  for (const [condition, message] of [
    [{ to: [] }, 'to is [], but must be a string that is not empty, a number or a Date.'],
    [{ kind: 5 }, 'kind is "5"'],
    [{ since: {} }, 'since is {}'],
    [new Map([['to', 'a@b.test']]), 'The filter is Map'],
    ['ada@acme.test', 'must be an object'],
  ] as const)
    for (const take of [env.outbox, env.waitForEmail])
      await expect(Reflect.apply(take, env, [condition])).rejects.toThrow(message);
  await expect(env.requests(new URLSearchParams('status=404') as object)).rejects.toThrow('The filter is ');
});

test.each([
  [
    Infinity,
    'timeout is Infinity, but must be a number of milliseconds such as 5000, or a duration such as 1m30s, at most 5m.',
  ],
  [-1, 'timeout is -1'],
  [0.5, 'timeout is 0.5, but must be a number of'],
  ['1h', "timeout is '1h', but must be a number"],
  [300_001, 'timeout is 300001, but must be a number'],
])('a wait of %s is refused by that value', async (timeout, message) => {
  const { env } = await isolated();
  await expect(env.waitForRequest({ timeout: timeout as number })).rejects.toThrow(message);
  await expect(env.waitForStatus(MAIL, 5 as never)).rejects.toThrow(
    'status is 5, but must be one of ACTIVE, ',
  );
});

test.each([
  [{ match: { query: new URLSearchParams('a=b') } }, 'match.query is URLSearchParams'],
  [{ match: { path: /connections/ } }, 'match.path is /connections/, but must be a value of JSON.'],
  [{ match: { body: { a: () => 1 } } }, 'match.body.a is [Function'],
  [{ times: Number.NaN }, 'times is NaN, but must be a finite number.'],
])('behaviour N6: what JSON would drop of a fault such as %o is refused', async (fault, message) => {
  const { env } = await isolated();
  await expect(env.faults.add({ status: 503, ...fault } as object)).rejects.toThrow(message);
});

// Names of commands, flags, options, filters and headers are misspelt by one letter: a refusal or a warning names the right
// one (behaviour N1). test/engine/contract/misspelt.test.ts does this to the names of the documents.

const server = testServer();
const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

/** Expects a message with the right name for each misspelt one. */
const expectTold = async (...given: Parameters<typeof silentOnes>): Promise<void> =>
  expect(await silentOnes(...given)).toEqual([]);

test('commands', async () => {
  const say = async (wrong: string): Promise<string> => {
    const { code, err } = await runCommand([wrong]);
    expect(code).toBe(2);
    return err;
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
  expect(await told(() => mock.pact({ consumer: { name: 'shop' } } as never))).toBe(
    'consumer is {"name":"shop"}, but must be a string. Pass consumer as a string.',
  );
  await mock.close();
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
  const inPrefer = say((wrong) => ({ prefer: `${wrong}=503` }));
  await expectTold(['code'], inPrefer);
  const asValue = say((wrong) => ({ 'x-mock-strict': wrong }));
  await expectTold(['true'], asValue);
});

/** Only for the compiler (`npm run types`), which tells of a directive below that has no error to expect. */
const refusedByTheCompiler = async (env: MockEnvironment, matcher: MockMatchers): Promise<void> => {
  // @ts-expect-error strict
  createMock({ strickt: true });
  // @ts-expect-error minCoverage
  await setupMock({ minCoverag: 40 });
  // @ts-expect-error error_code
  await env.faults.add({ operation: 'getKeys', error_cod: 'INTERNAL' });
  // @ts-expect-error the operation listConnections
  await env.faults.add({ operation: 'listConection', status: 500 });
  // @ts-expect-error status
  await env.waitForRequest({ statsu: 200 });
  // @ts-expect-error the status ACTIVE
  await env.waitForStatus('mail/ada@acme.test', 'ACTIV');
  // @ts-expect-error times
  await matcher.toHaveReceived('listConnections', { tims: 2 });
  // @ts-expect-error invitation
  await matcher.toHaveSent({ kind: 'invite' });
  // @ts-expect-error 15d
  await env.advance('15 days');
  // @ts-expect-error 5s
  await env.waitForRequest({ timeout: '5 seconds' });
  await env.advance(`${Number('2')}h30m`);
};
void refusedByTheCompiler;
