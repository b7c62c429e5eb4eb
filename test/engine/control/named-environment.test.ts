/** One unchanged back end, with one client, serves many environments (behaviour E2, E7). */
import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();
await server.control('POST', '/environments', { name: 'copy' });
await server.control('POST', '/environments', { name: 'other-copy' });

const LIST = '/api/v1/connected_accounts';

const token = (headers: Record<string, string>, client_id = 'dev-client', client_secret = 'dev-secret') => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  return server.call('POST', '/oauth/token', { token: null, headers, body });
};

const create = (bearer: string, identifier: string, headers: Record<string, string>) =>
  server.call('POST', LIST, { token: bearer, headers, body: { connector: 'mail', identifier } });

/** The status of a list. */
const listed = async (bearer: string, headers: Record<string, string>): Promise<number> =>
  (await server.call('GET', LIST, { token: bearer, headers })).status;

/** What is read of an environment. */
const get = async (env: string, path = '') =>
  (await server.control('GET', `/environments/${env}${path}`)).body;
const count = async (env: string): Promise<number> => (await get(env, '/rows/connected_accounts')).total;
const journal = async (env: string) => (await get(env, '/requests')).requests;
const callsOf = async (env: string): Promise<string[]> =>
  (await journal(env)).map(({ operation }: { operation: string }) => operation);
const change = (method: string, env: string, path = '', body: object = {}) =>
  server.control(method, `/environments/${env}${path}`, body);

test.each([
  ['the header', { 'x-mock-environment': 'copy' }],
  ['baggage', { baggage: 'userId=1, mock-environment=copy;ttl=1 ,x=y' }],
  ['both', { 'x-mock-environment': 'copy', baggage: 'mock-environment=copy' }],
])('behaviour E7: a copy accepts the credentials of its original if %s names the copy, whose journal alone has the calls', async (_by, headers) => {
  const [before, original] = [await count('copy'), await count('development')];
  await server.control('DELETE', '/environments/copy/requests');
  const bearer = (await token(headers)).body.access_token;
  expect((await create(bearer, `jwt-${before}@acme.test`, headers)).status).toBe(201);
  expect((await create('dev-token', `fixed-${before}@acme.test`, headers)).status).toBe(201);
  expect([await count('copy'), await count('development')]).toEqual([before + 2, original]);
  const calls = ['issueToken', 'createConnectedAccount', 'createConnectedAccount'];
  expect([await callsOf('copy'), await callsOf('development')]).toEqual([calls, []]);
});

test('behaviour E7: a link made with the credentials of the original belongs to the copy', async () => {
  const { body } = await server.call('POST', `${LIST}/magic_link`, {
    headers: { baggage: 'mock-environment=copy' },
    body: { connector: 'mail', identifier: 'ada@acme.test' },
  });
  const decide = (env: string) => change('POST', env, `/links/${body.link.split('/').pop()}/approve`);
  expect([(await decide('development')).status, (await decide('copy')).status]).toEqual([404, 200]);
});

test('behaviour E7: credentials of any other environment are refused', async () => {
  const named = { 'x-mock-environment': 'copy' };
  expect((await token(named, 'prod-client', 'prod-secret')).status).toBe(401);
  expect(await listed('prod-token', named)).toBe(401);
  expect(await listed((await get('other-copy')).access_token, named)).toBe(401);
  expect(await listed((await get('copy')).access_token, { 'x-mock-environment': 'development' })).toBe(401);
});

test('behaviour E2: baggage that names another environment than the header is 401', async () => {
  const headers = { 'x-mock-environment': 'copy', baggage: 'mock-environment=other-copy' };
  const { status, body } = await create('dev-token', 'no@acme.test', headers);
  expect(status).toBe(401);
  expect(body.message).toContain('the baggage of the request refers to other-copy. Use credentials of');
  const unknown = await create('dev-token', 'no@acme.test', { 'x-mock-environment': 'nowhere' });
  expect(unknown.body.message).toContain('The environment nowhere does not exist.');
});

test('behaviour E2: baggage may be percent-encoded, and baggage without `mock-environment` names no environment', async () => {
  const members = [
    'mock-environment=%70roduction',
    'not-mock-environment=development',
    'mock-environment=%zz',
  ];
  const statuses = members.map((baggage) => listed('prod-token', { baggage }));
  expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
});

test.each([
  [{ 'x-mock-environment': '' }, 'The header X-Mock-Environment of the request names no environment.'],
  [{ 'x-mock-environment': '  ' }, 'The header X-Mock-Environment of the request names no environment.'],
  [{ baggage: 'mock-environment=' }, 'The baggage of the request names no environment.'],
  [{ baggage: 'a=1, mock-environment= ;ttl=1' }, 'The baggage of the request names no environment.'],
  [{ baggage: 'mock-environment=%20' }, 'The baggage of the request names no environment.'],
])('behaviour E2: %j names an environment without its name, which is 401', async (headers, told) => {
  const calls = [await create('dev-token', 'no@acme.test', headers), await token(headers)];
  expect(calls.map(({ status }) => status)).toEqual([401, 401]);
  const messages = calls.map(({ body }) => body.message ?? body.error_description);
  expect(messages).toEqual(
    Array(2).fill(expect.stringContaining(`${told} Write development, or leave it out.`)),
  );
  expect(await callsOf('development')).toContain('createConnectedAccount');
});

test.each([
  ['mock_environment=copy', 'mock_environment'],
  ['a=1,Mock-Environment=copy', 'Mock-Environment'],
  ['mockEnvironment=copy', 'mockEnvironment'],
])('behaviour E2: a misspelt member of baggage is a warning (%s)', async (baggage, member) => {
  expect(await listed('prod-token', { baggage })).toBe(200);
  const warning = `${member} in the header baggage was ignored. Did you mean "mock-environment"?`;
  expect((await journal('production')).at(-1).warnings).toEqual([warning]);
});

test('behaviour E7: a copy that starts anew as another environment accepts the credentials of that one alone', async () => {
  for (const from of ['development', 'production']) await change('PUT', 'moved', '', { from });
  const headers = { 'x-mock-environment': 'moved' };
  expect([await listed('prod-token', headers), await listed('dev-token', headers)]).toEqual([200, 401]);
  await server.control('DELETE', '/environments/production');
  const namesake = (await server.control('POST', '/environments', { name: 'production' })).body;
  expect(await listed(namesake.access_token, headers)).toBe(401); // it has only the name of the original
  await server.control('DELETE', '/environments/production');
  await change('PUT', 'production');
});

test('behaviour E7: an environment of the scenario takes no other credentials, also if it starts as another does', async () => {
  await change('PUT', 'production', '', { from: 'development' });
  expect(await listed('dev-token', { 'x-mock-environment': 'production' })).toBe(401);
});

test('behaviour E7: a token of the original lasts by the clock of the original, also for calls of the copy', async () => {
  await server.control('POST', '/environments', { name: 'later-copy' });
  const headers = { 'x-mock-environment': 'later-copy' };
  const bearer = (await token({})).body.access_token;
  const statuses: number[] = [];
  for (const env of ['later-copy', 'development']) {
    await change('POST', env, '/clock/advance', { by: '2d' });
    statuses.push(await listed(bearer, headers));
  }
  expect(statuses).toEqual([200, 401]);
});

/** Where a refusal stands, as its body and a journal say, and what it says. */
const refusedIn = async (bearer: string, headers: Record<string, string> = {}) => {
  const { status, body } = await server.call('GET', LIST, { token: bearer, headers });
  const { serving_data: stands, request_id } = body.details[0].request_info;
  const entry = { request_id, status, reason: body.message };
  expect(entry.status).toBe(401);
  expect((await journal(stands)).at(-1)).toMatchObject(entry);
  return { stands, message: body.message as string };
};

test('behaviour E2: a token that has ended, or whose client was removed, still tells its environment', async () => {
  const made = (await server.control('POST', '/environments', { name: 'ended' })).body;
  const bearer = (await token({}, made.client_id, made.client_secret)).body.access_token;
  await change('POST', 'ended', '/clock/advance', { by: '25h' });
  const expired = await refusedIn(bearer);
  expect(expired).toMatchObject({ stands: 'ended', message: expect.stringContaining(' expired at ') });
  expect(expired.message).toContain(`Clients of this environment: ${made.client_id} (ended).`);
  expect((await refusedIn(bearer, { 'x-mock-environment': 'production' })).stands).toBe('ended');
  await change('POST', 'ended', '/reset');
  await change('PATCH', 'ended', '/state', { clients: [{ client_id: made.client_id, remove: true }] });
  const removed = await refusedIn(bearer);
  expect(removed).toMatchObject({ stands: 'ended', message: expect.stringContaining('has been removed') });
  await server.control('DELETE', '/environments/ended');
  expect((await refusedIn(bearer)).message).toContain('no longer exists');
});

test('behaviour E2, E7: a token of the original that has ended stands in the journal of the copy that the call names', async () => {
  const bearer = (await token({})).body.access_token;
  await change('POST', 'development', '/clock/advance', { by: '25h' });
  expect((await refusedIn(bearer, { 'x-mock-environment': 'copy' })).stands).toBe('copy');
  expect((await refusedIn(bearer)).stands).toBe('development');
  await change('POST', 'development', '/reset');
});

test('behaviour E2: a call that contradicts its token stands in the journal of the environment that it names, if there is one', async () => {
  const { stands, message } = await refusedIn('prod-token', { 'x-mock-environment': 'copy' });
  expect([stands, message]).toEqual(['copy', expect.stringMatching(/Clients of this .* \(copy\)/)]);
  expect((await refusedIn('prod-token', { 'x-mock-environment': 'nowhere' })).stands).toBe('production');
  expect((await refusedIn('prod-token', { baggage: 'mock-environment=' })).stands).toBe('production');
  const both = { 'x-mock-environment': 'nowhere', baggage: 'mock-environment=copy' };
  expect((await refusedIn('prod-token', both)).stands).toBe('copy');
  await token({ 'x-mock-environment': 'copy' }, 'prod-client', 'prod-secret');
  expect((await journal('copy')).at(-1)).toMatchObject({ operation: 'issueToken', status: 401 });
});

const SPAN = 'b7ad6b7169203331';
const TRACED: readonly (readonly [header: string, value: (id: string) => string])[] = [
  ['traceparent', (id) => `00-${id}-${SPAN}-01`],
  ['sentry-trace', (id) => `${id}-${SPAN}-1`],
  ['sentry-trace', (id) => `${id}-${SPAN}`],
  ['b3', (id) => `${id}-${SPAN}-1`],
  ['b3', (id) => `${id.slice(16)}-${SPAN}`],
  ['x-b3-traceid', (id) => id.toUpperCase()],
  ['x-b3-traceid', (id) => id.slice(16)],
  ['x-datadog-trace-id', (id) => String(BigInt(`0x${id.slice(16)}`))],
];

test.each(
  TRACED,
)('behaviour E9, E7: %s with the trace id of a copy names the copy (%#)', async (header, value) => {
  const { trace_id } = await get('other-copy');
  expect(trace_id).toMatch(/^[\da-f]{32}$/);
  const headers = { [header]: value(trace_id) };
  const before = (await journal('other-copy')).length;
  const bearer = (await token(headers)).body.access_token;
  expect(await listed(bearer, headers)).toBe(200);
  expect((await journal('other-copy')).length).toBe(before + 2);
});

test("behaviour E9: an unknown trace names nothing, and a trace of another environment than the token's is 401", async () => {
  const { trace_id } = await get('copy');
  const unknown = `${trace_id.slice(16)}${trace_id.slice(16)}`;
  for (const [header, value] of TRACED) {
    const list = (id: string) =>
      server.call('GET', LIST, { token: 'prod-token', headers: { [header]: value(id) } });
    expect([header, (await list('0af7651916cd43dd8448eb211c80319c')).status]).toEqual([header, 200]);
    const { status, body } = await list(trace_id);
    expect([status, body.message]).toEqual([401, expect.stringContaining(`the header ${header} of the`)]);
  }
  expect(await listed('prod-token', { traceparent: `00-${unknown}-${SPAN}-01` })).toBe(200);
});

test('behaviour E9: a call without a token stands in the journal of the environment that its trace names', async () => {
  const { trace_id } = await get('copy');
  expect((await refusedIn('nobody', { 'sentry-trace': `${trace_id}-${SPAN}` })).stands).toBe('copy');
});

test('behaviour E9: every environment has a trace id of its own, which a reset keeps', async () => {
  const idsOf = async () =>
    (await server.control('GET', '/environments')).body.environments.map(
      ({ trace_id }: { trace_id: string }) => trace_id,
    );
  const before = await idsOf();
  await change('POST', 'copy', '/reset');
  expect(await idsOf()).toEqual(before);
  expect(new Set(before).size).toBe(before.length);
});
