/** Behaviour T3 and T5 over real HTTP: how clients of JSON-over-gRPC gateways spell what they send. */
import { beforeEach, expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';

const server = testServer();
beforeEach(async () => {
  await (await server.mock.environment()).reset();
});

test('behaviour T3: members in lowerCamelCase are accepted at any depth', async () => {
  const { status, body } = await server.call('POST', ACCOUNTS, {
    body: {
      connector: 'mail',
      identifier: 'camel@acme.test',
      organizationId: 'org_100000000000000001',
      connectedAccount: { authorizationDetails: { oauthToken: { accessToken: 'a', refreshToken: 'b' } } },
    },
  });
  expect(status).toBe(201);
  expect(body.connected_account).toMatchObject({
    status: 'ACTIVE',
    authorization_details: { oauth_token: { access_token: 'a', refresh_token: 'b' } },
  });
});

test('behaviour T3: a member in both spellings is 400, and the error names it', async () => {
  const { status, body } = await server.call('POST', ACCOUNTS, {
    body: { connector: 'mail', identifier: 'a', organization_id: 'a', organizationId: 'a' },
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining('organization_id was sent in both')]);
});

test.each([
  null,
  '',
])('behaviour T3, T5: a member that is %j counts as absent, not as a second spelling', async (absent) => {
  const { status, body } = await server.call('PUT', ACCOUNTS, {
    body: { id: 'ca_100000000000000001', organization_id: absent, organizationId: 'org_100000000000000001' },
  });
  expect([status, body.connected_account?.id]).toEqual([200, 'ca_100000000000000001']);
});

test('behaviour T3: in strict mode the error names the spelling of the contract', async () => {
  const { status, body } = await server.call('POST', ACCOUNTS, {
    headers: { 'x-mock-strict': '1' },
    body: { connector: 'mail', identifier: 'a', organizationId: 'a' },
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining('Write organization_id.')]);
});

test('behaviour T3: names within free-form objects are data', async () => {
  const { body } = await server.call('PUT', ACCOUNTS, {
    body: {
      id: 'ca_100000000000000001',
      connected_account: { api_config: { someName: null, other_name: '' } },
    },
  });
  expect(body.connected_account.api_config).toMatchObject({ someName: null, other_name: '' });
});

test('behaviour T5: null counts as absent, and so does an empty optional text', async () => {
  const { status, body } = await server.call('POST', `${ACCOUNTS}/magic_link`, {
    body: {
      connector: 'mail',
      identifier: 'ada@acme.test',
      state: null,
      user_verify_url: '',
      organization_id: null,
    },
  });
  expect([status, Object.keys(body).sort()]).toEqual([200, ['expiry', 'link']]);
});

test('behaviour T5: a role with an empty id is found by its name', async () => {
  const { status, body } = await server.call(
    'POST',
    '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005',
    { body: { roles: [{ id: '', name: 'admin', display_name: null }] } },
  );
  expect([status, body.user?.memberships[0].roles[0].name]).toEqual([201, 'admin']);
});

test.each([null, ''])('behaviour T5: a required member that is %j is missing', async (identifier) => {
  const { status, body } = await server.call('POST', ACCOUNTS, { body: { connector: 'mail', identifier } });
  expect([status, body.message]).toEqual([400, expect.stringContaining('identifier is missing')]);
});

test.each([
  ['GET', '/api/v1/connected_account', 'GET /api/v1/connected_accounts'],
  ['GET', '/connected_accounts', 'GET /api/v1/connected_accounts'],
  ['PUT', '/api/v1/custom-provider/x', 'PUT /api/v1/custom-providers/{identifier}'],
  [
    'PATCH',
    '/api/v1/invites/organization/org_1/users/usr_1/resend',
    'PATCH /api/v1/invites/organizations/{organization_id}/users/{id}/resend',
  ],
  ['POST', '/api/v1/connections/', 'GET /api/v1/connections'],
  ['POST', '/custom-providers/WIKI:100000000000000001', 'PUT /api/v1/custom-providers/{identifier}'],
  ['POST', '/api/v1/connected_accounts/delete', 'POST /api/v1/connected_accounts:delete'],
  ['GET', '/xwell-known/openid-configuration', 'GET /.well-known/openid-configuration'],
  ['GET', '/api/v1/connections/conn_1', 'GET /api/v1/connections'],
])('behaviour T4: %s %s is an unknown path, and the message suggests %s', async (method, path, meant) => {
  const { status, body } = await server.call(method, path);
  expect([status, body.details[0].error_code]).toEqual([404, 'PATH_NOT_FOUND']);
  expect(body.message).toContain(`Did you mean ${meant}?`);
});

test('behaviour T11: the served contract has the address of the running mock', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  expect(body.servers[0].url).toBe(server.mock.url);
  expect((await server.call('GET', '/openapi.yaml')).text).toContain(`- url: ${server.mock.url}`);
});

const fieldsRefused = async (body: unknown, headers: Record<string, string> = {}) => {
  const answer = await server.call('POST', ACCOUNTS, { body, headers });
  expect(answer.status).toBe(400);
  return answer.body.details[0].validation_error_info.field_violations.map(
    ({ field, constraint }: { field: string; constraint: string }) => `${field}: ${constraint}`,
  );
};

const JSON_TYPE = { 'content-type': 'application/json' };

test.each([
  ['{"connector":"mail","identifier":"a","identifier":"b"}', 'identifier: name'],
  ['{"connector":"mail","connected_account":{"api_config":[{"a":1},{"a":{"b":1,"\\u0062":2}}]}}', 'b: name'],
])('behaviour T5: the error names a member that is written twice in %s', async (body, problem) => {
  expect(await fieldsRefused(body, JSON_TYPE)).toEqual([problem]);
});

test.each([
  '{"connector":"mail","identifier":"\\ud83d"}',
  '{"connector":"mail","identifier":"a","connected_account":{"api_config":{"\\udc00":1}}}',
])('behaviour I2: half a surrogate pair in %s is 400', async (body) => {
  expect(await fieldsRefused(body, JSON_TYPE)).toEqual(['body: charset']);
});

test('behaviour I2: a whole surrogate pair that is written as escapes is one character', async () => {
  const body = '{"connector":"mail","identifier":"\\ud83d\\ude00 \\\\ud83d"}';
  const answer = await server.call('POST', ACCOUNTS, { body, headers: JSON_TYPE });
  expect([answer.status, answer.body.connected_account.identifier]).toEqual([201, '\u{1f600} \\ud83d']);
});

test('a body may hold at most 20,000 values, and a form at most 1,000 fields', async () => {
  expect(await fieldsRefused({ connector: 'mail', identifier: 'a', scopes: Array(20_001).fill(1) })).toEqual([
    'body: values',
  ]);
  const fields = new URLSearchParams(`${'a=&'.repeat(1_000)}a=`);
  const answer = await server.call('POST', '/oauth/token', { token: null, body: fields });
  expect([answer.status, answer.body.error_description]).toEqual([
    400,
    expect.stringContaining('1000 values'),
  ]);
});

test('behaviour M2: 300 unknown roles give 100 violations, which list twenty known roles', async () => {
  const env = await server.isolated({ scenario: 'default' });
  const roles = Array.from({ length: 30 }, (_, nth) => ({ name: `role-${nth}` }));
  expect((await env.control('PATCH', '/state', { roles })).status).toBe(200);
  const path = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';
  const { status, body } = await env.api('POST', path, { roles: Array(300).fill({}) });
  const { field_violations } = body.details[0].validation_error_info;
  expect([status, field_violations.length]).toEqual([400, 100]);
  expect(field_violations[0].description).toMatch(/^(?:[^(]*\([^)]*\)){20} and 12 more\.$/);
});

test('behaviour T2: X-Mock-Strict: true turns on strict mode', async () => {
  const body = { connector: 'mail', identifier: 'a', colour: 'blue' };
  expect(await fieldsRefused(body, { 'x-mock-strict': 'true' })).toEqual(['colour: unknown']);
});

test('behaviour R1: a message cuts long values between characters', async () => {
  const long = `${'a'.repeat(99)}\u{1f600}${'a'.repeat(99)}`;
  const { text } = await server.control('GET', `/environments/${encodeURIComponent(long)}/clock`);
  expect([text.isWellFormed(), text.includes('\\ud83d')]).toEqual([true, false]);
});
