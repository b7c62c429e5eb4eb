/** What the log says about a refused call, and what the message of a 401 says. */

import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { createMock, type LogEntry, type Mock, type MockOptions } from '#mock';
import { describe, formatEntry, toLog } from '../../src/library/log.ts';
import { type Isolated, testServer } from '../support/server.ts';

/** Makes calls of a mock. @returns what its log says */
const logOf = async (happen: (mock: Mock) => Promise<unknown>, options: MockOptions = {}) => {
  const entries: LogEntry[] = [];
  await using mock = createMock({ ...options, log: (entry) => entries.push(entry) });
  await happen(mock);
  return entries;
};

test('the log says why a call of the control plane was refused, and shows of a page neither query nor whole token', async () => {
  const entries = await logOf(async (mock) => {
    await expect(mock.environment('prodction')).rejects.toThrow('production');
    await mock.fetch(`/magicLink/${'aB3d'.repeat(11)}?decision=deny`);
  });
  expect(entries).toMatchObject([
    { event: 'request', status: 404, reason: expect.stringContaining('prodction') },
    { status: 404, path: '/magicLink/aB3daB3d...' },
  ]);
});

test('the log of a call of the API has its environment, and a link to the rule that refused it or what was ignored', async () => {
  const entries = await logOf(async (mock) => {
    for (const strict of ['0', '1']) {
      const headers = { authorization: 'Bearer dev-token', 'x-mock-strict': strict };
      await mock.fetch('/api/v1/connections?domian=x', { headers });
    }
  });
  const call = {
    ...{ event: 'request', method: 'GET', path: '/api/v1/connections', ms: expect.any(Number) },
    ...{ operation: 'listConnections', environment: 'development' },
  };
  const meant = expect.stringContaining('Did you mean "domain"?');
  expect(entries).toEqual([
    { ...call, status: 200, warnings: [meant] },
    { ...call, status: 400, reason: meant, rule: 'http://mock.local/_mock/guide/rules#t2' },
  ]);
  for (const entry of entries) expect('ms' in entry && String(entry.ms)).toMatch(/^\d+(\.\d)?$/);
});

test('the message of a 401 names the clients of the scenario without their secrets, and a help page', async () => {
  await using mock = createMock({ log: 'silent' });
  await mock.createEnvironment();
  const answer = await mock.fetch('/api/v1/connections', { headers: { authorization: 'Bearer other' } });
  const text = await answer.text();
  expect([answer.status, JSON.parse(text).message]).toEqual([
    401,
    expect.stringMatching(
      /Clients of this server: dev-client \(development\), prod-client \(production\)\. The guide: http:\/\/mock\.local\/_mock\/guide\/troubleshooting#401$/,
    ),
  ]);
  expect(text).not.toMatch(/dev-secret|dev-token|prod-secret/);
});

const CALL = { event: 'request', method: 'GET', path: '/x', status: 404, ms: 3 } as const;

test('a line of the log holds what is known of a call, and then why it was refused', () => {
  expect(formatEntry(CALL)).toBe('GET /x 404 (3 ms)');
  const more = { operation: 'getKeys', environment: 'dev', reason: 'No.', rule: 'http://r' } as const;
  expect(formatEntry({ ...CALL, ...more, warnings: ['Odd.'] })).toBe(
    'GET /x 404 getKeys (dev, 3 ms): No. Odd. http://r',
  );
});

test('an entry is one line, in which nothing that a caller sent controls the terminal', () => {
  const text = 'a\n\u001b[31mb\u009bc\u2028d\u007f';
  const shown = 'a\\u000a\\u001b[31mb\\u009bc\\u2028d\\u007f';
  expect(formatEntry({ ...CALL, path: text, reason: text })).toBe(`GET ${shown} 404 (3 ms): ${shown}`);
  expect(formatEntry({ event: 'grpc_unserved', message: text })).toBe(shown);
  expect(formatEntry({ event: 'fault', message: 'a\n  at b\u001b' })).toBe('a\n  at b\\u001b');
});

test('the log warns of an environment of the scenario that no call can reach', async () => {
  const scenario = { environments: { a: {} } };
  expect(await logOf(async () => {}, { scenario })).toEqual([
    { event: 'warning', message: expect.stringMatching(/^environments\.a has no clients/) },
  ]);
});

test('the log writes problems to standard error, as text or JSON, but no calls; a function gets both', () => {
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const warning = { event: 'warning', message: 'odd' } as const;
  const got: LogEntry[] = [];
  for (const option of ['pretty', 'json', 'silent', (entry: LogEntry) => void got.push(entry)] as const)
    for (const entry of [CALL, warning]) toLog(option)(entry);
  const lines = said.mock.calls.flat();
  said.mockRestore();
  expect(lines).toEqual(['Warning: odd.\n', '{"event":"warning","message":"odd"}\n']);
  expect(got).toEqual([CALL, warning]);
});

test('whatever is thrown is described', () => {
  expect([new Error('a'), 'b', null, { message: 'c' }, { stack: 'd' }].map((one) => describe(one))).toEqual([
    ...['a', 'b', 'null', 'c', '[object Object]'],
  ]);
  expect(describe({ message: 'c' }, 'stack')).toBe('c');
  expect(describe({ message: 'c', stack: 'd' }, 'stack')).toBe('d');
});

// The journal names the rule that refused a call (`src/RULES.md`). It names no rule if a fault answered the call.

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
const PROVIDERS = '/api/v1/custom-providers';
const MEMBERS = '/api/v1/memberships/organizations/org_100000000000000001/users';
const MEMBER = `${MEMBERS}/usr_100000000000000001`;
const FREE = `${MEMBERS}/usr_100000000000000005`;
const RESEND = '/api/v1/invites/organizations/org_100000000000000002/users/usr_100000000000000004/resend';
const WIKI = { display_name: 'W', proxy_url: 'https://w.test', auth_patterns: [{}] };

const get = (path: string): Call => ['GET', path];
const remove = (path: string): Call => ['DELETE', path];
const post = (path: string, body: unknown): Call => ['POST', path, body];
const patch = (path: string): Call => ['PATCH', path, {}];
const ADA = { connector: 'mail', identifier: 'ada@acme.test' };
const create = (more: object = {}): Call => post(ACCOUNTS, { ...ADA, ...more });
const link = (more: object = {}): Call => post(`${ACCOUNTS}/magic_link`, { ...ADA, ...more });
const verify = (auth_request_id: string): Call =>
  post(`${ACCOUNTS}/user/verify`, { auth_request_id, identifier: 'x' });
const invite = (metadata: object): Call => post(FREE, { metadata });

const long = 'x'.repeat(2_000);
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 'x']));

/** What is refused, the rule that refuses it, and a word of the rule's text that says so. */
test.each<[string, Call, string, RegExp, object?]>([
  ['an account that exists already', create(), 'A4', /One account/],
  ['an unknown connector', create({ connector: 'nowhere' }), 'A3', /unknown connector/],
  ['a sign-in connection', create({ connector: 'acme-oidc' }), 'A3', /sign-in type/],
  ['a disabled connection', create({ connector: 'paused' }), 'A3', /disabled/],
  ['a link of a disabled connection', link({ connector: 'drafty' }), 'A3', /COMPLETED/],
  ['an unknown account', get(`${ACCOUNTS}/auth?id=ca_1`), 'A2', /unknown account/],
  ['no account', get(`${ACCOUNTS}/auth`), 'A2', /names an account/],
  ['a connector without an identifier', get(`${ACCOUNTS}/auth?connector=mail`), 'A2', /identifier/],
  ['an unknown connection name', get(`${ACCOUNTS}?connection_names=x`), 'A1', /unknown name/],
  ['two filters', get(`${ACCOUNTS}?connector=mail&connection_names=mail`), 'A1', /connection_names/],
  ['an unknown page token', get(`${ACCOUNTS}?page_token=x`), 'I4', /cannot be read/],
  ['a member that is missing', post(ACCOUNTS, {}), 'R1', /validation failure/],
  ['a value of another type', create({ identifier: 7 }), 'R1', /schema keyword/],
  ['both spellings of a name', create({ userId: 'a', user_id: 'b' }), 'T3', /both spellings/],
  ['an unknown parameter', get(`${ACCOUNTS}?pagesize=1`), 'T2', /strict/, { strict: true }],
  ['an unknown path', get('/api/v1/nowhere'), 'T4', /unknown path/],
  ['a method that a path does not have', patch(CONNECTIONS), 'T4', /wrong method/],
  ['a body that is not JSON', post(ACCOUNTS, '{'), 'T4', /not JSON/],
  ['a member that appears twice', post(ACCOUNTS, '{"connector":"a","connector":"b"}'), 'T5', /twice/],
  ['a member named __proto__', post(ACCOUNTS, '{"__proto__":{}}'), 'T10', /__proto__/],
  ['an identifier that is too long', create({ identifier: long }), 'I5', /identifier 100/],
  ['a connector with other characters', create({ connector: '<' }), 'I5', /characters/],
  ['a state that is too long', link({ state: long }), 'I5', /state 512/],
  ['a user_verify_url of another scheme', link({ user_verify_url: 'ftp://a' }), 'I5', /http/],
  ['a wrong port', link({ user_verify_url: 'https://a:99999' }), 'I5', /user_verify_url/],
  ['a search that is too short', get(`${ACCOUNTS}:search?query=x`), 'I5', /query of search/],
  ['a page that is too large', get(`${ACCOUNTS}?page_size=101`), 'I3', /page_size/],
  ['an id of another form', get(`${ACCOUNTS}/auth?id=usr_1`), 'I2', /ca_/],
  ['an organization of another form', post(MEMBER.replace('org_', ''), {}), 'I2', /org_/],
  ['an unknown user', post(`${MEMBERS}/usr_900000000000000000`, {}), 'I2', /unknown/],
  ['half of a surrogate pair', post(ACCOUNTS, '{"connector":"\\ud800"}'), 'I2', /surrogate/],
  ['a parameter that cannot be decoded', get(`${ACCOUNTS}?connector=%ff`), 'I2', /UTF-8|surrogate/],
  ['no user_verify_url', link(), 'V4', /strict/, { user_verification: 'strict' }],
  ['a connector without a page', link({ connector: 'weather' }), 'V2', /no link|have no/],
  ['an unknown auth request', verify('x'), 'V6', /unknown/],
  ['metadata with 21 pairs', invite(pairs(21)), 'X1', /20 pairs/],
  ['metadata with a long value', invite({ key: long }), 'X1', /256/],
  ['metadata with a short key', invite({ k: 'x' }), 'X1', /keys 3-25/],
  ['a user who is a member', post(MEMBER, {}), 'M1', /already is a member/],
  ['an unknown role', post(FREE, { roles: [{ name: 'x' }] }), 'M2', /role/],
  ['a user without a membership', patch(FREE), 'M3', /Not a member/],
  ['a member without an invitation', patch(RESEND), 'M7', /never|no invit/],
  ['a provider with another scheme', post(PROVIDERS, { ...WIKI, proxy_url: 'http://a' }), 'P1', /https/],
  ['a name that is taken', post(PROVIDERS, { ...WIKI, display_name: 'ticket desk' }), 'P2', /display name/],
  ['an unknown provider', remove(`${PROVIDERS}/X:1`), 'P3', /unknown identifier/],
  ['a provider in use', remove(`${PROVIDERS}/TICKET_DESK%3A100000000000000001`), 'P3', /uses/],
  ['a time that is none', get('/api/v1/logs/authentication/requests?start_time=x'), 'L1', /bad time/],
])('a refusal names the rule that says so: %s', async (_what, call, rule, subject, settings = {}) => {
  const [, named] = await lastOf(await server.isolated({ settings }), call);
  expect(named).toBe(rule);
  expect(textOfRule(rule)).toMatch(subject);
});

const textOfRule = (rule: string): string => {
  const words = readFileSync(new URL('../../src/RULES.md', import.meta.url), 'utf8');
  return words.split(/(?=<a id=)/).find((part) => part.startsWith(`<a id="${rule}">`)) ?? '';
};

test('the journal names T4 for a call without a token, E2 and E3 for tokens, X2 above the rate limit, and no rule for an answer or a fault', async () => {
  const env = await server.isolated({ settings: { rate_limit: { requests: 1, per: '1m' } } });
  expect(await lastOf(env, get(CONNECTIONS))).toEqual([200, undefined]);
  expect(await lastOf(env, get(CONNECTIONS))).toEqual([429, 'X2']);
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
  expect(await lastOf(env, get(CONNECTIONS))).toEqual([404, undefined]);
});
