/** Bodies of any size and depth get a short refusal. Without limits, these calls would take minutes or end the process. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { MOST_VIOLATIONS } from '../../src/engine/core/errors.ts';
import { createRuntimeEnvironment } from '../../src/engine/environments/lifecycle.ts';
import { environmentsOf } from '../engine/environments/support.ts';
import { refusal } from '../support/core.ts';
import { type Answer, testServer } from '../support/server.ts';

const server = testServer();

const ACCOUNTS = '/api/v1/connected_accounts';
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
const CONTROL = '/environments/development';
const SETTINGS = `${CONTROL}/settings`;
const STATE = `${CONTROL}/state`;

const many = (count: number, name: (n: number) => string, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), value]));

test('a body with thousands of mistakes gets a 400 that lists only the first mistakes', async () => {
  const metadata = many(19_000, (n) => `${'k'.repeat(26)}${n}`, 'v');
  const { status, body } = await server.call('PATCH', MEMBER, { body: { metadata } });
  expect(status).toBe(400);
  const { field_violations } = body.details[0].validation_error_info;
  expect(field_violations.length).toBeLessThanOrEqual(MOST_VIOLATIONS);
  expect(body.message.length).toBeLessThan(100_000);
  expect(body.message).toContain(`Only the first ${MOST_VIOLATIONS} violations are listed.`);
});

test.each([
  ['escaped quotes in a string without an end', `"${'\\"'.repeat(500_000)}`],
  ['quotes', '"'.repeat(1_000_000)],
  ['nested lists without an end', '['.repeat(1_000_000)],
  ['nested objects without an end', '{"a":'.repeat(200_000)],
  ['digits', '1'.repeat(1_000_000)],
  ['spaces', ' '.repeat(1_000_000)],
])('a megabyte of %s gets a 400', async (_what, body) => {
  expect((await server.call('POST', ACCOUNTS, { body })).status).toBe(400);
});

test('a small compressed body that unpacks to 200 MiB gets a 413', async () => {
  const body = gzipSync(Buffer.alloc(200 * 2 ** 20, ' '));
  const headers = { 'content-encoding': 'gzip' };
  expect((await server.call('POST', ACCOUNTS, { body, headers })).status).toBe(413);
  expect((await server.control('PATCH', SETTINGS, body, { headers })).status).toBe(413);
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
  ['unknown members in a row', ROW(JSON.stringify(many(300_000, (n) => `k${n}`, 1)).slice(1, -1))],
  ['memberships in a row', ROW(`"memberships":[${'{"x":1},'.repeat(ITEMS)}{}]`)],
  ['strings in a row', ROW(`"user_profile":{"groups":[${'"g",'.repeat(ITEMS)}"g"]}`)],
  ['access tokens', `{"access_tokens":[${'"t",'.repeat(ITEMS)}"t"]}`],
  ['brackets', '[]'.repeat(8_000_000)],
  ['nested objects', `{"custom_providers":[{"metadata":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}]}`],
])('a PATCH of the state with too many %s gets a short 400', async (_what, body) => {
  const answer = await server.control('PATCH', STATE, body);
  expect([answer.status, answer.text.length < 1_000]).toEqual([400, true]);
});

test('control calls that take no rows have lower limits on bytes and values', async () => {
  const send = (body: string): Promise<Answer> => server.control('PATCH', SETTINGS, body);
  expect((await send(`{"hosted":"${'x'.repeat(9 * 2 ** 20)}"}`)).status).toBe(413);
  expect((await send(`[${'1,'.repeat(100_000)}1]`)).body.error.message).toContain('more than 100000 values');
});
