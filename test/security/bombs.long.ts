/** Time and memory stay limited, whatever a client sends. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { MOST_VIOLATIONS } from '../../src/core/errors.ts';
import { createRuntimeEnvironment } from '../../src/environments/lifecycle.ts';
import { environmentsOf } from '../environments/support.ts';
import { refusal } from '../support/core.ts';
import { type Answer, testServer } from '../support/server.ts';

const server = testServer();

const ACCOUNTS = '/api/v1/connected_accounts';
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
const CONTROL = '/environments/development';
const SETTINGS = `${CONTROL}/settings`;
const STATE = `${CONTROL}/state`;

/** Milliseconds of CPU, which a busy machine hardly changes. Without the limits, calls would take minutes. */
const IN_TIME = 5_000;

const inTime = async (call: Promise<Answer>): Promise<Answer> => {
  const before = process.cpuUsage();
  const answer = await call;
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(IN_TIME);
  return answer;
};

const many = (count: number, name: (n: number) => string, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), value]));

test('thousands of mistakes are a 400 that lists the first of them', async () => {
  const metadata = many(19_000, (n) => `${'k'.repeat(26)}${n}`, 'v');
  const { status, body } = await inTime(server.call('PATCH', MEMBER, { body: { metadata } }));
  expect(status).toBe(400);
  const { field_violations } = body.details[0].validation_error_info;
  expect(field_violations.length).toBeLessThanOrEqual(MOST_VIOLATIONS);
  expect(body.message.length).toBeLessThan(100_000);
  expect(body.message).toContain(`Only the first ${MOST_VIOLATIONS} violations are listed.`);
});

test.each([
  ['a text of escaped quotes that never ends', `"${'\\"'.repeat(500_000)}`],
  ['quotes without end', '"'.repeat(1_000_000)],
  ['nesting without end', '['.repeat(1_000_000)],
  ['nesting without end, of objects', '{"a":'.repeat(200_000)],
  ['a number without end', '1'.repeat(1_000_000)],
  ['spaces', ' '.repeat(1_000_000)],
])('a megabyte of %s is a 400 in no time', async (_what, body) => {
  expect((await inTime(server.call('POST', ACCOUNTS, { body }))).status).toBe(400);
});

test('a body that grows when it is unpacked is cut off at the limit of any body', async () => {
  const body = gzipSync(Buffer.alloc(200 * 2 ** 20, ' '));
  const headers = { 'content-encoding': 'gzip' };
  expect((await inTime(server.call('POST', ACCOUNTS, { body, headers }))).status).toBe(413);
  expect((await inTime(server.control('PATCH', SETTINGS, body, { headers }))).status).toBe(413);
});

test('a server has at most 10,000 environments', () => {
  const environments = environmentsOf('one');
  for (let count = environments.byId.size; count < 10_000; count += 1) createRuntimeEnvironment(environments);
  const { message } = refusal(() => createRuntimeEnvironment(environments));
  expect(message).toContain('already has 10000 environments');
});

const ITEMS = 499_990;
const ROW = (member: string): string => `{"users":[{"email":"a@a.test",${member}}]}`;

test.each([
  ['rows of the wrong type', `{"connected_accounts":[${'1,'.repeat(4_000_000)}1]}`],
  ['unknown members', JSON.stringify(many(300_000, (n) => `k${n}`, 1))],
  ['unknown members of a row', ROW(JSON.stringify(many(300_000, (n) => `k${n}`, 1)).slice(1, -1))],
  ['parts of a row', ROW(`"memberships":[${'{"x":1},'.repeat(ITEMS)}{}]`)],
  ['texts of a row', ROW(`"user_profile":{"groups":[${'"g",'.repeat(ITEMS)}"g"]}`)],
  ['bearers', `{"access_tokens":[${'"t",'.repeat(ITEMS)}"t"]}`],
  ['brackets', '[]'.repeat(8_000_000)],
  ['objects in objects', `{"custom_providers":[{"metadata":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}]}`],
])('a state with too many %s is a 400 in no time', async (_what, body) => {
  const answer = await inTime(server.control('PATCH', STATE, body));
  expect([answer.status, answer.text.length < 1_000]).toEqual([400, true]);
});

test('control calls without rows have lower limits of bytes and values', async () => {
  const send = (body: string): Promise<Answer> => inTime(server.control('PATCH', SETTINGS, body));
  expect((await send(`{"hosted":"${'x'.repeat(9 * 2 ** 20)}"}`)).status).toBe(413);
  expect((await send(`[${'1,'.repeat(100_000)}1]`)).body.error.message).toContain('more than 100000 values');
});

test('the part of a body in a search or a fault has at most twenty list items', async () => {
  const part = (items: number): object => ({ roles: Array(items).fill({ name: 'admin' }) });
  const find = (items: number): Promise<Answer> =>
    server.control('GET', `${CONTROL}/requests?body=${encodeURIComponent(JSON.stringify(part(items)))}`);
  expect([(await find(20)).status, (await find(21)).status]).toEqual([200, 400]);
  const fault = { operation: 'listConnections', status: 500, match: { body: part(21) } };
  const refused = await server.control('POST', `${CONTROL}/faults`, fault);
  expect(refused.body.error.message).toContain('The lists in body have more than 20 items in total.');
});
