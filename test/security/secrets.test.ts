/** Credentials that went in: searched for in everything that the mock shows or tells (behaviour R2, A5). */
import { beforeAll, expect, test } from '@jest/globals';
import type { LogEntry } from '../../src/index.ts';
import { testServer } from '../support/server.ts';

const CONTROL_TOKEN = 'canary-control-token';
const CANARY = /canary-[\w-]+/g;

const logged: LogEntry[] = [];
const server = testServer({ controlToken: CONTROL_TOKEN, log: (entry) => logged.push(entry) });
const { mock } = server;
/** Answers that may not hold what was sent: refusals. */
const refused: string[] = [];
const { accessToken: bearer = '' } = (await mock.environment('development')).credentials;

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const { status, text } = await server.call(method, path, { token: bearer, headers, body });
  if (status >= 400) refused.push(text);
  return { status, text };
};

const ACCOUNTS = '/api/v1/connected_accounts';
const oauth_token = { access_token: 'canary-access', refresh_token: 'canary-refresh' };
const OAUTH = {
  connector: 'mail',
  identifier: 'canary@acme.test',
  connected_account: { authorization_details: { oauth_token } },
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

beforeAll(async () => {
  const wellFormed = [
    await call('POST', ACCOUNTS, OAUTH),
    await call('PUT', ACCOUNTS, {
      ...OAUTH,
      connected_account: { authorization_details: { oauth_token: { access_token: 'canary-updated' } } },
    }),
    await call('GET', `${ACCOUNTS}/auth?connector=mail&identifier=canary@acme.test`),
    await call('POST', ACCOUNTS, {
      connector: 'crm',
      identifier: 'b',
      connected_account: {
        authorization_details: {
          static_auth: { details: { api_key: 'canary-key', nested: ['canary-nested'] } },
        },
      },
    }),
    await call('POST', ACCOUNTS, {
      connector: 'warehouse',
      identifier: 'c',
      connected_account: {
        authorization_details: {
          trusted_idp: {
            db_user: 'reader',
            secret_access_key: 'canary-secret-access-key',
            session_token: 'canary-session-token',
          },
        },
      },
    }),
  ];
  expect(wellFormed.map(({ status }) => status)).toEqual([201, 200, 200, 201, 201]);
});

const DETAILS = JSON.stringify(OAUTH.connected_account);

test.each([
  ['an account written as text', 'POST', ACCOUNTS, { ...OAUTH, connected_account: DETAILS }],
  [
    'credentials written as text',
    'POST',
    ACCOUNTS,
    { ...OAUTH, connected_account: { authorization_details: 'canary-text' } },
  ],
  ['a body that is a text', 'POST', ACCOUNTS, JSON.stringify('canary-body')],
  ['a body that is a list', 'POST', ACCOUNTS, [OAUTH]],
  ['a body that is cut off', 'POST', ACCOUNTS, JSON.stringify(OAUTH).slice(0, -4)],
  ['a second account', 'POST', ACCOUNTS, OAUTH],
  ['the wrong kind of credentials', 'POST', ACCOUNTS, { ...OAUTH, connector: 'crm', identifier: 'd' }],
  [
    'two kinds of credentials',
    'POST',
    ACCOUNTS,
    {
      ...OAUTH,
      identifier: 'e',
      connected_account: {
        authorization_details: { oauth_token, static_auth: { details: { k: 'canary-two' } } },
      },
    },
  ],
  [
    'a token of the wrong type',
    'POST',
    ACCOUNTS,
    {
      ...OAUTH,
      identifier: 'f',
      connected_account: { authorization_details: { oauth_token: { access_token: ['canary-wrong'] } } },
    },
  ],
  [
    'scopes of the wrong type',
    'POST',
    ACCOUNTS,
    {
      ...OAUTH,
      identifier: 'g',
      connected_account: { authorization_details: { oauth_token: { scopes: 'canary-scopes' } } },
    },
  ],
  [
    'metadata with a password',
    'PATCH',
    '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001',
    { metadata: { password: 'canary-'.repeat(60) } },
  ],
])('an error about %s does not show it', async (_what, method, path, body) => {
  const { status, text } = await call(method, path, body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text.replaceAll('canary@acme.test', '').match(CANARY)).toBeNull();
});

test.each([
  ['a wrong secret', 'grant_type=client_credentials&client_id=dev-client&client_secret=canary-client-secret'],
  ['a secret without a client', 'grant_type=client_credentials&client_secret=canary-client-secret'],
  [
    'a secret twice',
    'client_secret=canary-one&client_secret=canary-two&client_id=a&grant_type=client_credentials',
  ],
])('an error about %s does not show it', async (_what, body) => {
  const { status, text } = await call('POST', '/oauth/token', body, FORM);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text.match(CANARY)).toBeNull();
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
  ...[...MALFORMED, ...BRACKETED].map((body) => ['/oauth/token', body, FORM] as const),
  ...BRACKETED.map((body) => [ACCOUNTS, body, FORM] as const),
  ...MALFORMED.map((body) => [ACCOUNTS, body, { 'content-type': 'text/plain' }] as const),
])('an error of %s about %s does not show the credential in it', async (path, body, headers) => {
  const { status, text } = await call('POST', path, body, headers);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text.match(CANARY)).toBeNull();
});

test.each([
  'client_secret=canary-query',
  'client_secret[]=canary-query-list',
  'page_size=5;client_secret=canary-query-semicolon',
  '{client_secret:"canary-query-json"}',
  '"client_secret"=>"canary-query-arrow"',
  'connector=client_secret%3Dcanary-query-value',
  'page_size=access_token:canary-query-colon',
])('an error for a call with the query %s does not show it', async (query) => {
  for (const path of [ACCOUNTS, '/api/v1/connections', '/api/v1/nowhere', `${ACCOUNTS}/auth`]) {
    const { status, text } = await call('GET', `${path}?${query}`, undefined, { 'x-mock-strict': '1' });
    if (status >= 400) expect([path, text.match(CANARY)]).toEqual([path, null]);
  }
});

test('an error about a credential in another header does not show it', async () => {
  const headers = {
    'x-forwarded-authorization': 'Bearer canary-forwarded',
    'x-api-key': 'canary-key',
    cookie: 'a=canary-cookie',
  };
  expect((await call('GET', '/api/v1/connections', undefined, headers)).status).toBe(200);
});

test.each([
  'canary-bearer',
  'a.canary-b.c',
])('an error about the access token %s does not show it', async (token) => {
  const { status, text } = await call('GET', '/api/v1/connections', undefined, {
    authorization: `Bearer ${token}`,
  });
  expect(status).toBe(401);
  expect(text.match(CANARY)).toBeNull();
});

const control = async (path: string, token = CONTROL_TOKEN): Promise<string> =>
  (
    await server.control('GET', path, undefined, {
      token,
      headers: { accept: 'text/html, application/json' },
    })
  ).text;

test.each([
  ['PATCH', '/state', '"canary-body"'],
  ['PATCH', '/state', '{"clients":"canary-clients"}'],
  ['PATCH', '/state', '{"clients":[{"client_id":"a","client_secret":["canary-secret"]}]}'],
  ['PATCH', '/state', '{"access_tokens":["canary-access !"]}'],
  ['PATCH', '/state', '{"connected_accounts":["{\\"authorization_details\\":\\"canary-details\\"}"]}'],
  [
    'PATCH',
    '/state',
    '{"connected_accounts":[{"connector":"mail","identifier":"a","authorization_details":"canary-a"}]}',
  ],
  ['PATCH', '/settings', '"canary-body"'],
])('an error of %s %s with %s does not show the credential', async (method, path, body) => {
  const { status, text } = await call(method, `/_mock/environments/development${path}`, body, {
    authorization: `Bearer ${CONTROL_TOKEN}`,
  });
  expect(status).toBe(400);
  expect(text.match(CANARY)).toBeNull();
});

test('an error of the control plane shows neither the token that was sent nor the right token', async () => {
  expect((await control('/health', 'canary-wrong')).match(CANARY)).toBeNull();
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
])('%s shows no credential of a call', async (path) => {
  const text = (await control(path)).replaceAll(/canary(@|%40)acme\.test/g, '');
  expect(text.length).toBeGreaterThan(2);
  expect(text.match(CANARY)).toBeNull();
  expect(text).not.toContain(`Bearer ${bearer}`);
});

test('log entries show no credential', () => {
  expect(logged.length).toBeGreaterThan(10);
  expect(JSON.stringify(logged).match(CANARY)).toBeNull();
  expect(JSON.stringify(logged)).not.toContain(bearer);
});

test('no answer and no export has members that the document never returns', async () => {
  const exported = await control('/environments/development/state');
  const auth = await call('GET', `${ACCOUNTS}/auth?connector=warehouse&identifier=c`);
  expect(auth.status).toBe(200);
  for (const text of [exported, auth.text]) {
    expect(text).not.toMatch(/canary-se(cret|ssion)/);
    expect(text).not.toMatch(/"(secret_access_key|session_token)"/);
  }
});
