/** The flow of FLOW.md by openapi-fetch, with the types that openapi-typescript makes of the contract. */
import assert from 'node:assert/strict';
import createClient, { type Middleware } from 'openapi-fetch';
import {
  approve,
  baseUrl,
  CREDENTIALS,
  clientId,
  clientSecret,
  data,
  EXTERNAL,
  IDENTIFIER,
  INVITER,
  injectFaults,
  MEMBER,
  PAIR,
  refusal,
  retryingFetch,
  STATE,
  step,
  VERIFY_URL,
} from './flow.ts';
import type { paths } from './generated/openapi-fetch.ts';

const api = createClient<paths>({ baseUrl, fetch: retryingFetch });
let token = '';
const authorize: Middleware = {
  onRequest: ({ request }) => {
    if (token && !request.headers.has('authorization'))
      request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
};
api.use(authorize);

await step('token', async () => {
  const body = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  } as const;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }; // the client then writes a form
  const issued = await data(api.POST('/oauth/token', { body, headers }));
  assert.equal(issued.token_type, 'Bearer');
  assert.equal(issued.expires_in, 86_400);
  token = issued.access_token;
});

await step('unauthorized', async () => {
  const headers = { authorization: 'Bearer none' };
  assert.match(await refusal(api.GET('/api/v1/connections', { headers }), 401), /UNAUTHENTICATED/);
});

await step('connections', async () => {
  const { connections } = await data(api.GET('/api/v1/connections'));
  assert.equal(connections.find(({ key_id }) => key_id === 'mail')?.type, 'OAUTH');
});

const account = {
  ...PAIR,
  connected_account: { api_config: { first: 1 }, authorization_details: { oauth_token: CREDENTIALS } },
};

await step('create', async () => {
  const { connected_account } = await data(api.POST('/api/v1/connected_accounts', { body: account }), 201);
  assert.equal(connected_account.status, 'ACTIVE');
  assert.match(connected_account.id, /^ca_/);
});

await step('conflict', async () => {
  await refusal(api.POST('/api/v1/connected_accounts', { body: account }), 409);
});

await step('invalid', async () => {
  const query = { page_size: 101 };
  assert.match(await refusal(api.GET('/api/v1/connected_accounts', { params: { query } }), 400), /page_size/);
});

await step('details', async () => {
  const { connected_account } = await data(
    api.GET('/api/v1/connected_accounts/details', { params: { query: PAIR } }),
  );
  assert.equal(connected_account.identifier, IDENTIFIER);
  assert.ok(!('authorization_details' in connected_account));
});

await step('credentials', async () => {
  const { connected_account } = await data(
    api.GET('/api/v1/connected_accounts/auth', { params: { query: PAIR } }),
  );
  assert.equal(connected_account.authorization_details?.oauth_token?.access_token, CREDENTIALS.access_token);
});

await step('update', async () => {
  const body = { ...PAIR, connected_account: { api_config: { second: 2 } } };
  const { connected_account } = await data(api.PUT('/api/v1/connected_accounts', { body }));
  assert.deepEqual(connected_account.api_config, { first: 1, second: 2 });
});

await step('pages', async () => {
  const seen = new Set<string>();
  for (let page_token = ''; ; ) {
    const query = { page_size: 5, page_token };
    const page = await data(api.GET('/api/v1/connected_accounts', { params: { query } }));
    for (const { id } of page.connected_accounts) seen.add(id);
    page_token = page.next_page_token;
    if (page_token !== '') continue;
    assert.equal(seen.size, page.total_size);
    return;
  }
});

await step('search', async () => {
  const query = { query: 'FLOW@ACME' };
  const found = await data(api.GET('/api/v1/connected_accounts:search', { params: { query } }));
  assert.deepEqual(
    found.connected_accounts.map(({ identifier }) => identifier),
    [IDENTIFIER],
  );
});

let auth_request_id = '';

await step('link', async () => {
  const body = { ...PAIR, user_verify_url: VERIFY_URL, state: STATE };
  const { link } = await data(api.POST('/api/v1/connected_accounts/magic_link', { body }));
  const { searchParams } = await approve(link);
  assert.equal(searchParams.get('state'), STATE);
  assert.equal(searchParams.get('from'), 'flow');
  auth_request_id = searchParams.get('auth_request_id') ?? '';
});

await step('mismatch', async () => {
  const body = { auth_request_id, identifier: 'other@acme.test' };
  await refusal(api.POST('/api/v1/connected_accounts/user/verify', { body }), 403);
});

await step('verify', async () => {
  const body = { auth_request_id, identifier: IDENTIFIER };
  const verified = await data(api.POST('/api/v1/connected_accounts/user/verify', { body }));
  assert.match(verified.post_user_verify_redirect_url, /^http/);
});

await step('provider', async () => {
  const body = {
    display_name: 'Flow',
    proxy_url: 'https://proxy.test',
    auth_patterns: [{ type: 'API_KEY' as const }],
  };
  const { provider } = await data(api.POST('/api/v1/custom-providers', { body }), 201);
  assert.match(provider.identifier, /:/);
  const params = { path: { identifier: provider.identifier } };
  const renamed = await data(
    api.PUT('/api/v1/custom-providers/{identifier}', { params, body: { display_name: 'Flow 2' } }),
  );
  assert.equal(renamed.provider.display_name, 'Flow 2');
  await data(api.DELETE('/api/v1/custom-providers/{identifier}', { params }));
  await refusal(api.DELETE('/api/v1/custom-providers/{identifier}', { params }), 404);
});

await step('membership', async () => {
  const params = { path: MEMBER };
  const path = '/api/v1/memberships/organizations/{organization_id}/users/{id}' as const;
  const { user } = await data(api.POST(path, { params, body: { inviter_email: INVITER } }), 201);
  assert.equal(user.memberships?.[0]?.membership_status, 'PENDING_INVITE');
  const changed = await data(api.PATCH(path, { params, body: { metadata: { team: 'core' } } }));
  assert.deepEqual(changed.user.memberships?.[0]?.metadata, { team: 'core' });
  const resent = await data(
    api.PATCH('/api/v1/invites/organizations/{organization_id}/users/{id}/resend', { params, body: {} }),
  );
  assert.equal(resent.invite.resent_count, 1);
  await data(api.DELETE(path, { params }));
  await refusal(api.DELETE(path, { params }), 404);
});

await step('external-id', async () => {
  const params = { path: EXTERNAL };
  const path = '/api/v1/memberships/organizations/{organization_id}/users:external/{external_id}' as const;
  const { user } = await data(api.POST(path, { params, body: {} }), 201);
  assert.equal(user.external_id, EXTERNAL.external_id);
  await data(api.DELETE(path, { params }));
});

await step('logs', async () => {
  const query = { status: ['SUCCESS', 'FAILED'] };
  const { authRequests } = await data(api.GET('/api/v1/logs/authentication/requests', { params: { query } }));
  assert.ok(authRequests.length > 0);
  assert.ok(authRequests.every(({ status }) => query.status.includes(status ?? '')));
});

await step('retries', async () => {
  await injectFaults();
  assert.ok((await data(api.GET('/api/v1/connections'))).connections.length > 0);
});

await step('delete', async () => {
  await data(api.POST('/api/v1/connected_accounts:delete', { body: PAIR }));
  await refusal(api.GET('/api/v1/connected_accounts/details', { params: { query: PAIR } }), 404);
});
