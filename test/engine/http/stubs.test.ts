/** Behaviour X4-X6: stubs answer calls that the contract does not have, or whose body it refuses. */
import { beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { fill } from '../../../src/engine/stubs/echo.ts';
import { findStubs, type StubRow, valuesInPath } from '../../../src/engine/stubs/stub.ts';
import { testServer } from '../../support/server.ts';

const THINGS = '/api/v1/things';

const { call, control, mock } = testServer({
  scenario: parse(`
environments:
  development:
    access_tokens: [dev-token]
    stubs:
      - { method: GET, path: '${THINGS}/{id}', body: { id: 1 }, headers: { X-Own: 'yes' } }
      - { method: POST, path: ${THINGS}, status: 202, auth: false }
      - { method: GET, path: /gone, status: 410, body: { hint: 'https://a.test/?access_token=abc123' } }
      - { method: GET, path: /files/*, body: 'a,b', headers: &csv { Content-Type: text/csv } }
      - { method: GET, path: '/texts/{n}', replies: [{ body: x }, { body: { a: 1 }, headers: *csv }] }
      - { method: GET, path: '/files/{name}', body: { name: '{path.name}' } }
      - { method: GET, path: /files/exact, body: { exact: true } }
      - { method: GET, path: /files/exact, match: { query: { v: '2' } }, body: { exact: 2 } }
      - { method: GET, path: /files/exact, match: { query: { v: '3' } }, auth: false }
      - { method: GET, path: '/files/{name}:run', body: { run: '{path.name}' } }
      - { method: GET, path: /files/exact, match: { query: { my_v: '4' } }, body: { exact: 4 } }
      - method: POST
        path: /api/v1/users
        status: 201
        headers: { Location: '/users/{body.email}' }
        body:
          user:
            { id: '{id.usr}', email: '{body.email}', sent: '{body}', n: '{body.n}', text: 'n is {body.n} of {body}', at: '{now}' }
        then: { users: [{ id: '{id.usr}', email: '{body.email}' }] }
      - { method: POST, path: /copies, headers: { X-Text: '{body.text}' }, body: ['{body.text}'] }
      - { method: GET, path: /same, status: 304 }
      - { method: GET, path: /only, match: { query: { v: '1' } } }
      - method: GET
        path: /steps
        replies: [{ body: one, headers: { Content-Type: application/json } }, { status: 202 }]
      - method: POST
        path: /model
        match: { headers: { X-Model: small }, body: { messages: [{ role: user }] } }
        replies: [{ body: { call: list_mail } }, { status: 202, body: { text: 'done {body.messages.0.text}' } }]
      - method: POST
        path: /oauth/token
        match: { body: { grant_type: authorization_code } }
        body:
          access_token: { $token: { sub: '{body.code}', env: x } }
          others: [{ $token: { iat: 1, exp: 2 } }]
          plain: { token: { sub: x } }
          token_type: Bearer
  other: { access_tokens: [other-token] }
`),
});
const environment = await mock.environment('development');
beforeEach(() => environment.reset());

test('behaviour X4: a stub answers its method and path, with CORS headers and a request id, and the journal names the stub', async () => {
  const { status, body, headers } = await call('GET', `${THINGS}/7?a=1`, {
    headers: { origin: 'http://a.test' },
  });
  expect([status, body]).toEqual([200, { id: 1 }]);
  expect(headers).toMatchObject({
    'x-own': 'yes',
    'access-control-allow-origin': 'http://a.test',
    'x-request-id': expect.stringMatching(/^req_/),
  });
  const [entry] = await environment.requests();
  expect(entry).toMatchObject({ status: 200, stub: `GET ${THINGS}/{id}`, response: { body: { id: 1 } } });
  expect(entry).not.toHaveProperty('operation');
});

test('behaviour X4, R2: the journal masks credentials in the reply of a stub, also if the status is an error', async () => {
  expect((await call('GET', '/gone')).body).toEqual({ hint: 'https://a.test/?access_token=abc123' });
  expect((await call('GET', '/same')).headers).not.toHaveProperty('content-type'); // 304 has no body
  const entry = (await environment.requests({ status: 410 })).at(-1);
  expect(entry).toMatchObject({ status: 410, stub: 'GET /gone' });
  expect(JSON.stringify(entry)).not.toContain('abc123');
});

test('behaviour X4: a stub needs a token unless it has auth: false, and /* at the end of its path matches every path below', async () => {
  expect((await call('GET', `${THINGS}/7`, { token: null })).status).toBe(401);
  expect((await call('POST', THINGS, { token: null, body: '{' })).status).toBe(202);
  expect((await call('GET', '/files/exact?v=3', { token: null })).status).toBe(200);
  for (const path of ['/files/exact', '/only?v=2']) // without a token, nobody learns what would match
    expect((await call('GET', path, { token: null })).status).toBe(401);
  const { text, headers } = await call('GET', '/files/a/b.csv');
  expect([text, headers['content-type']]).toEqual(['a,b', expect.stringContaining('text/csv')]);
  const texts = [await call('GET', '/texts/1'), await call('GET', '/texts/1')];
  expect(texts.map((answer) => answer.text)).toEqual(['"x"', '{"a":1}']); // plain only where it says so
});

test('behaviour X4: the rate limit, faults for the path and the Prefer header take precedence over a stub', async () => {
  await environment.faults.add({ operation: '*', match: { path: `${THINGS}/*` }, status: 503, times: 1 });
  expect((await call('GET', `${THINGS}/7`)).body).toMatchObject({ code: 14 });
  await environment.faults.add({ match: { body: { tool: 'x' } }, status: 504, times: 1 });
  expect([(await ask()).status, (await ask({ ...MODEL, tool: 'x' })).status]).toEqual([200, 504]);
  expect((await call('GET', `${THINGS}/7`, { headers: { prefer: 'code=409' } })).status).toBe(409);
  const rate_limit = { requests: 1, per: '1m' };
  expect((await control('PATCH', '/environments/development/settings', { rate_limit })).status).toBe(200);
  await call('GET', `${THINGS}/7`);
  expect((await call('GET', `${THINGS}/7`)).status).toBe(429);
});

test('behaviour X4, T6: where an environment has stubs, a preflight allows every method of a stub, since it has no token', async () => {
  const headers = { origin: 'http://a.test', 'access-control-request-method': 'DELETE' };
  for (const path of [`${THINGS}/7`, '/oauth/token', '/unknown']) {
    const answer = await call('OPTIONS', path, { token: null, headers });
    const allowed = String(answer.headers['access-control-allow-methods']).split(', ').sort();
    expect([answer.status, allowed.join(' ')]).toEqual([204, 'DELETE GET HEAD OPTIONS PATCH POST PUT']);
  }
});

test('behaviour X5: a more exact path wins over a name, and a name over the rest of the path', async () => {
  const bodyOf = async (path: string) => (await call('GET', path)).body;
  expect(await bodyOf('/files/exact')).toEqual({ exact: true });
  expect(await bodyOf('/files/exact?v=2')).toEqual({ exact: 2 });
  expect(await bodyOf('/files/exact?v=1&v=2')).toEqual({ exact: 2 });
  expect(await bodyOf('/files/exact?myV=4')).toEqual({ exact: 4 }); // in the other spelling, as in every match (T3)
  expect(await bodyOf('/files/o%20ther')).toEqual({ name: 'o ther' });
  expect(await bodyOf('/files/a:run')).toEqual({ run: 'a' });
  expect((await call('GET', '/files/')).text).toBe('a,b'); // a name is never empty
});

const MODEL = { messages: [{ role: 'user', text: 'hi' }] };
const ask = (body: object = MODEL, model = 'small') =>
  call('POST', '/model', { body, headers: { 'x-model': model } });

test('behaviour X6: replies come in sequence and the last one stays, and the journal names stub and reply', async () => {
  const answers = [await ask(), await ask(), await ask()];
  const done = [202, { text: 'done hi' }];
  const replies = answers.map(({ status, body }) => [status, body]);
  expect(replies).toEqual([[200, { call: 'list_mail' }], done, done]);
  const entries = (await environment.requests()).slice(-3);
  expect(entries.map(({ stub_reply }) => stub_reply)).toEqual([1, 2, 2]);
  expect(entries[0]?.stub).toMatch(/^POST \/model \{"headers"/);
  expect((await environment.coverage()).operations.seen).toBe(0);
});

test('behaviour X6: a sequence begins anew with a reset, and its position is kept in exports and snapshots', async () => {
  await ask();
  await environment.snapshot('after one');
  const { stubs = [] } = await environment.state();
  expect(stubs.filter(({ answered }) => answered === 1)).toHaveLength(1);
  expect((await ask()).status).toBe(202);
  await environment.restore('after one');
  expect((await ask()).status).toBe(202);
  await environment.reset();
  await environment.setState({ ...(await environment.state()), stubs });
  expect((await ask()).status).toBe(202);
  await environment.reset();
  expect((await ask()).status).toBe(200);
});

test('behaviour X4, X6, T4: a call that a stub does not match is a 404, which shows the stub to write', async () => {
  const { status, body } = await ask(MODEL, 'large');
  expect([status, body.details[0].error_code]).toEqual([404, 'PATH_NOT_FOUND']);
  expect(body.message).toContain('stubs: [{ method: POST, path: "/model", status: 200, body: {} }]');
  expect((await ask({ other: 'body' }, 'small')).status).toBe(404);
});

test('behaviour X6: a reply echoes what was sent, with a new id and the time of the clock, and its rows stay behind', async () => {
  await environment.setClock({ mode: 'frozen', now: '2030-01-01T00:00:00Z' });
  const sent = { email: 'new@acme.test', n: 0 };
  const { status, body, headers } = await call('POST', '/api/v1/users', { body: sent });
  expect([status, headers.location]).toEqual([201, '/users/new@acme.test']);
  const { user } = body;
  expect(user).toEqual({
    ...{ ...sent, sent, id: expect.stringMatching(/^usr_\d{18}$/) },
    text: 'n is 0 of {"email":"new@acme.test","n":0}',
    at: '2030-01-01T00:00:00.000Z',
  });
  expect((await environment.events()).at(-1)).toMatchObject({ type: 'state.changed' });
  const { users = [] } = await environment.state();
  expect(users.map(({ id, email }) => [id, email])).toEqual([[user.id, 'new@acme.test']]);
  const next = await call('POST', '/api/v1/users', { body: { email: 'b@acme.test' } });
  expect(next.body.user.id > user.id).toBe(true);
  expect(next.body.user.text).toBe('n is  of {"email":"b@acme.test"}'); // no value, so nothing
});

test('behaviour X6: if a row cannot be written, the call is refused and nothing changes', async () => {
  const before = await environment.state();
  const { status, body } = await call('POST', '/api/v1/users', { body: { email: 'no address' } });
  expect([status, body.message]).toEqual([400, expect.stringContaining('cannot write its rows')]);
  expect(body.message).toContain('users[0].email: is "no address", but must be an e-mail address');
  expect(await environment.state()).toEqual(before);
});

test('behaviour X6: a header echoes any character in a form that it can have, and JSON is read whatever its content type', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }; // as curl sends it
  const answer = await call('POST', '/copies', { body: '{"text":"a \u8a9e"}', headers });
  expect([answer.headers['x-text'], answer.body[0]]).toEqual(['a %E8%AA%9E', 'a \u8a9e']);
});

test('behaviour X6, T6: a stub for GET answers HEAD without a body, which does not move a sequence on; a text in JSON is quoted', async () => {
  const { status, text, headers } = await call('HEAD', '/files/exact');
  expect([status, text, headers['content-length']]).toEqual([200, undefined, '14']);
  expect((await call('HEAD', '/steps')).status).toBe(200);
  expect((await call('GET', '/steps')).text).toBe('"one"');
  expect((await call('HEAD', '/steps')).status).toBe(202);
});

test('behaviour X6: a grant that the contract refuses is answered by a stub, with a signed token, and is not covered', async () => {
  await environment.setClock({ mode: 'frozen', now: '2030-01-01T00:00:00Z' });
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'abc' });
  const { status, body: answer } = await call('POST', '/oauth/token', { body, token: null });
  expect([status, answer.token_type]).toEqual([200, 'Bearer']);
  expect((await environment.requests()).at(-1)?.stub).toContain('POST /oauth/token');
  expect((await environment.coverage()).by_operation.filter(({ calls }) => calls > 0)).toEqual([]);
  const [head = '', claims = ''] = String(answer.access_token).split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const usual = {
    iss: 'http://mock.local',
    iat: expect.any(Number),
    exp: Date.UTC(2030, 0) / 1_000 + 86_400,
  };
  expect(read(claims)).toEqual({ ...usual, sub: 'abc', env: 'x' });
  expect(read(claims).iat).toBeLessThanOrEqual(Date.now() / 1_000); // behaviour E3: not in the client's future
  expect(read(String(answer.others[0]).split('.')[1] ?? '')).toMatchObject({ iat: 1, exp: 2 });
  expect(answer.plain).toEqual({ token: { sub: 'x' } }); // a member `token` is data
  const { keys } = (await call('GET', '/keys', { token: null })).body;
  expect(read(head)).toMatchObject({ kid: keys[0].kid, alg: 'RS256' });
});

test('behaviour X4: no name and no /* of a stub takes a call of the contract, in any spelling', async () => {
  const stubs = [
    { method: 'GET' as const, path: '/api/v1/connected_accounts/{id}', status: 418 },
    { method: 'GET' as const, path: '/api/v1/{a}', status: 418 },
    { method: 'POST' as const, path: '/oauth/*', status: 418, auth: false },
    { method: 'GET' as const, path: '/*', status: 418, auth: false },
  ];
  await environment.patchState({ stubs });
  const statusOf = async (...given: Parameters<typeof call>) => (await call(...given)).status;
  const named = '?connector=mail&identifier=nobody@acme.test';
  for (const path of ['auth', 'details'])
    expect(await statusOf('GET', `/api/v1/connected_accounts/${path}${named}`)).toBe(404);
  expect(await statusOf('HEAD', '/api/v1/connections')).toBe(200);
  for (const colon of [':', '%3A', '%3a'])
    expect(await statusOf('GET', `/api/v1/connected_accounts${colon}search?query=ada`)).toBe(200);
  for (const body of [{ grant_type: 'client_credentials' }, { grant_type: 'password' }])
    expect(await statusOf('POST', '/oauth/token', { body: new URLSearchParams(body), token: null })).toBe(
      400,
    );
  expect(await statusOf('GET', '/api/v1/connected_accounts/ca_1')).toBe(418);
  expect(await statusOf('POST', '/oauth/device', { token: null })).toBe(418);
});

test('behaviour X6: a stub with /* answers a call of the contract if its match says what the contract refuses', async () => {
  const match = { body: { grant_type: 'password' } };
  await environment.patchState({
    stubs: [{ method: 'POST', path: '/oauth/*', match, auth: false, status: 202 }],
  });
  const body = new URLSearchParams(match.body);
  expect((await call('POST', '/oauth/token', { body, token: null })).status).toBe(202);
});

test('behaviour X6: a stub that needs an account answers while it is ACTIVE, else the next one, else a refusal', async () => {
  const path = '/api/v1/execute_tool';
  const account = 'mail/{body.identifier}';
  await environment.patchState({
    connections: [{ key_id: 'mail', type: 'OAUTH' }],
    connected_accounts: [{ connector: 'mail', identifier: 'ada@acme.test', status: 'ACTIVE' }],
    stubs: [{ method: 'POST', path, account, body: { for: '{body.identifier}' } }],
  });
  const use = (identifier?: string) => call('POST', path, { body: { identifier } });
  expect((await use('ada@acme.test')).body).toEqual({ for: 'ada@acme.test' });
  await environment.accounts.expire('mail/ada@acme.test');
  const { status, body } = await use('ada@acme.test');
  expect([status, body.details[0].error_code]).toEqual([400, 'FAILED_PRECONDITION']);
  expect(body.message).toContain('mail/ada@acme.test is EXPIRED');
  expect([(await use('nobody@acme.test')).status, (await use()).status]).toEqual([404, 404]);
  expect((await environment.requests()).at(-1)).toMatchObject({
    status: 404,
    rule: 'X6',
    stub: `POST ${path} for ${account}`,
  });
  await environment.faults.add({ operation: '*', status: 503, times: 1 }); // comes before the look-up (behaviour X4)
  expect((await use()).status).toBe(503);
  await environment.patchState({ stubs: [{ method: 'POST', path, status: 202 }] });
  expect((await use('ada@acme.test')).status).toBe(202);
  const { stubs = [] } = await environment.state();
  expect(stubs.map((stub) => stub.account)).toContain(account);
  await environment.accounts.grant('mail/ada@acme.test');
  expect((await use('ada@acme.test')).status).toBe(200);
  const plainFirst = [{ status: 202 }, { account }].map((more) => ({
    method: 'POST' as const,
    path: '/next',
    ...more,
  }));
  await environment.patchState({ stubs: plainFirst }); // what a stub needs is a condition, whatever their order
  expect((await call('POST', '/next', { body: { identifier: 'ada@acme.test' } })).status).toBe(200);
});

// Behaviour X4-X6: which calls a stub answers, which of several stubs does, and what placeholders become.

test.each([
  ['/x/{id}', '/x/a%20b', { id: 'a b' }],
  ['/x/{id}', '/x/', undefined],
  ['/x/{id}', '/x/1/2', undefined],
  ['/x/{id}', '/X/1', undefined],
  ['/x/{id}:run', '/x/1:run', { id: '1' }],
  ['/x/{id}:run', '/x/:run', undefined],
  ['/x/{id}:run', '/x/1', undefined],
  ['/x/{a}/*', '/x/1/2/3', { a: '1', '*': '2/3' }],
  ['/x/*', '/x/', { '*': '' }],
  ['/x/*', '/x', undefined],
])('behaviour X4: the path %s of a stub takes %s as %j', (pattern, path, values) => {
  expect(valuesInPath(pattern, path)).toEqual(values);
});

const CALL = {
  path: '/x',
  query: new URLSearchParams('q=1&p=2'),
  headers: { 'x-h': '1' },
  body: { n: 7, zero: 0, off: false, empty: '', list: ['a', 'b'], deep: { b: 1, c: 2, d: 3 } },
};
const stubOf = (match?: StubRow['match']): StubRow => ({
  method: 'POST',
  path: '/x',
  ...(match && { match }),
  replies: [{ status: 200, body: {}, headers: {}, delay_ms: 0 }],
  auth: true,
  answered: 0,
});

test('behaviour X6: of stubs that match, the one with the most values answers, and of equal ones the first', () => {
  const two = { query: { q: '1' }, headers: { 'X-H': '1' } };
  const other = { query: { q: '1', p: '2' } };
  const three = { body: { deep: { b: 1, c: 2, d: 3 } } };
  const found = (...matches: (StubRow['match'] | undefined)[]) =>
    findStubs(matches.map(stubOf), CALL)[0]?.match;
  expect(found(undefined, two, three)).toEqual(three);
  expect(found(two, other)).toEqual(two);
  for (const more of [{ zero: 0 }, { off: false }, { empty: '' }])
    expect(found({ body: { n: 7 } }, { body: { n: 7, ...more } })).toEqual({ body: { n: 7, ...more } });
  expect(found({ query: { q: '2' } }, { headers: { 'x-h': '2' } }, { body: { n: 8 } })).toBeUndefined();
});

test('behaviour X6: a placeholder without a value is null in a list, left out as a member, and nothing within a text', () => {
  const call = { ...CALL, path: {}, now: 'NOW', id: (prefix: string) => `${prefix}_1`, sign: String };
  const written = {
    list: ['{query.none}', '{query.q}', '{body.none}'],
    gone: '{query.none}',
    text: '<{query.none}> {now} {body.list.1} {body.list}',
    kept: ['{body.n}', '{body.list}', '{id.usr}', '{unknown}', 5, null],
  };
  expect(fill(written, call)).toStrictEqual({
    list: [null, '1', null],
    text: '<> NOW b ["a","b"]',
    kept: [7, ['a', 'b'], 'usr_1', '{unknown}', 5, null],
  });
});
