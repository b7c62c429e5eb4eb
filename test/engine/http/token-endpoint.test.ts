/** `POST /oauth/token` over HTTP: credentials in the form or in HTTP Basic, and errors as RFC 6749 defines them. */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

const GRANT = { grant_type: 'client_credentials' };
const GOOD = { ...GRANT, client_id: 'dev-client', client_secret: 'dev-secret' };

/** Asks for a token. @param authorization the header, or client id and secret for HTTP Basic, joined by a colon */
const ask = (fields: object | undefined, authorization?: string, headers: Record<string, string> = {}) => {
  const isPair = authorization?.includes(':');
  const basic = isPair ? `Basic ${Buffer.from(String(authorization)).toString('base64')}` : authorization;
  return server.call('POST', '/oauth/token', {
    token: null,
    headers: { ...headers, ...(basic !== undefined && { authorization: basic }) },
    body: fields && new URLSearchParams(fields as Record<string, string>),
  });
};

test.each<[string, object | undefined, number, string]>([
  ['a wrong secret', { ...GOOD, client_secret: 'no' }, 401, 'invalid_client'],
  ['no body', undefined, 400, 'invalid_request'],
])('behaviour R3: a token request with %s is refused as RFC 6749 says, without a challenge', async (_what, fields, status, error) => {
  const answer = await ask(fields);
  expect([answer.status, answer.body]).toEqual([status, { error, error_description: expect.any(String) }]);
  expect(answer.headers['www-authenticate']).toBeUndefined();
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
});

test.each([
  ['a grant_type sent twice', new URLSearchParams([...Object.entries(GOOD), ['grant_type', 'a']])],
  ['JSON', GRANT],
  ['more than 1,000 fields', new URLSearchParams(`${'a=&'.repeat(1_000)}a=`)],
])('behaviour R3: a token request with %s is refused as invalid_request', async (_what, body) => {
  const { status, body: answer } = await server.call('POST', '/oauth/token', { token: null, body });
  expect([status, answer.error]).toEqual([400, 'invalid_request']);
});

const CHALLENGE = 'Basic realm="connected-accounts-mock"';

test.each([
  ['dev-client:dev-secret', GRANT, 200, undefined],
  ['dev-client:dev-secret', GOOD, 200, undefined],
  ['dev-client:dev-secret', { ...GRANT, client_id: '', client_secret: '' }, 200, undefined],
  ['dev-client:wrong', GRANT, 401, CHALLENGE],
  ['dev-client:', GRANT, 401, CHALLENGE],
  [':dev-secret', GRANT, 401, CHALLENGE],
  [`Basic ${Buffer.from('dev-client').toString('base64')}`, GRANT, 401, CHALLENGE],
  ['Basic', GOOD, 401, CHALLENGE],
  ['Basic !!!', GOOD, 401, CHALLENGE],
  ['basic  ', GOOD, 401, CHALLENGE],
])('behaviour E3, R3: HTTP Basic %j with the form %j is answered with %i and the challenge %s', async (authorization, fields, status, challenge) => {
  const { status: got, headers, body } = await ask(fields, authorization);
  expect([got, headers['www-authenticate']]).toEqual([status, challenge]);
  expect(body.error).toBe(status === 401 ? 'invalid_client' : undefined);
  expect(headers['cache-control']).toBe('no-store');
});

test.each([
  [{ client_id: 'dev-client', client_secret: 'wrong-secret' }, 'client_secret'],
  [{ client_id: 'prod-client' }, 'client_id'],
])('behaviour E3, R3: HTTP Basic with a form that contradicts it, %j, is refused as invalid_request', async (fields, name) => {
  const { status, body, text } = await ask({ ...GRANT, ...fields }, 'dev-client:dev-secret');
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.error_description).toContain(`${name} in the form differs`);
  expect(text).not.toMatch(/-secret/);
});

test('behaviour R3, T4: an injected error of the token endpoint has the same body as other errors, and a fault affects only the clients of its environment', async () => {
  const { faults } = await server.mock.environment('production');
  await faults.add({ operation: 'issueToken', status: 504, times: 1 });
  expect((await ask(GOOD)).status).toBe(200);
  const faulty = await ask({ ...GRANT, client_id: 'prod-client', client_secret: 'prod-secret' });
  expect([faulty.status, faulty.body]).toMatchObject([
    504,
    { code: 4, details: [{ error_code: 'DEADLINE_EXCEEDED' }] },
  ]);
  for (const [code, error_code] of [
    [400, 'INVALID_ARGUMENT'],
    [500, 'INTERNAL_ERROR'],
  ] as const) {
    const { status, body } = await ask(GOOD, undefined, { prefer: `code=${code}` });
    expect([status, body.details[0].error_code]).toEqual([code, error_code]);
  }
});

test('behaviour E3: the token endpoint ignores the field scope, also in strict mode, and up to 1,000 fields', async () => {
  const fields = [...Object.entries(GOOD), ...Array.from({ length: 997 }, () => ['a', ''])];
  expect((await ask(fields)).status).toBe(200);
  expect((await ask({ ...GOOD, scope: 'read' }, undefined, { 'x-mock-strict': 'true' })).status).toBe(200);
  const { requests } = (await server.control('GET', '/environments/development/requests?limit=1')).body;
  expect(requests).toMatchObject([{ status: 200, warnings: [] }]);
});
