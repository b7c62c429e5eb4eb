/** Behaviour R1 to R3 over real HTTP: the shape of every refusal, and what it must never hold. */
import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';

const server = testServer();

const CASES: [number, string, string, string, object][] = [
  [400, 'INVALID_ARGUMENT', 'GET', `${ACCOUNTS}?page_size=101`, {}],
  [401, 'UNAUTHENTICATED', 'GET', ACCOUNTS, { token: null }],
  [403, 'CONNECTION_NOT_ENABLED', 'POST', ACCOUNTS, { body: { connector: 'paused', identifier: 'a' } }],
  [404, 'NOT_FOUND', 'GET', `${ACCOUNTS}/details?id=ca_404`, {}],
  [
    409,
    'RESOURCE_ALREADY_EXISTS',
    'POST',
    ACCOUNTS,
    { body: { connector: 'mail', identifier: 'ada@acme.test' } },
  ],
  [429, 'RATE_LIMITED', 'GET', ACCOUNTS, { headers: { prefer: 'code=429' } }],
  [500, 'INTERNAL_ERROR', 'GET', ACCOUNTS, { headers: { prefer: 'code=500' } }],
  [501, 'UNIMPLEMENTED', 'PATCH', ACCOUNTS, {}],
  [504, 'DEADLINE_EXCEEDED', 'GET', ACCOUNTS, { headers: { prefer: 'code=504' } }],
];

test.each(
  CASES,
)('behaviour R1: the error of %s %s has code, message and an ErrorInfo', async (status, errorCode, method, path, given) => {
  const { status: got, headers, body } = await server.call(method, path, given);
  expect(got).toBe(status);
  expect(Object.keys(body).sort()).toEqual(['code', 'details', 'message']);
  expect(body.details).toHaveLength(1);
  expect(body.details[0]).toMatchObject({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    error_code: errorCode,
    request_info: { request_id: headers['x-request-id'], serving_data: 'development' },
    localized_message_info: { locale: 'en', message: body.message },
  });
  expect('resource_info' in body.details[0]).toBe([403, 404, 409].includes(status));
  expect('validation_error_info' in body.details[0]).toBe(status === 400);
  expect(body.details[0].debug_info).toEqual(
    status === 500 ? { detail: body.message, stack_entries: [] } : undefined,
  );
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
});

test.each([
  '/api/v1/connections?include=some',
  '/api/v1/logs/authentication/requests?page_size=101',
  '/api/v1/connections/unknown',
])('behaviour R1: errors of the identity area have the optional members at the top level too: %s', async (path) => {
  const { body } = await server.call('GET', path);
  const { '@type': _type, ...members } = body.details[0];
  expect(body).toMatchObject(members);
});

test.each([
  ['no header', {}, 'missing'],
  ['another scheme', { authorization: 'Basic abc' }, 'no bearer token'],
  ['an unknown token', { authorization: 'Bearer nobody' }, 'neither'],
])('behaviour R1: the 401 for %s has its own message', async (_what, headers, words) => {
  const { status, body } = await server.call('GET', ACCOUNTS, { token: null, headers });
  expect(status).toBe(401);
  expect(body.message).toContain(words);
});

test('behaviour R2: an error never repeats a credential or the raw body', async () => {
  const secret = 'canary-secret-1234567890';
  const bodies: [string, unknown][] = [
    [
      ACCOUNTS,
      {
        connector: 'mail',
        identifier: 'x',
        connected_account: { authorization_details: { oauth_token: { access_token: { secret } } } },
      },
    ],
    [
      ACCOUNTS,
      {
        connector: 'mail',
        identifier: 'x',
        connected_account: { authorization_details: { oauth_token: secret } },
      },
    ],
    [
      ACCOUNTS,
      {
        connector: 'crm',
        identifier: 'x',
        connected_account: { authorization_details: { oauth_token: { access_token: secret } } },
      },
    ],
    [
      ACCOUNTS,
      {
        connector: 'mail',
        identifier: 'x',
        connected_account: { authorization_details: { oauth_token: { access_token: 1234567890 } } },
      },
    ],
    [ACCOUNTS, `{"secret": "${secret}" `],
  ];
  for (const [path, body] of bodies) {
    const answer = await server.call('POST', path, { body });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('1234567890');
  }
  const token = await server.call('GET', ACCOUNTS, { token: secret });
  expect(token.text).not.toContain(secret);
});

test('behaviour R1: a violation has the field, the constraint and the value', async () => {
  const { body } = await server.call('GET', `${ACCOUNTS}?page_size=101`);
  const [violation] = body.details[0].validation_error_info.field_violations;
  expect(violation).toMatchObject({ field: 'page_size', constraint: 'maximum' });
  expect(violation.description).toContain('101');
});

test('behaviour X1: the error names a metadata key that is too short or too long', async () => {
  const { status, body } = await server.call('POST', '/api/v1/custom-providers', {
    body: {
      display_name: 'Keys',
      proxy_url: 'https://proxy.test',
      auth_patterns: [{ type: 'OAUTH' }],
      metadata: { ab: 'x', ['k'.repeat(26)]: 'y', fine: 'z' },
    },
  });
  expect(status).toBe(400);
  const fields = body.details[0].validation_error_info.field_violations.map(
    ({ field }: { field: string }) => field,
  );
  expect(fields.sort()).toEqual(['metadata.ab', `metadata.${'k'.repeat(26)}`]);
});

test.each([
  ['production', 'Use credentials of production'],
  ['nowhere', 'There is no environment nowhere'],
])('behaviour E2, R2: the error for a request that names %s says: %s', async (name, words) => {
  const { status, body } = await server.call('GET', ACCOUNTS, { headers: { 'x-mock-environment': name } });
  expect(status).toBe(401);
  expect(body.message).toContain(words);
});

test('behaviour T2: in strict mode one error lists unknown names and what breaks the contract', async () => {
  const { body } = await server.call('GET', `${ACCOUNTS}?page_size=101&page_sise=1`, {
    headers: { 'x-mock-strict': '1' },
  });
  const fields = body.details[0].validation_error_info.field_violations.map(
    ({ field }: { field: string }) => field,
  );
  expect(fields).toEqual(['page_size', 'page_sise']);
});
