/** Walks FLOW.md with the functions that @hey-api/openapi-ts generates from the contract, one for each operation. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from './generated/hey-api/client.gen.ts';
import * as api from './generated/hey-api/sdk.gen.ts';

const {
  MOCK_URL: baseUrl = '',
  MOCK_CLIENT_ID: client_id = '',
  MOCK_CLIENT_SECRET: client_secret = '',
} = process.env;

const IDENTIFIER = 'Flow@acme.test';
const PAIR = { connector: 'mail', identifier: IDENTIFIER };
const CREDENTIALS = {
  access_token: 'flow-access',
  refresh_token: 'flow-refresh',
  scopes: ['mail.read'],
};
const VERIFY_URL = 'http://localhost:3000/verify?from=flow';
const STATE = 'a state & more';
const MEMBER = { organization_id: 'org_100000000000000001', id: 'usr_100000000000000005' };
const EXTERNAL = { organization_id: MEMBER.organization_id, external_id: 'ext-barbara' };
const INVITER = 'ada@acme.test';

/** What a generated function returns. */
interface Reply<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** Takes a step of FLOW.md. */
const step = async (name: string, walk: () => Promise<unknown>): Promise<void> => {
  await walk();
  console.log(`ok ${name}`);
};

/** Requires that a reply has this status. Returns its data. */
const data = async <Data>(call: Promise<Reply<Data>>, status = 200): Promise<Data> => {
  const { data: given, error, response } = await call;
  assert.equal(response.status, status, JSON.stringify(error));
  assert.ok(given !== undefined);
  return given;
};

/** Requires that a reply has this status. Returns its error as JSON. */
const refusal = async (call: Promise<Reply<unknown>>, status: number): Promise<string> => {
  const { error, response } = await call;
  assert.equal(response.status, status);
  return JSON.stringify(error);
};

const ATTEMPTS = 5;

/** Retries after 429 and 5xx. Waits for the time in Retry-After before each retry. */
const retryingFetch = async (given: Request): Promise<Response> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(given.clone());
    const mayPass = response.status === 429 || response.status >= 500;
    if (!mayPass || attempt === ATTEMPTS) return response;
    await sleep(Number(response.headers.get('retry-after') ?? '0.02') * 1_000);
  }
};

/** Adds the three faults of the step `retries`, each for one call. */
const injectFaults = async (): Promise<void> => {
  for (const status of [429, 500, 504]) {
    const response = await fetch(`${baseUrl}/_mock/environments/${process.env.MOCK_ENVIRONMENT}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'listConnections', status, times: 1 }),
    });
    assert.equal(response.status, 201);
  }
};

/** Approves a link as a user would. Returns the URL to which the browser is redirected. */
const approve = async (link: string): Promise<URL> => {
  const answer = await fetch(`${link}?decision=approve`, { redirect: 'manual' });
  assert.equal(answer.status, 302);
  return new URL(answer.headers.get('location') ?? '');
};

let token = '';
// The cast is safe, since the client calls `fetch` only with a Request.
client.setConfig({ baseUrl, auth: () => token, fetch: retryingFetch as typeof fetch });

await step('token', async () => {
  const body = { grant_type: 'client_credentials', client_id, client_secret } as const;
  const issued = await data(api.issueToken({ body }));
  assert.deepEqual([issued.token_type, issued.expires_in], ['Bearer', 86_400]);
  token = issued.access_token;
});

await step('unauthorized', async () => {
  assert.match(await refusal(api.listConnections({ auth: 'none' }), 401), /UNAUTHENTICATED/);
});

await step('connections', async () => {
  const { connections } = await data(api.listConnections());
  assert.equal(connections.find(({ key_id }) => key_id === 'mail')?.type, 'OAUTH');
});

const account = {
  ...PAIR,
  connected_account: { api_config: { first: 1 }, authorization_details: { oauth_token: CREDENTIALS } },
};

await step('create', async () => {
  const { connected_account } = await data(api.createConnectedAccount({ body: account }), 201);
  assert.equal(connected_account.status, 'ACTIVE');
  assert.match(connected_account.id, /^ca_/);
});

await step('conflict', () => refusal(api.createConnectedAccount({ body: account }), 409));

await step('invalid', async () => {
  assert.match(await refusal(api.listConnectedAccounts({ query: { page_size: 101 } }), 400), /page_size/);
});

await step('details', async () => {
  const { connected_account } = await data(api.getConnectedAccountDetails({ query: PAIR }));
  assert.equal(connected_account.identifier, IDENTIFIER);
  assert.ok(!('authorization_details' in connected_account));
});

await step('credentials', async () => {
  const { connected_account } = await data(api.getConnectedAccountAuth({ query: PAIR }));
  assert.equal(connected_account.authorization_details?.oauth_token?.access_token, CREDENTIALS.access_token);
});

await step('update', async () => {
  const body = { ...PAIR, connected_account: { api_config: { second: 2 } } };
  const { connected_account } = await data(api.updateConnectedAccount({ body }));
  assert.deepEqual(connected_account.api_config, { first: 1, second: 2 });
});

await step('pages', async () => {
  const seen = new Set<string>();
  let page = { next_page_token: '', total_size: 0 };
  do {
    const query = { page_size: 5, page_token: page.next_page_token };
    const next = await data(api.listConnectedAccounts({ query }));
    for (const { id } of next.connected_accounts) seen.add(id);
    page = next;
  } while (page.next_page_token !== '');
  assert.equal(seen.size, page.total_size);
});

await step('search', async () => {
  const found = await data(api.searchConnectedAccounts({ query: { query: 'FLOW@ACME' } }));
  assert.equal(found.connected_accounts.map(({ identifier }) => identifier).join(), IDENTIFIER);
});

let auth_request_id = '';

await step('link', async () => {
  const body = { ...PAIR, user_verify_url: VERIFY_URL, state: STATE };
  const { link } = await data(api.createMagicLink({ body }));
  const { searchParams } = await approve(link);
  assert.deepEqual([searchParams.get('state'), searchParams.get('from')], [STATE, 'flow']);
  auth_request_id = searchParams.get('auth_request_id') ?? '';
});

const verify = (identifier: string) =>
  api.verifyConnectedAccountUser({ body: { auth_request_id, identifier } });

await step('mismatch', () => refusal(verify('other@acme.test'), 403));

await step('verify', async () => {
  const verified = await data(verify(IDENTIFIER));
  assert.match(verified.post_user_verify_redirect_url, /^http/);
});

await step('provider', async () => {
  const body = {
    display_name: 'Flow',
    proxy_url: 'https://proxy.test',
    auth_patterns: [{ type: 'API_KEY' as const }],
  };
  const { provider } = await data(api.createCustomProvider({ body }), 201);
  assert.match(provider.identifier, /:/);
  const path = { identifier: provider.identifier };
  const renamed = await data(api.updateCustomProvider({ path, body: { display_name: 'Flow 2' } }));
  assert.equal(renamed.provider.display_name, 'Flow 2');
  await data(api.deleteCustomProvider({ path }));
  await refusal(api.deleteCustomProvider({ path }), 404);
});

await step('membership', async () => {
  const path = MEMBER;
  const { user } = await data(api.createMembership({ path, body: { inviter_email: INVITER } }), 201);
  assert.equal(user.memberships?.[0]?.membership_status, 'PENDING_INVITE');
  const changed = await data(api.updateMembership({ path, body: { metadata: { team: 'core' } } }));
  assert.deepEqual(changed.user.memberships?.[0]?.metadata, { team: 'core' });
  const resent = await data(api.resendInvite({ path, body: {} }));
  assert.equal(resent.invite.resent_count, 1);
  await data(api.deleteMembership({ path }));
  await refusal(api.deleteMembership({ path }), 404);
});

await step('external-id', async () => {
  const path = EXTERNAL;
  const { user } = await data(api.createMembershipByExternalId({ path, body: {} }), 201);
  assert.equal(user.external_id, EXTERNAL.external_id);
  await data(api.deleteMembershipByExternalId({ path }));
});

await step('logs', async () => {
  const query = { status: ['SUCCESS', 'FAILED'] };
  const { authRequests } = await data(api.listAuthenticationRequests({ query }));
  assert.ok(authRequests.length > 0);
  assert.ok(authRequests.every(({ status }) => query.status.includes(status ?? '')));
});

await step('retries', async () => {
  await injectFaults();
  assert.ok((await data(api.listConnections())).connections.length > 0);
});

await step('delete', async () => {
  await data(api.deleteConnectedAccount({ body: PAIR }));
  await refusal(api.getConnectedAccountDetails({ query: PAIR }), 404);
});
