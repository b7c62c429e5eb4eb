/** The mock reuses the answer to a repeated read. It must do so only while a fresh answer would be the same. */

import { beforeEach, expect, jest, test } from '@jest/globals';
import type { ResponseValidation } from '../../../src/engine/http/validate.ts';
import { loadContract } from '../../../src/service/document.ts';
import { ACCOUNTS, asking, openWith, UNGIVEN } from '../../support/contract.ts';
import { send, testServer } from '../../support/server.ts';

const server = testServer({ clock: '2026-03-01T12:00:00Z' });
beforeEach(async () => (await server.mock.environment('development')).reset());

test('behaviour A8, T9: under a running clock, a repeated read changes at the very instant at which a token ends', async () => {
  const start = Date.parse('2026-03-01T12:00:00Z');
  const machine = jest.spyOn(Date, 'now').mockReturnValue(start);
  const { app } = openWith(loadContract(), 'report');
  const lasting = { id: 'ca_1', connector: 'mail', identifier: 'a@acme.test', status: 'ACTIVE' };
  const state = { connected_accounts: [{ ...lasting, token_expires_at: '+1h' }] };
  await send(app, 'PATCH', '/_mock/environments/current/state', { body: state, token: null });
  const read = async (): Promise<string> =>
    (await send(app, 'GET', `${ACCOUNTS}/details?id=ca_1`)).body.connected_account.status;
  const seen: string[] = [];
  for (const minutes of [0, 59, 60, 59]) {
    machine.mockReturnValue(start + minutes * 60_000);
    seen.push(await read(), await read());
  }
  machine.mockRestore();
  expect(seen).toEqual([...Array(4).fill('ACTIVE'), ...Array(2).fill('EXPIRED'), ...Array(2).fill('ACTIVE')]);
});

test('a repeated list has the correct total after a write, and after a reset', async () => {
  const total = async (): Promise<number> => (await server.call('GET', ACCOUNTS)).body.total_size;
  const before = [await total(), await total()];
  await server.call('POST', ACCOUNTS, { body: { connector: 'mail', identifier: 'one-more@acme.test' } });
  expect(await total()).toBe((before[1] ?? 0) + 1);
  await (await server.mock.environment('development')).reset();
  expect([...before, await total()]).toEqual([before[0], before[0], before[0]]);
});

test('the same request line has other answers in strict mode and in another environment, and an id of its own each time', async () => {
  const path = `${ACCOUNTS}?page_sise=3`;
  const lenient = await server.call('GET', path);
  const strict = await server.call('GET', path, { headers: { 'x-mock-strict': '1' } });
  const again = await server.call('GET', path);
  expect([lenient.status, strict.status, again.status]).toEqual([200, 400, 200]);
  expect(again.text).toBe(lenient.text);
  expect(again.headers['x-request-id']).not.toBe(lenient.headers['x-request-id']);
  const production = await server.call('GET', path, { token: 'prod-token' });
  expect([lenient.body.total_size, production.body.total_size]).toEqual([12, 0]);
});

test('a repeated read counts the same parameters, and has the same warnings in the journal', async () => {
  const own = await server.isolated();
  await own.api('GET', `${ACCOUNTS}?connector=mail&page_sise=3`);
  await own.control('DELETE', '/coverage');
  await own.api('GET', `${ACCOUNTS}?connector=mail&page_sise=3`);
  const { requests } = await own.get('/requests');
  expect(requests[1].warnings).toEqual(requests[0].warnings);
  expect(requests[1].warnings).toHaveLength(1);
  expect((await own.get('/coverage')).parameters.seen).toBe(1);
});

test('behaviour A8: a reply of /auth is never reused, since each call moves last_used_at', async () => {
  const path = `${ACCOUNTS}/auth?id=ca_100000000000000001`;
  const first = await server.call('GET', path);
  await (await server.mock.environment('development')).advance('5m');
  const second = await server.call('GET', path);
  expect(second.body.connected_account.last_used_at > first.body.connected_account.last_used_at).toBe(true);
});

test('a repeated read is answered without its operation, until the data changes', async () => {
  // Each reply of the operation breaks this contract, and is reported; a remembered reply is not checked again.
  const { app, told } = openWith(asking('get', { 200: UNGIVEN }), 'report');
  const body = { connector: 'mail', identifier: 'one-more@acme.test' };
  const reports: number[] = [];
  for (const method of ['GET', 'GET', 'POST', 'GET', 'GET']) {
    expect((await send(app, method, ACCOUNTS, method === 'POST' ? { body } : {})).ok).toBe(true);
    reports.push(told.length);
  }
  expect(reports).toEqual([1, 1, 1, 2, 2]);
});

// `--validate-responses`: what happens to replies that lack a member which the contract of these tests requires.

const open = (replies: object, validateResponses: ResponseValidation) => {
  const { app, environments, told } = openWith(asking('post', replies), validateResponses);
  return {
    told,
    violations: () => environments.replyViolations,
    create: (connector = 'mail') =>
      send(app, 'POST', ACCOUNTS, { body: { connector, identifier: 'new@acme.test' } }),
    count: async () => (await send(app, 'GET', `${ACCOUNTS}?identifier=new@acme.test`)).body.total_size,
  };
};

const BROKEN = expect.stringContaining(
  `POST ${ACCOUNTS}: Internal Server Error: /response must have required property 'ungiven'`,
);

test.each([
  ['a reply that breaks the contract', { 201: UNGIVEN }, 'mail'],
  ['an error reply that breaks the contract', { 201: { description: 'Anything.' }, 400: UNGIVEN }, 'nowhere'],
  ['a contract that every reply breaks', { 201: UNGIVEN, 500: UNGIVEN, default: UNGIVEN }, 'mail'],
  ['a status that the contract does not list, but its default does', { default: UNGIVEN }, 'mail'],
])('validateResponses on: with %s, the answer is a 500, the violation is reported and nothing is stored', async (_what, replies, connector) => {
  const mock = open(replies, 'on');
  const { status, body } = await mock.create(connector);
  expect(status).toBe(500);
  expect(body).toMatchObject({
    code: 13,
    message: expect.stringContaining('createConnectedAccount broke the contract'),
    details: [{ error_code: 'INTERNAL_ERROR', debug_info: { detail: body.message, stack_entries: [] } }],
  });
  expect([await mock.count(), mock.told]).toEqual([0, [BROKEN]]);
});

test.each<[ResponseValidation, unknown[]]>([
  ['report', [BROKEN]],
  ['off', []],
])('validateResponses %s: a reply that breaks the contract is sent, its change is stored, and reports are counted', async (validation, expected) => {
  const mock = open({ 201: UNGIVEN }, validation);
  const { status, body } = await mock.create();
  expect([status, body.connected_account.connector, await mock.count()]).toEqual([201, 'mail', 1]);
  expect([mock.told, mock.violations()]).toEqual([expected, expected.length]);
});

test.each([
  ...['1', 'true', 'TRUE', 'True'].map((value) => [value, 400] as const),
  ...['0', 'false', 'no', ''].map((value) => [value, 200] as const),
])('behaviour T2: a call with X-Mock-Strict: %j and an unknown parameter is answered with %i', async (value, status) => {
  const headers = { 'x-mock-strict': value };
  const answer = await server.call('GET', '/api/v1/connections?organisation_id=x', { headers });
  expect(answer.status).toBe(status);
});
