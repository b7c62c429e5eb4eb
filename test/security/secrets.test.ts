/** No error, list, stream or log of the mock shows a credential that a client sent (behaviour R2, A5). */
import { beforeAll, expect, test } from '@jest/globals';
import type { LogEntry } from '#mock';
import { startGrpc } from '../grpc/support.ts';
import { callsOf } from '../support/server.ts';

const CONTROL_TOKEN = 'canary-control-token';
const CANARY = /canary-[\w-]*/g;

const logged: LogEntry[] = [];
const { mock, fail } = await startGrpc({ controlToken: CONTROL_TOKEN, log: (entry) => logged.push(entry) });
const server = callsOf(mock, mock.url);
const { accessToken: bearer = '' } = (await mock.environment('development')).credentials;

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.call(method, path, { token: bearer, headers, body });

const ENVIRONMENT = '/environments/development';
const control = (method: string, path: string, body?: unknown) =>
  server.control(method, path, body, { token: CONTROL_TOKEN });

const ACCOUNTS = '/api/v1/connected_accounts';
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
const CONNECT = '/example.accounts.v1.ConnectedAccounts/CreateConnectedAccount';
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

/** Expects an error that shows no credential. */
const expectHidden = ({ status, text }: { status: number; text: string }): void => {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text.length).toBeGreaterThan(2);
  expect(text.replaceAll('canary@acme.test', '').match(CANARY)).toBeNull();
};

/** Names whose values are credentials by convention. */
const NAMES = ['passphrase', 'jwt', 'private_key_pem', 'secret_key', 'code_verifier', 'X-Jwt', 'DPoP'];
const NAMED = Object.fromEntries(NAMES.map((name) => [name, `canary-${name}`]));
const TWO_KINDS = { oauth_token, static_auth: { details: { k: 'canary-two' } } };

test.each<[string, string, unknown]>([
  ['an account written as a string', ACCOUNTS, { ...OAUTH, connected_account: JSON.stringify(OAUTH) }],
  ['credentials written as a string', ACCOUNTS, withDetails('canary-text')],
  ['a body that is a list', ACCOUNTS, [OAUTH]],
  ['a body that is cut off', ACCOUNTS, JSON.stringify(OAUTH).slice(0, -4)],
  ['a second account', ACCOUNTS, OAUTH],
  ['the wrong kind of credentials', ACCOUNTS, { ...OAUTH, connector: 'crm', identifier: 'd' }],
  ['two kinds of credentials', ACCOUNTS, withDetails(TWO_KINDS, { identifier: 'e' })],
  ['a token in a list', ACCOUNTS, withDetails({ oauth_token: { access_token: ['canary-wrong'] } })],
  ['a token in an object', ACCOUNTS, withDetails({ oauth_token: { access_token: { a: 'canary-in' } } })],
  ['scopes of the wrong type', ACCOUNTS, withDetails({ oauth_token: { scopes: 'canary-scopes' } })],
  ['metadata with a password', MEMBER, { metadata: { password: 'canary-'.repeat(60) } }],
  ['members with conventional names of credentials', ACCOUNTS, { connector: 'mail', api_config: NAMED }],
  ['a value of the wrong type in Connect JSON', CONNECT, withDetails({ oauth_token: 'canary-connect' })],
  ['Connect JSON that is cut off', CONNECT, '{"client_secret": "canary-cut'],
  ['Connect JSON that is not quoted', CONNECT, '{"connector": canary-bare}'],
  ['an object in place of a text', CONNECT, { connector: { access_token: 'canary-object' } }],
  ['credentials in place of an object', CONNECT, withDetails('canary-details'.repeat(500))],
  ['scopes of the wrong type in Connect JSON', CONNECT, withDetails({ oauth_token: { scopes: 'canary-s' } })],
  ['a list in Connect JSON', CONNECT, withDetails({ oauth_token: { access_token: ['canary-l'] } })],
])('behaviour R2: an error about %s shows no credential', async (_what, path, body) => {
  expectHidden(await call(path === MEMBER ? 'PATCH' : 'POST', path, body));
});

const MALFORMED = [
  '{client_secret: "canary-unquoted"}',
  `{'client_secret': "canary-single-quoted"}`,
  '"client_secret"=>"canary-arrow"',
  '{"client_secret" "canary-without-colon"}',
  '/* why */ {"client_secret":"canary-after-comment"}',
  '{"client_secret":"canary-cut',
  '<client_secret>canary-xml</client_secret>',
];

const BRACKETED = [
  'client_secret[]=canary-list',
  'access_token[0]=canary-first',
  'authorization_details[access_token]=canary-member',
  '{"client_secret":"canary-json-as-form"}=1',
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
  { api_config: '{"client_secret":"canary-within-text"}' },
  { 'client_secret\u0000': 'canary-nul' },
];

test.each([
  ...MALFORMED.map((body) => [ACCOUNTS, body, {}] as const),
  ...MEMBERS.map((body) => [ACCOUNTS, JSON.stringify(body), {}] as const),
  ...[...MALFORMED, ...BRACKETED, ...FORMS].map((body) => ['/oauth/token', body, FORM] as const),
  ...BRACKETED.map((body) => [ACCOUNTS, body, FORM] as const),
  ...MALFORMED.map((body) => [ACCOUNTS, body, { 'content-type': 'text/plain' }] as const),
])('behaviour R2: an error of %s about %s shows no credential', async (path, body, headers) => {
  expectHidden(await call('POST', path, body, headers));
});

const QUERIES = [
  'client_secret=canary-query',
  'client_secret[]=canary-query-list',
  '{client_secret:"canary-query-json"}',
  '"client_secret"=>"canary-query-arrow"',
  `${new URLSearchParams(NAMED)}&page_size=x`,
];
const PATHS = [ACCOUNTS, '/api/v1/connections', '/api/v1/nowhere', `${ACCOUNTS}/auth`];

test.each(
  PATHS.flatMap((path) => QUERIES.map((query) => `${path}?${query}`)),
)('behaviour R2: the answer to GET %s shows no credential', async (address) => {
  const { text } = await call('GET', address, undefined, { 'x-mock-strict': '1' });
  expect(text.match(CANARY)).toBeNull();
});

test.each<Record<string, string>>([
  { authorization: 'Bearer canary-bearer', 'x-api-key': 'canary-key', cookie: 'a=canary-cookie' },
  { authorization: 'Bearer a.canary-b.c', ...NAMED },
])('behaviour R2: an error of a call with the headers %j shows no credential', async (headers) => {
  expectHidden(await call('GET', '/api/v1/connections', undefined, headers));
  const { authorization: _bearer, ...metadata } = headers;
  const error = await fail('ConnectedAccounts/CreateConnectedAccount', {}, { headers: metadata });
  expect(String(error).match(CANARY)).toBeNull();
});

test.each([
  ['/state', '"canary-body"'],
  ['/state', '{"clients":"canary-clients"}'],
  ['/state', '{"clients":[{"client_id":"a","client_secret":["canary-secret"]}]}'],
  ['/state', '{"access_tokens":["canary-access !"]}'],
  ['/state', '{"connected_accounts":["{\\"authorization_details\\":\\"canary-details\\"}"]}'],
  ['/state', '{"connected_accounts":[{"connector":"mail","authorization_details":"canary-a"}]}'],
  ['/settings', '"canary-body"'],
])('behaviour R2: an error of PATCH %s with %s shows no credential', async (path, body) => {
  expectHidden(await control('PATCH', ENVIRONMENT + path, body));
});

test('behaviour R2: an error of the control plane shows neither the token that was sent nor the right token', async () => {
  expectHidden(await server.control('GET', '/health', undefined, { token: 'canary-wrong' }));
});

const SHOWN = ['requests', 'requests?format=har', 'pact', 'events', 'outbox', 'settings', 'faults'];

test('behaviour R2: no list, archive, stream or log of the mock shows a credential that a client sent', async () => {
  const { requests } = (await control('GET', `${ENVIRONMENT}/requests?limit=1000`)).body;
  expect(requests.length).toBeGreaterThan(50);
  const calls = requests.map(({ sequence }: { sequence: number }) => `requests/${sequence}`);
  const paths = [...SHOWN, ...calls, 'coverage', 'coverage?format=text'].map(
    (path) => `${ENVIRONMENT}/${path}`,
  );
  const places = new Map([
    ['the log', JSON.stringify(logged)],
    ['the stream', await readStream('/_mock/live?environment=development')],
  ]);
  for (const path of [...paths, '/coverage', '/health', '/environments'])
    places.set(path, (await control('GET', path)).text);
  for (const [place, text] of places) {
    expect([place, text.length > 2]).toEqual([place, true]);
    expect([place, text.replaceAll(/canary(@|%40)acme\.test/g, '').match(CANARY)]).toEqual([place, null]);
    expect([place, text.includes(`Bearer ${bearer}`)]).toEqual([place, false]);
  }
  expect(logged.length).toBeGreaterThan(50);
});

/** The first chunk that the stream sends: the calls in the journal. */
const readStream = async (path: string): Promise<string> => {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${CONTROL_TOKEN}` };
  const reply = await fetch(mock.url + path, { headers, signal: stop.signal });
  const chunk = await reply.body?.getReader().read();
  stop.abort();
  return Buffer.from(chunk?.value ?? []).toString();
};

test("behaviour R2: the journal masks the environment's own credentials, and tokens, wherever they stand", async () => {
  const jwt = await server.issueToken('dev-client', 'dev-secret');
  const body = { note: `dev-secret, ${jwt}`, 'dev-secret': jwt };
  await call('POST', ACCOUNTS, body, { 'x-note': `${bearer} ${jwt}` });
  const { requests } = (await control('GET', `${ENVIRONMENT}/requests?limit=1`)).body;
  expect(requests).toMatchObject([
    { request: { headers: { 'x-note': '*** ***' }, body: { note: '***, ***', '***': '***' } } },
  ]);
});

test('behaviour R2: a mebibyte of beginnings of tokens is refused and shown, whatever is in it', async () => {
  const text = '-eyJ'.repeat(2 ** 18 - 20);
  const { status } = await call('POST', '/oauth/token', `client_id=${text}`, FORM);
  expect(status).toBe(400);
  expect((await control('GET', `${ENVIRONMENT}/requests?limit=1`)).body.requests).toMatchObject([
    { operation: 'issueToken', request: { body_cut: true } },
  ]);
});

test('behaviour A5: neither an answer nor an export contains secret_access_key or session_token', async () => {
  const exported = await control('GET', `${ENVIRONMENT}/state`);
  const auth = await call('GET', `${ACCOUNTS}/auth?connector=warehouse&identifier=canary@acme.test`);
  expect(auth.status).toBe(200);
  for (const { text } of [exported, auth])
    expect(text).not.toMatch(/canary-se(cret|ssion)|"(secret_access_key|session_token)"/);
});
