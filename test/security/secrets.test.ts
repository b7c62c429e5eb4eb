/** Credentials that clients sent are in nothing that the mock shows or logs (behaviour R2, A5). */
import { beforeAll, expect, test } from '@jest/globals';
import type { LogEntry } from '../../src/index.ts';
import { testServer } from '../support/server.ts';

const CONTROL_TOKEN = 'canary-control-token';
const CANARY = /canary-[\w-]+/g;

const logged: LogEntry[] = [];
const server = testServer({ controlToken: CONTROL_TOKEN, log: (entry) => logged.push(entry) });
const { accessToken: bearer = '' } = (await server.mock.environment('development')).credentials;

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.call(method, path, { token: bearer, headers, body });

const control = (method: string, path: string, body?: unknown) =>
  server.control(method, path, body, {
    token: CONTROL_TOKEN,
    headers: { accept: 'text/html, application/json' },
  });

const ACCOUNTS = '/api/v1/connected_accounts';
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const oauth_token = { access_token: 'canary-access', refresh_token: 'canary-refresh' };

const withDetails = (authorization_details: unknown, more: object = {}) => ({
  connector: 'mail',
  identifier: 'canary@acme.test',
  connected_account: { authorization_details },
  ...more,
});
const OAUTH = withDetails({ oauth_token });

beforeAll(async () => {
  const static_auth = { details: { api_key: 'canary-key', nested: ['canary-nested'] } };
  const secrets = { secret_access_key: 'canary-secret-access-key', session_token: 'canary-session-token' };
  const trusted_idp = { db_user: 'reader', ...secrets };
  const updated = { oauth_token: { access_token: 'canary-updated' } };
  const wellFormed = [
    await call('POST', ACCOUNTS, OAUTH),
    await call('PUT', ACCOUNTS, withDetails(updated)),
    await call('GET', `${ACCOUNTS}/auth?connector=mail&identifier=canary@acme.test`),
    await call('POST', ACCOUNTS, withDetails({ static_auth }, { connector: 'crm' })),
    await call('POST', ACCOUNTS, withDetails({ trusted_idp }, { connector: 'warehouse' })),
  ];
  expect(wellFormed.map(({ status }) => status)).toEqual([201, 200, 200, 201, 201]);
});

/** Expects a refusal without a credential in it. */
const expectHidden = ({ status, text }: { status: number; text: string }): void => {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text.replaceAll('canary@acme.test', '').match(CANARY)).toBeNull();
};

const TWO_KINDS = { oauth_token, static_auth: { details: { k: 'canary-two' } } };

test.each<[string, string, string, unknown]>([
  ['an account written as text', 'POST', ACCOUNTS, { ...OAUTH, connected_account: JSON.stringify(OAUTH) }],
  ['credentials written as text', 'POST', ACCOUNTS, withDetails('canary-text')],
  ['a body that is a text', 'POST', ACCOUNTS, JSON.stringify('canary-body')],
  ['a body that is a list', 'POST', ACCOUNTS, [OAUTH]],
  ['a body that is cut off', 'POST', ACCOUNTS, JSON.stringify(OAUTH).slice(0, -4)],
  ['a second account', 'POST', ACCOUNTS, OAUTH],
  ['the wrong kind of credentials', 'POST', ACCOUNTS, { ...OAUTH, connector: 'crm', identifier: 'd' }],
  ['two kinds of credentials', 'POST', ACCOUNTS, withDetails(TWO_KINDS, { identifier: 'e' })],
  ['a token in a list', 'POST', ACCOUNTS, withDetails({ oauth_token: { access_token: ['canary-wrong'] } })],
  [
    'a token in an object',
    'POST',
    ACCOUNTS,
    withDetails({ oauth_token: { access_token: { a: 'canary-in' } } }),
  ],
  ['scopes of the wrong type', 'POST', ACCOUNTS, withDetails({ oauth_token: { scopes: 'canary-scopes' } })],
  ['metadata with a password', 'PATCH', MEMBER, { metadata: { password: 'canary-'.repeat(60) } }],
])('behaviour R2: an error about %s does not show it', async (_what, method, path, body) => {
  expectHidden(await call(method, path, body));
});

const MALFORMED = [
  '{client_secret: "canary-unquoted"}',
  `{'client_secret': "canary-single-quoted"}`,
  '"client_secret"=>"canary-arrow"',
  '{"client_secret" "canary-without-colon"}',
  '/* why */ {"client_secret":"canary-after-comment"}',
  '{"client_secret":"canary-cut',
  '<client_secret>canary-xml</client_secret>',
  '[[[[{"a":"canary-nested"',
  'canary-alone',
];

const BRACKETED = [
  'client_secret[]=canary-list',
  'access_token[0]=canary-first',
  'authorization_details[access_token]=canary-member',
  'grant_type=client_credentials;client_secret=canary-semicolon',
  'grant_type=client_credentials%3Bclient_secret%3Dcanary-encoded',
  '{"client_secret":"canary-json-as-form"}=1',
  'canary-name=',
  'canary-bare',
];

const FORMS = [
  'grant_type=client_credentials&client_id=dev-client&client_secret=canary-client-secret',
  'grant_type=client_credentials&client_secret=canary-client-secret',
  'client_secret=canary-one&client_secret=canary-two&client_id=a&grant_type=client_credentials',
];

const MEMBERS = [
  { 'client_secret[]': 'canary-bracket' },
  { 'authorization_details[access_token]': 'canary-brackets' },
  { metadata: { secret_access_key: 'canary-free-form', session_token: ['canary-free-list'] } },
  { connected_account: { api_config: { a: { session_token: { b: 'canary-deep' } } } } },
  { connected_account: { authorization_details: { static_auth: { details: { 'canary-key': 1 } } } } },
  { api_config: '{"client_secret":"canary-within-text"}' },
  { identifier: 'client_secret=canary-assigned' },
  { 'client_secret=canary-in-name': 1 },
  { 'client_secret\u0000': 'canary-nul' },
];

test.each([
  ...MALFORMED.map((body) => [ACCOUNTS, body, {}] as const),
  ...MEMBERS.map((body) => [ACCOUNTS, JSON.stringify(body), {}] as const),
  ...[...MALFORMED, ...BRACKETED, ...FORMS].map((body) => ['/oauth/token', body, FORM] as const),
  ...BRACKETED.map((body) => [ACCOUNTS, body, FORM] as const),
  ...MALFORMED.map((body) => [ACCOUNTS, body, { 'content-type': 'text/plain' }] as const),
])('behaviour R2: an error of %s about %s does not show the credential in it', async (path, body, headers) => {
  expectHidden(await call('POST', path, body, headers));
});

test.each([
  'client_secret=canary-query',
  'client_secret[]=canary-query-list',
  'page_size=5;client_secret=canary-query-semicolon',
  '{client_secret:"canary-query-json"}',
  '"client_secret"=>"canary-query-arrow"',
  'connector=client_secret%3Dcanary-query-value',
  'page_size=access_token:canary-query-colon',
])('behaviour R2: an error for a call with the query %s does not show it', async (query) => {
  for (const path of [ACCOUNTS, '/api/v1/connections', '/api/v1/nowhere', `${ACCOUNTS}/auth`]) {
    const { status, text } = await call('GET', `${path}?${query}`, undefined, { 'x-mock-strict': '1' });
    if (status >= 400) expect([path, text.match(CANARY)]).toEqual([path, null]);
  }
});

test.each([
  'canary-bearer',
  'a.canary-b.c',
])('behaviour R2: an error about the access token %s does not show it', async (token) => {
  const headers = { 'x-api-key': 'canary-key', cookie: 'a=canary-cookie', authorization: `Bearer ${token}` };
  expectHidden(await call('GET', '/api/v1/connections', undefined, headers));
});

test.each([
  ['/state', '"canary-body"'],
  ['/state', '{"clients":"canary-clients"}'],
  ['/state', '{"clients":[{"client_id":"a","client_secret":["canary-secret"]}]}'],
  ['/state', '{"access_tokens":["canary-access !"]}'],
  ['/state', '{"connected_accounts":["{\\"authorization_details\\":\\"canary-details\\"}"]}'],
  [
    '/state',
    '{"connected_accounts":[{"connector":"mail","identifier":"a","authorization_details":"canary-a"}]}',
  ],
  ['/settings', '"canary-body"'],
])('behaviour R2: an error of PATCH %s with %s does not show the credential', async (path, body) => {
  expectHidden(await control('PATCH', `/environments/development${path}`, body));
});

test('behaviour R2: an error of the control plane shows neither the token that was sent nor the right token', async () => {
  expectHidden(await server.control('GET', '/health', undefined, { token: 'canary-wrong' }));
});

test.each([
  '/environments/development/requests',
  '/environments/development/requests?format=har',
  '/environments/development/visits',
  '/environments/development/events',
  '/environments/development/outbox',
  '/environments/development/coverage',
  '/environments/development/settings',
  '/coverage',
  '/health',
  '/environments',
])('behaviour R2: %s shows no credential of a call', async (path) => {
  const text = (await control('GET', path)).text.replaceAll(/canary(@|%40)acme\.test/g, '');
  expect(text.length).toBeGreaterThan(2);
  expect(text.match(CANARY)).toBeNull();
  expect(text).not.toContain(`Bearer ${bearer}`);
});

test('behaviour R2: log entries show no credential', () => {
  expect(logged.length).toBeGreaterThan(10);
  expect(JSON.stringify(logged).match(CANARY)).toBeNull();
  expect(JSON.stringify(logged)).not.toContain(bearer);
});

test('behaviour A5: no answer and no export has members that the document never returns', async () => {
  const exported = await control('GET', '/environments/development/state');
  const auth = await call('GET', `${ACCOUNTS}/auth?connector=warehouse&identifier=canary@acme.test`);
  expect(auth.status).toBe(200);
  for (const { text } of [exported, auth])
    expect(text).not.toMatch(/canary-se(cret|ssion)|"(secret_access_key|session_token)"/);
});
