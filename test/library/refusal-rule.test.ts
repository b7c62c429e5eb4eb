/** The journal names the rule that refused a call (`src/RULES.md`). It names no rule if a fault answered the call. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../support/server.ts';

const server = testServer();

type Call = Parameters<Isolated['api']>;

/** Makes the calls in the environment. Returns status and rule of its last call, as the journal has them. */
const lastOf = async ({ api, control }: Isolated, ...calls: Call[]) => {
  for (const call of calls) await api(...call);
  const { status, rule } = (await control('GET', '/requests')).body.requests.at(-1);
  return [status, rule];
};

const ACCOUNTS = '/api/v1/connected_accounts';
const CONNECTIONS = '/api/v1/connections';
const ADA = { connector: 'mail', identifier: 'ada@acme.test' };
const PROVIDER = '/api/v1/custom-providers/TICKET_DESK%3A100000000000000001';
const MEMBERSHIP = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000001';
const PREFER = { prefer: 'code=409' };

test.each<[string, Call, object, [number, string | undefined]]>([
  ['an account that exists already', ['POST', ACCOUNTS, ADA], {}, [409, 'A4']],
  ['an unknown connector', ['POST', ACCOUNTS, { ...ADA, connector: 'nowhere' }], {}, [400, 'A3']],
  ['an unknown account', ['GET', `${ACCOUNTS}/auth?id=ca_1`], {}, [404, 'A2']],
  ['an unknown connection name', ['GET', `${ACCOUNTS}?connection_names=x`], {}, [404, 'A1']],
  ['an unknown page token', ['GET', `${ACCOUNTS}?page_token=x`], {}, [400, 'I4']],
  ['a member that is missing', ['POST', ACCOUNTS, {}], {}, [400, 'R1']],
  ['both spellings of a name', ['POST', ACCOUNTS, { ...ADA, userId: 'a', user_id: 'b' }], {}, [400, 'T3']],
  ['a provider that a connection uses', ['DELETE', PROVIDER], {}, [400, 'P3']],
  ['a user who is a member', ['POST', MEMBERSHIP, {}], {}, [409, 'M1']],
  ['an unknown path', ['GET', '/api/v1/nowhere'], {}, [404, 'T4']],
  ['a method that a path does not have', ['PATCH', CONNECTIONS, {}], {}, [501, 'T4']],
  ['an unknown parameter', ['GET', `${ACCOUNTS}?pagesize=1`], { strict: true }, [400, 'T2']],
  ['a call that was answered', ['GET', CONNECTIONS], {}, [200, undefined]],
  ['an error that Prefer asks for', ['GET', CONNECTIONS, undefined, PREFER], {}, [409, undefined]],
])('the journal has the status of a call and the rule that refused it, if a rule did: %s, %j', async (_what, call, settings, refusal) => {
  expect(await lastOf(await server.isolated({ settings }), call)).toEqual(refusal);
});

const ORG = 'organizations/org_100000000000000001';
const MEMBERS = `/api/v1/memberships/${ORG}/users`;
const LINK = `${ACCOUNTS}/magic_link`;
const RESEND = '/api/v1/invites/organizations/org_100000000000000002/users/usr_100000000000000004/resend';
const PROVIDERS = '/api/v1/custom-providers';
const WIKI = { display_name: 'W', proxy_url: 'https://w.test', auth_patterns: [{}] };
const long = 'x'.repeat(2_000);
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 'x']));

/** What is refused, the rule that refuses it, and a word of the rule's text that says so. */
test.each<[string, Call, string, RegExp, object?]>([
  [
    'an identifier that is too long',
    ['POST', ACCOUNTS, { ...ADA, identifier: long }],
    'I5',
    /identifier 100/,
  ],
  ['a connector with other characters', ['POST', ACCOUNTS, { ...ADA, connector: '<' }], 'I5', /characters/],
  ['a state that is too long', ['POST', LINK, { ...ADA, state: long }], 'I5', /state 512/],
  [
    'a user_verify_url of another scheme',
    ['POST', LINK, { ...ADA, user_verify_url: 'ftp://a' }],
    'I5',
    /http/,
  ],
  [
    'a user_verify_url without a port',
    ['POST', LINK, { ...ADA, user_verify_url: 'https://a:99999' }],
    'I5',
    /user_verify_url/,
  ],
  ['no user_verify_url', ['POST', LINK, ADA], 'V4', /strict/, { user_verification: 'strict' }],
  ['a page that is too large', ['GET', `${ACCOUNTS}?page_size=101`], 'I3', /page_size/],
  ['a search that is too short', ['GET', `${ACCOUNTS}:search?query=x`], 'I5', /query of search/],
  ['an id of another form', ['GET', `${ACCOUNTS}/auth?id=usr_1`], 'I2', /ca_/],
  [
    'an organization of another form',
    ['POST', '/api/v1/memberships/organizations/x/users/usr_1', {}],
    'I2',
    /org_/,
  ],
  ['no account', ['GET', `${ACCOUNTS}/auth`], 'A2', /names an account/],
  ['a connector without an identifier', ['GET', `${ACCOUNTS}/auth?connector=mail`], 'A2', /identifier/],
  [
    'two filters on connections',
    ['GET', `${ACCOUNTS}?connector=mail&connection_names=mail`],
    'A1',
    /connection_names/,
  ],
  ['a sign-in connection', ['POST', ACCOUNTS, { ...ADA, connector: 'acme-oidc' }], 'A3', /sign-in type/],
  ['a disabled connection', ['POST', ACCOUNTS, { ...ADA, connector: 'paused' }], 'A3', /disabled/],
  ['a link of a disabled connection', ['POST', LINK, { ...ADA, connector: 'drafty' }], 'A3', /COMPLETED/],
  ['a connector without a page', ['POST', LINK, { ...ADA, connector: 'weather' }], 'V2', /no link|have no/],
  [
    'an unknown auth request',
    ['POST', `${ACCOUNTS}/user/verify`, { auth_request_id: 'x', identifier: 'x' }],
    'V6',
    /unknown|Unknown/,
  ],
  [
    'metadata with 21 pairs',
    ['POST', `${MEMBERS}/usr_100000000000000005`, { metadata: pairs(21) }],
    'X1',
    /20 pairs/,
  ],
  [
    'metadata with a long value',
    ['POST', `${MEMBERS}/usr_100000000000000005`, { metadata: { key: long } }],
    'X1',
    /256/,
  ],
  [
    'metadata with a short key',
    ['POST', `${MEMBERS}/usr_100000000000000005`, { metadata: { k: 'x' } }],
    'X1',
    /keys 3-25/,
  ],
  [
    'an unknown role',
    ['POST', `${MEMBERS}/usr_100000000000000005`, { roles: [{ name: 'x' }] }],
    'M2',
    /role/,
  ],
  ['an unknown user', ['POST', `${MEMBERS}/usr_900000000000000000`, {}], 'I2', /unknown/],
  ['a user without a membership', ['PATCH', `${MEMBERS}/usr_100000000000000005`, {}], 'M3', /Not a member/],
  ['a member without an invitation', ['PATCH', RESEND, {}], 'M7', /never|no invit/],
  [
    'a provider of a name that is taken',
    ['POST', PROVIDERS, { ...WIKI, display_name: 'ticket desk' }],
    'P2',
    /display name/,
  ],
  ['a provider without a host', ['POST', PROVIDERS, { ...WIKI, proxy_url: 'https://:443' }], 'P1', /host/],
  ['an unknown provider', ['DELETE', `${PROVIDERS}/X:1`], 'P3', /unknown identifier/],
  ['a time that is none', ['GET', '/api/v1/logs/authentication/requests?start_time=x'], 'L1', /bad time/],
  ['a member that appears twice', ['POST', ACCOUNTS, '{"connector":"a","connector":"b"}'], 'T5', /twice/],
  ['a member named __proto__', ['POST', ACCOUNTS, '{"__proto__":{}}'], 'T10', /__proto__/],
  ['half of a surrogate pair', ['POST', ACCOUNTS, '{"connector":"\\ud800"}'], 'I2', /surrogate/],
  ['a body that is not JSON', ['POST', ACCOUNTS, '{'], 'T4', /not JSON/],
  ['a parameter that cannot be decoded', ['GET', `${ACCOUNTS}?connector=%ff`], 'I2', /UTF-8|surrogate/],
  ['a value of another type', ['POST', ACCOUNTS, { ...ADA, identifier: 7 }], 'R1', /schema keyword/],
])('a refusal names the rule that says so: %s', async (_what, call, rule, subject, settings = {}) => {
  const [, named] = await lastOf(await server.isolated({ settings }), call);
  expect(named).toBe(rule);
  expect(textOfRule(rule)).toMatch(subject);
});

const textOfRule = (rule: string): string => {
  const words = readFileSync(new URL('../../src/RULES.md', import.meta.url), 'utf8');
  return words.split(/(?=<a id=)/).find((part) => part.startsWith(`<a id="${rule}">`)) ?? '';
};

test('the journal names T4 for a call without a token, E2 and E3 for tokens, X2 above the rate limit, and no rule for a fault', async () => {
  const env = await server.isolated({ settings: { rate_limit: { requests: 1, per: '1m' } } });
  expect(await lastOf(env, ['GET', CONNECTIONS], ['GET', CONNECTIONS])).toEqual([429, 'X2']);
  await server.call('GET', CONNECTIONS, { token: null, headers: { 'x-mock-environment': env.name } });
  expect(await lastOf(env)).toEqual([401, 'T4']);
  await server.call('GET', CONNECTIONS, { token: 'prod-token', headers: { 'x-mock-environment': env.name } });
  expect(await lastOf(env)).toEqual([401, 'E2']);
  const { client_id, client_secret } = (await env.control('GET', '')).body;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token } = (await env.api('POST', '/oauth/token', new URLSearchParams(form))).body;
  await env.control('POST', '/clock/advance', { by: '2d' });
  await server.call('GET', CONNECTIONS, { token: access_token, headers: { 'x-mock-environment': env.name } });
  expect(await lastOf(env)).toEqual([401, 'E3']);
  await env.control('POST', '/reset');
  await env.control('POST', '/faults', { operation: 'listConnections', status: 404 });
  expect(await lastOf(env, ['GET', CONNECTIONS])).toEqual([404, undefined]);
});

test('each rule that an error can name is in RULES.md', () => {
  const source = new URL('../../src/', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const named = files.flatMap((file) => [
    ...readFileSync(new URL(file, source), 'utf8').matchAll(/\brule: '([A-Z]\d{1,2})'/g),
  ]);
  const words = readFileSync(new URL('RULES.md', source), 'utf8');
  expect(named.length).toBeGreaterThan(20);
  for (const [, rule] of named) expect(words).toContain(`<a id="${rule}"></a>`);
});
