/** Behaviour R1 and R2 over HTTP: the form of every error, and which violations one error lists together. */
import { expect, test } from '@jest/globals';
import { loadContract } from '../../../src/service/document.ts';
import { openWith } from '../../support/contract.ts';
import { fieldsOf, send, testServer, violationsOf } from '../../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const LOGS = '/api/v1/logs/authentication/requests';
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';
const JOINED = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';

const TAKEN = { connector: 'mail', identifier: 'ada@acme.test' };

const server = testServer();

test.each<[number, string, string, string, object?]>([
  [400, 'INVALID_ARGUMENT', 'GET', `${ACCOUNTS}?page_size=101`],
  [401, 'UNAUTHENTICATED', 'GET', ACCOUNTS, { token: null }],
  [401, 'UNAUTHENTICATED', 'GET', ACCOUNTS, { headers: { prefer: 'code=401' } }],
  [403, 'CONNECTION_NOT_ENABLED', 'POST', ACCOUNTS, { body: { connector: 'paused', identifier: 'a' } }],
  [404, 'NOT_FOUND', 'GET', `${ACCOUNTS}/details?id=ca_404`],
  [409, 'RESOURCE_ALREADY_EXISTS', 'POST', ACCOUNTS, { body: TAKEN }],
  [429, 'RATE_LIMITED', 'GET', ACCOUNTS, { headers: { prefer: 'code=429' } }],
  [500, 'INTERNAL_ERROR', 'GET', ACCOUNTS, { headers: { prefer: 'code=500' } }],
  [501, 'UNIMPLEMENTED', 'PATCH', ACCOUNTS],
  [504, 'DEADLINE_EXCEEDED', 'GET', ACCOUNTS, { headers: { prefer: 'code=504' } }],
])('behaviour R1: the error %i %s of %s %s has a code, a message and an ErrorInfo detail', async (status, errorCode, method, path, given = {}) => {
  const { status: got, headers, body } = await server.call(method, path, given);
  expect(got).toBe(status);
  expect(Object.keys(body).sort()).toEqual(['code', 'details', 'message']);
  expect(body.details).toEqual([
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      error_code: errorCode,
      request_info: { request_id: headers['x-request-id'], serving_data: 'development' },
      localized_message_info: { locale: 'en', message: body.message },
      ...([403, 404, 409].includes(status) && { resource_info: expect.anything() }),
      ...(status === 400 && { validation_error_info: expect.anything() }),
      ...(status === 500 && { debug_info: { detail: body.message, stack_entries: [] } }),
    },
  ]);
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
});

test.each([
  ['no Authorization header', {}, 'missing'],
  ['another authorization scheme', { authorization: 'Basic abc' }, 'no bearer token'],
  ['an unknown token', { authorization: 'Bearer nobody' }, 'neither'],
])('behaviour R1: the 401 for %s has its own message', async (_what, headers, words) => {
  const { status, body } = await server.call('GET', ACCOUNTS, { token: null, headers });
  expect([status, body.message]).toEqual([401, expect.stringContaining(words)]);
});

test('behaviour R1: an error of the mock itself is a 500 without a stack trace, and is reported', async () => {
  const { app, environments, told } = openWith(loadContract(), 'on');
  const fail = () => {
    throw new Error('broken');
  };
  Object.assign(environments.first().faults, { effectOn: fail, list: fail });
  const api = await send(app, 'GET', ACCOUNTS);
  const control = await send(app, 'GET', '/_mock/environments/development/faults', { token: null });
  expect([api.status, api.body.details[0].error_code]).toEqual([500, 'INTERNAL_ERROR']);
  expect([control.status, control.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(api.text + control.text).not.toContain('broken');
  expect(told).toEqual(['fault: Error: broken', 'fault: Error: broken']);
});

const token = { oauth_token: { access_token: 'a' } };
const BOTH = 'connection_names=mail&connector=chat&page_token=x';
const BACKWARDS = 'start_time=2026-03-02T00:00:00Z&end_time=2026-03-01T00:00:00Z&page_token=x';
const UPDATE = {
  id: 'ca_100000000000000006',
  connected_account: { api_config: 3, authorization_details: token },
};

test.each<[string, string, object | undefined, string[]]>([
  ['GET', `${ACCOUNTS}?${BOTH}&page_size=101`, undefined, ['page_size']],
  ['GET', `${LOGS}?${BACKWARDS}&page_size=x`, undefined, ['page_size']],
  ['POST', `${ACCOUNTS}/user/verify`, { auth_request_id: 'not ok!' }, ['identifier', 'auth_request_id']],
  ['PUT', ACCOUNTS, UPDATE, ['connected_account.api_config']],
  ['POST', MEMBER, { inviter_email: 'nobody', roles: [{ name: 'boss' }] }, ['inviter_email']],
  ['GET', `${LOGS}?${BACKWARDS}`, undefined, ['start_time', 'page_token']],
])('behaviour R1: the error for %s %s with %j names every field that breaks the contract, or if none does, every field that breaks another rule: %j', async (method, path, body, fields) => {
  expect(fieldsOf(await server.call(method, path, { body }))).toEqual(fields);
});

const NOT_INT32 = 'page_size is 2147483648, but must be a 32-bit whole number (at most 2147483647).';
const notExact = (size: string) =>
  `page_size is "${size}", which is out of range. Send a number nearer to 0.`;

test.each([
  ['2147483648', 'maximum', `page_size is 2147483648, but must be 100 or less. ${NOT_INT32}`],
  ['99999999999999999999', 'maximum', notExact('99999999999999999999')],
  ['-99999999999999999999', 'minimum', notExact('-99999999999999999999')],
])('behaviour R2: the error about a page_size of %s shows the value as it was sent and says everything that is wrong with it', async (size, constraint, message) => {
  const answer = await server.call('GET', `${ACCOUNTS}?page_size=${size}`);
  expect([answer.status, answer.body.message]).toEqual([400, message]);
  expect(violationsOf(answer)[0]).toMatchObject({ field: 'page_size', constraint });
});

/** The status, or the field and constraint of the first violation if it is 400. */
const change = async (metadata: object): Promise<unknown> => {
  const answer = await server.call('PATCH', JOINED, { body: { metadata } });
  const [violation] = answer.status === 400 ? violationsOf(answer) : [];
  return violation ? [violation.field, violation.constraint] : answer.status;
};

test.each([
  ['metadata.ab', 'minLength', { ab: 'x' }],
  ['metadata.\u{1f600}\u{1f600}', 'minLength', { '\u{1f600}\u{1f600}': 'x' }],
  [`metadata.${'k'.repeat(26)}`, 'maxLength', { ['k'.repeat(26)]: 'x' }],
  ['metadata.key', 'maxLength', { key: '\u{1f600}'.repeat(257) }],
  ['metadata.key', 'type', { key: 1 }],
  [
    'metadata',
    'maxProperties',
    Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`key${nth}`, 'x'])),
  ],
])('behaviour X1: the error about %s names the broken limit: %s', async (field, constraint, metadata) => {
  expect(await change(metadata)).toEqual([field, constraint]);
  const most = { ['k'.repeat(25)]: '\u{1f600}'.repeat(256) };
  expect(await change(most)).toBe(200);
});

test('an error cuts a long name wherever it repeats it', async () => {
  const metadata = { ['k'.repeat(200_000)]: 1 };
  expect((await server.call('PATCH', JOINED, { body: { metadata } })).text.length).toBeLessThan(10_000);
});
