/** `POST /oauth/token` over real HTTP: two ways to send credentials, and refusals in RFC 6749's words. */
import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();
const local = testServer({ baseUrl: 'http://127.0.0.1:4720' });

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

test.each([
  [
    'a missing grant_type',
    form({ client_id: 'dev-client', client_secret: 'dev-secret' }),
    400,
    'invalid_request',
  ],
  [
    'another grant_type',
    form({ grant_type: 'password', client_id: 'dev-client', client_secret: 'dev-secret' }),
    400,
    'unsupported_grant_type',
  ],
  ['a missing client_id', form({ grant_type: 'client_credentials' }), 400, 'invalid_request'],
  [
    'a wrong secret',
    form({ grant_type: 'client_credentials', client_id: 'dev-client', client_secret: 'no' }),
    401,
    'invalid_client',
  ],
  [
    'an unknown client',
    form({ grant_type: 'client_credentials', client_id: 'who', client_secret: 'no' }),
    401,
    'invalid_client',
  ],
  [
    'an empty grant_type, which counts as missing',
    form({ grant_type: '', client_id: 'dev-client', client_secret: 'dev-secret' }),
    400,
    'invalid_request',
  ],
  [
    'a grant_type sent twice',
    new URLSearchParams('grant_type=client_credentials&grant_type=password&client_id=a&client_secret=b'),
    400,
    'invalid_request',
  ],
  ['JSON', { grant_type: 'client_credentials' }, 400, 'invalid_request'],
  ['nothing', undefined, 400, 'invalid_request'],
])('behaviour R3: a token request with %s is refused as RFC 6749 says', async (_what, body, status, error) => {
  const answer = await server.call('POST', '/oauth/token', { token: null, body });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description']);
  expect(answer.body.error).toBe(error);
});

test('behaviour E3: discovery uses the loopback name of the call', async () => {
  for (const host of ['localhost:4720', '127.0.0.1:4720', '[::1]:4720']) {
    const path = '/.well-known/openid-configuration';
    const { body } = await local.call('GET', path, { token: null, headers: { host } });
    expect(body.issuer).toBe(`http://${host}`);
  }
});

test.each([
  ['dev-client:dev-secret', 200, undefined],
  ['dev-client:wrong', 401, 'Basic realm="connected-accounts-mock"'],
  ['dev-client', 401, 'Basic realm="connected-accounts-mock"'],
  ['dev-client:', 401, 'Basic realm="connected-accounts-mock"'],
  [':dev-secret', 401, 'Basic realm="connected-accounts-mock"'],
])('behaviour R3: HTTP Basic %s is answered with %i, no caching, and the challenge %s', async (pair, status, challenge) => {
  const answer = await server.call('POST', '/oauth/token', {
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: form({ grant_type: 'client_credentials' }),
  });
  expect(answer.status).toBe(status);
  expect(answer.headers['www-authenticate']).toBe(challenge);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
});

test.each([
  'Basic',
  'Basic !!!',
  'basic  ',
])('behaviour R3: a client with %j as Authorization is refused, even with its secret in the form', async (authorization) => {
  const { status, headers, body } = await server.call('POST', '/oauth/token', {
    headers: { authorization },
    body: form({ grant_type: 'client_credentials', client_id: 'dev-client', client_secret: 'dev-secret' }),
  });
  expect([status, body.error]).toEqual([401, 'invalid_client']);
  expect(headers['www-authenticate']).toMatch(/^Basic /);
});

test.each([
  [
    'another secret',
    { client_id: 'dev-client', client_secret: 'wrong-secret' },
    'client_secret in the form differs',
  ],
  ['another client', { client_id: 'prod-client' }, 'client_id in the form differs'],
])('behaviour E3, R3: HTTP Basic beside a form with %s is an invalid request', async (_what, fields, words) => {
  const { status, body, text } = await askByBasic(fields);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.error_description).toContain(words);
  expect(text).not.toMatch(/-secret/);
});

test('behaviour E3: HTTP Basic and a form with the same or empty credentials get a token', async () => {
  expect((await askByBasic({ client_id: 'dev-client', client_secret: 'dev-secret' })).status).toBe(200);
  expect((await askByBasic({ client_id: '', client_secret: '' })).status).toBe(200);
});

const askByBasic = (fields: Record<string, string>) =>
  server.call('POST', '/oauth/token', {
    headers: { authorization: `Basic ${Buffer.from('dev-client:dev-secret').toString('base64')}` },
    body: form({ grant_type: 'client_credentials', ...fields }),
  });

test('behaviour R3: wrong credentials in the form are refused without a challenge, and without caching', async () => {
  const answer = await server.call('POST', '/oauth/token', {
    token: null,
    body: form({ grant_type: 'client_credentials', client_id: 'dev-client', client_secret: 'wrong' }),
  });
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBeUndefined();
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('behaviour R3: an injected error of the token endpoint has the body of R1', async () => {
  const answer = await server.call('POST', '/oauth/token', {
    token: null,
    headers: { prefer: 'code=500' },
    body: form({ grant_type: 'client_credentials', client_id: 'dev-client', client_secret: 'dev-secret' }),
  });
  expect(answer.status).toBe(500);
  expect(answer.body.details[0].error_code).toBe('INTERNAL_ERROR');
});

test('behaviour R3: an injected 400 of the token endpoint has the body of R1 too, by Prefer or by a fault', async () => {
  const body = form({
    grant_type: 'client_credentials',
    client_id: 'dev-client',
    client_secret: 'dev-secret',
  });
  const preferred = await server.call('POST', '/oauth/token', {
    token: null,
    headers: { prefer: 'code=400' },
    body,
  });
  await (await server.mock.environment('development')).faults.add({
    operation: 'issueToken',
    status: 400,
    times: 1,
  });
  const struck = await server.call('POST', '/oauth/token', { token: null, body });
  for (const answer of [preferred, struck]) {
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].error_code).toBe('INVALID_ARGUMENT');
  }
});

test('behaviour E3: one error names all missing fields', async () => {
  const { status, body } = await server.call('POST', '/oauth/token', { token: null, body: form({}) });
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  for (const name of ['grant_type', 'client_id', 'client_secret'])
    expect(body.error_description).toContain(`${name} is missing.`);
});

test('behaviour E3: the token endpoint ignores scope also in strict mode', async () => {
  const credentials = {
    grant_type: 'client_credentials',
    client_id: 'dev-client',
    client_secret: 'dev-secret',
  };
  const { status } = await server.call('POST', '/oauth/token', {
    token: null,
    headers: { 'x-mock-strict': 'true' },
    body: form({ ...credentials, scope: 'read' }),
  });
  expect(status).toBe(200);
});
