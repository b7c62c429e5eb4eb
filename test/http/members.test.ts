/** Behaviour T3 and T5 over real HTTP: how clients of JSON-over-gRPC gateways spell what they send. */
import { beforeEach, expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';

const server = testServer();
beforeEach(() => {
  server.mock.environment().reset();
});

test('behaviour T3: members in lowerCamelCase are read at any depth', async () => {
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

test('behaviour T3: a member in both spellings is 400 and named', async () => {
  const { status, body } = await server.call('POST', ACCOUNTS, {
    body: { connector: 'mail', identifier: 'a', organization_id: 'a', organizationId: 'a' },
  });
  expect([status, body.message]).toEqual([400, expect.stringContaining('organization_id was sent in both')]);
});

test.each([
  null,
  '',
])('behaviour T3, T5: a member that is %j and so absent is no second spelling', async (absent) => {
  const { status, body } = await server.call('PUT', ACCOUNTS, {
    body: { id: 'ca_100000000000000001', organization_id: absent, organizationId: 'org_100000000000000001' },
  });
  expect([status, body.connected_account?.id]).toEqual([200, 'ca_100000000000000001']);
});

test('behaviour T3: strict mode names the spelling of the contract', async () => {
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

test('behaviour T5: null counts as absent, and so does an empty text that may be left out', async () => {
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

test('behaviour T5: an empty id of a role leaves its name to say which it is', async () => {
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
  ['GET', '/connected_accounts/verify', 'POST /api/v1/connected_accounts/user/verify'],
  ['DELETE', '/connected_accounts/ca_1', 'POST /api/v1/connected_accounts:delete'],
  ['GET', '/api/v1/connections/conn_1', 'GET /api/v1/connections'],
])('behaviour T4: %s %s is an unknown path whose message names %s', async (method, path, meant) => {
  const { status, body } = await server.call(method, path);
  expect([status, body.details[0].error_code]).toEqual([404, 'PATH_NOT_FOUND']);
  expect(body.message).toContain(`Did you mean ${meant}?`);
});

test('behaviour T11: the contract as served has the address of the running mock', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  expect(body.servers[0].url).toBe(server.mock.url);
  expect((await server.call('GET', '/openapi.yaml')).text).toContain(`- url: ${server.mock.url}`);
});
