/** What a case of `ca-mock verify` says of a service that answers in another way than expected, and what it removes. */
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Api, textAt } from '../../../src/conformance/verify/api.ts';
import { absent, someText } from '../../../src/conformance/verify/matchers.ts';
import { type Expected, Failed, openTarget, type Target } from '../../../src/conformance/verify/service.ts';
import { serveHttp } from '../../support/http-server.ts';

/** An answer: a status, a body and headers; `none` ends the connection. */
type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>] | 'none';
let answers: Answer[] = [];
let seen: string[] = [];
const service = await serveHttp(async (request, response) => {
  const sent = Buffer.concat(await request.toArray()).toString();
  seen.push(`${request.method} ${request.url} ${sent}`.trim());
  const answer = answers.shift() ?? [404];
  if (answer === 'none') return request.socket.destroy();
  const [status, body, headers] = answer;
  return response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body));
});
afterAll(service.close);
beforeEach(() => {
  seen = [];
});

const CONNECTIONS = [
  { key_id: 'off', type: 'OAUTH', status: 'COMPLETED', enabled: false },
  { key_id: 'draft', type: 'OAUTH', status: 'DRAFT', enabled: true },
  { key_id: 'mail', type: 'OAUTH', status: 'COMPLETED', enabled: true },
  { key_id: 'chat', type: 'OAUTH', status: 'COMPLETED', enabled: true },
  { key_id: 'login', type: 'OIDC', status: 'COMPLETED', enabled: true },
] as const;
const BASE = { clientId: 'c', clientSecret: 's', token: 't', timeout: 60, connections: CONNECTIONS };
const apiOf = (more: Partial<Target> = {}) => new Api({ ...BASE, baseUrl: service.url, ...more }, 'promised');

/** What a call to a service with this answer fails with: each problem with its basis. */
const problems = async (answer: Answer, run: (api: Api) => Promise<unknown>) => {
  answers = [answer];
  const error: unknown = await run(apiOf()).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Failed) return error.problems.map(({ text, basis }) => `${basis}: ${text}`);
  return error === undefined ? [] : [`${Object(error).constructor.name}: ${Object(error).message}`];
};

const NOT_FOUND = { code: 5, message: 'No.', details: [{ error_code: 'NOT_FOUND' }] };
const WRONG_STATUS = 'promised: the status is 418, expected 200';

test.each<[string, Answer, number | Expected, readonly string[]]>([
  ['another status', [418, { message: 'No.' }], {}, [`${WRONG_STATUS}: No.`]],
  ['a long message', [418, { message: 'x'.repeat(400) }], {}, [`${WRONG_STATUS}: ${'x'.repeat(300)}...`]],
  ['no text as its message', [418, { message: 5 }], {}, [WRONG_STATUS]],
  ['no body', [418], { status: 200, body: { a: 1 } }, [WRONG_STATUS]],
  ['another member', [200, { a: 2, b: 3 }], { body: { a: 1 } }, ['promised: body.a is 2, expected 1']],
  [
    'two faults',
    [200, { b: 3 }],
    { body: { a: 1, b: absent } },
    ['promised: body.a is missing, expected 1', 'promised: body.b is 3, expected "nothing"'],
  ],
  ['no body where one is expected', [200], { body: { a: 1 } }, ['promised: body.a is missing, expected 1']],
  [
    'no header',
    [200, {}],
    { headers: { allow: 'GET' } },
    ['promised: headers.allow is missing, expected "GET"'],
  ],
  ['what is expected', [200, { a: 1 }, { allow: 'GET' }], { body: { a: 1 }, headers: { allow: 'GET' } }, []],
  ['the status that is expected of it', [404, NOT_FOUND], 404, []],
  [
    'an error without its code',
    [404, { ...NOT_FOUND, code: 3 }],
    404,
    ['inferred: body.code is 3, expected 5'],
  ],
  [
    'the code of another error',
    [404, NOT_FOUND],
    { status: 404, error: 'PATH_NOT_FOUND' },
    [
      `inferred: body.details is ${JSON.stringify(NOT_FOUND.details)}, expected {"error_code":"PATH_NOT_FOUND"}`,
    ],
  ],
])('a case says what is wrong with a reply with %s', async (_what, answer, expected, words) => {
  expect(await problems(answer, (api) => api.call('listConnections', {}, expected))).toEqual(words);
});

test('what an error of the token endpoint must have is said by its own standard', async () => {
  const error = { error: 'invalid_client' };
  expect(await problems([401, error], (api) => api.call('issueToken', {}, 401))).toEqual([]);
});

test('a problem of a later call names the call, and a refusal must name each field', async () => {
  const api = apiOf();
  answers = [[200], [400, { details: [{ validation_error_info: { field_violations: [{ field: 'a' }] } }] }]];
  await api.call('listConnections');
  const refused = api.refuses('listConnectedAccounts', {}, 'a', 'b');
  await expect(refused).rejects.toThrow(/^call 2, listConnectedAccounts: body\.details is .*"field":"b"/);
  expect(api.exchanges.map(({ operationId, reply }) => [operationId, reply.status])).toEqual([
    ['listConnections', 200],
    ['listConnectedAccounts', 400],
  ]);
  expect(() => textAt({ a: [{ b: 5 }] }, 'a', 0, 'b')).toThrow('The reply has no string at a.0.b.');
});

const to = (location: string) => [302, undefined, { location }] as const;

test.each<[string, Answer, Expected, readonly string[]]>([
  ['goes on', to('https://client.test/done?state=a&x=1'), {}, []],
  [
    'leads to another address',
    to('https://client.test/done?state=b#c'),
    { body: { location: 'https://client.test/over', query: { state: 'a', code: someText } } },
    [
      'promised: the address.location is "https://client.test/done", expected "https://client.test/over"',
      'promised: the address.query.state is "b", expected "a"',
      'promised: the address.query.code is missing, expected "a string that is not empty"',
    ],
  ],
  ['is refused', [404], {}, ['promised: the status of the link is 404, expected 302']],
  ['is refused as expected', [404], { status: 404 }, []],
  [
    'shows a page',
    [200],
    {},
    ['Missing: needs a person to follow a link; only a mock follows links by itself'],
  ],
])('a link that %s', async (_what, answer, expected, words) => {
  const link = `${service.url}/link?id=1&decision=none`;
  expect(await problems(answer, (api) => api.open(link, 'deny', expected))).toEqual(words);
  expect(seen).toEqual(['GET /link?id=1&decision=deny']);
});

test('a link returns the address to which it leads', async () => {
  answers = [to('/done?a=1')];
  expect(await apiOf().open(`${service.url}/link`, 'approve')).toEqual({
    location: `${service.url}/done`,
    query: { a: '1' },
  });
});

test('a case removes what it created, newest first, and says what is left', async () => {
  const api = apiOf();
  const pair = { connector: 'mail', identifier: 'a' };
  const path = { organization_id: 'o', id: 'u' };
  const byExternalId = { organization_id: 'o', external_id: 'e' };
  answers = [
    ...[[201, { provider: { identifier: 'P:1' } }], [201, {}], [500], 'none', [201, {}]],
    ...[[409], [200], [501], [201], [201]],
  ] as Answer[];
  await api.call('createCustomProvider', { body: {} });
  await api.call('createCustomProvider', { body: {} }); // says no identifier, so nothing can be removed
  await api.call('createConnectedAccount', { body: { ...pair, more: 1 } }, 500);
  await expect(api.call('createMembership', { path })).rejects.toThrow('closed the connection');
  await api.call('createMembershipByExternalId', { path: byExternalId });
  await api.call('createConnectedAccount', { body: { ...pair, identifier: 'refused' } }, 409);
  await api.call('createMagicLink', { body: { id: 'ca_1' } });
  await api.call('createConnectedAccount', { method: 'PATCH', body: pair }, 501).catch(() => undefined);
  seen = [];
  answers = [[500], [204], [404], [200]];
  const left = 'data of this case was left behind: deleteMembershipByExternalId answered 500: ';
  expect(await api.cleanUp()).toEqual([left + JSON.stringify({ path: byExternalId })]);
  expect(seen).toEqual([
    'DELETE /api/v1/memberships/organizations/o/users:external/e',
    'DELETE /api/v1/memberships/organizations/o/users/u',
    `POST /api/v1/connected_accounts:delete ${JSON.stringify(pair)}`,
    'DELETE /api/v1/custom-providers/P%3A1',
  ]);
  answers = ['none', [200], [200], [200]];
  expect(await api.cleanUp()).toEqual([expect.stringContaining('ByExternalId answered nothing: {"path"')]);
});

test('a case takes connections that it can use, and says which flag gives what it lacks', () => {
  expect([apiOf().connector('OAUTH'), apiOf({ connector: 'chat' }).connector('OAUTH')]).toEqual([
    'mail',
    'chat',
  ]);
  expect(apiOf({ connector: 'draft' }).connector('OAUTH')).toBe('mail');
  expect(apiOf().connection('a draft', { status: 'DRAFT' })).toEqual(CONNECTIONS[1]);
  const api = apiOf({ userId: 'usr_1' });
  expect(api.given('userId')).toBe('usr_1');
  const { connector, identifier } = api.pair('OAUTH');
  expect([connector, identifier]).toEqual(['mail', `${api.unique}@conformance.test`]);
  expect(apiOf().unique).not.toBe(api.unique);
  expect(() => api.connector('OIDC')).toThrow(
    'needs a connector of type OIDC that is enabled and COMPLETED; create one, and set --connector to its key_id',
  );
  expect(() => api.connection('a key', { type: 'API_KEY' })).toThrow(
    'needs a key, and GET /connections?include=all lists none',
  );
  expect(() => api.given('organizationId')).toThrow(
    'needs an organization; set its id with --organization-id',
  );
  expect(() => api.given('externalId')).toThrow(
    'the external id of the user in --user-id; set it with --external-id',
  );
});

test('only the connections of a list count, whatever else the service lists', async () => {
  for (const [connections, read] of [
    [['mail', null, CONNECTIONS[2]], [CONNECTIONS[2]]],
    ['none', []],
  ]) {
    answers = [
      [200, { access_token: 'own' }],
      [200, { connections }],
    ];
    const { token, connections: found } = await openTarget({ ...BASE, baseUrl: service.url });
    expect([token, found]).toEqual(['own', read]);
  }
  expect(seen.at(-1)).toBe('GET /api/v1/connections?include=all');
});
