/** Behaviour T2, T3, T5 and T7 over HTTP: how clients spell the names and values of a query and of a body. */
import { beforeEach, expect, test } from '@jest/globals';
import { type Answer, fieldsOf, listeningServer, rawRequest, violationsOf } from '../../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';
const ID = 'ca_100000000000000001';
const INVITE = '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005';
const RESEND = '/api/v1/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend';

const server = await listeningServer({ clock: '2026-03-01T12:00:00Z' });
beforeEach(async () => (await server.mock.environment('development')).reset());

const create = (body: object | string, headers = {}) => server.call('POST', ACCOUNTS, { body, headers });
const list = (query: string, headers = {}) => server.call('GET', `${ACCOUNTS}?${query}`, { headers });
const identifiers = ({ body }: Answer) =>
  body.connected_accounts.map(({ identifier }: { identifier: string }) => identifier);

const lastCall = async () =>
  (await server.control('GET', '/environments/development/requests?limit=1')).body.requests[0];

const STRICT = { 'x-mock-strict': '1' };
const MAIL = { connector: 'mail', identifier: 'names@acme.test' };

test.each<[string, string, string, object, string[]]>([
  ['unknown names', 'POST', `${ACCOUNTS}?verbose=1`, { ...MAIL, identifer: 'b' }, ['verbose', 'identifer']],
  ['an unknown name without a value, and none', 'POST', `${ACCOUNTS}?verbose=&=`, MAIL, ['verbose', '""']],
  ['an unknown name with a dot', 'POST', ACCOUNTS, { ...MAIL, 'x.status': 1 }, ['x.status']],
  ['a name that may hold a value', 'POST', ACCOUNTS, { ...MAIL, 'ada:pass1': 1 }, ['***']],
  ['an unknown name in a list', 'POST', INVITE, { roles: [{ nmae: 'admin' }] }, ['roles[0].nmae']],
  ['a long unknown name', 'POST', ACCOUNTS, { ...MAIL, ['n'.repeat(200_000)]: 1 }, [`${'n'.repeat(100)}...`]],
  ['a member in a body that should be empty', 'PATCH', RESEND, { resentCount: 2 }, ['resentCount']],
  [
    'unknown names at two depths, together with what breaks the contract',
    'POST',
    ACCOUNTS,
    { connector: 'mail', colour: 'blue', connected_account: { oauth_token: {}, status: 'ACTIVE' } },
    ['identifier', 'colour', 'connected_account.oauth_token', 'connected_account.status'],
  ],
])('behaviour T2: strict mode refuses %s', async (_what, method, path, body, fields) => {
  const answer = await server.call(method, path, { body, headers: STRICT });
  expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
  expect(answer.text.length).toBeLessThan(3_000);
});

test('behaviour R1: of more than a hundred unknown names, strict mode lists the first hundred, and other calls warn of a hundred', async () => {
  const more = Object.fromEntries(Array.from({ length: 300 }, (_, nth) => [`zebra${nth}`, 1]));
  const answer = await create({ ...MAIL, ...more }, STRICT);
  expect([fieldsOf(answer).length, fieldsOf(answer)[99]]).toEqual([100, 'zebra99']);
  expect(answer.body.message).toContain('Only the first 100 violations are listed.');
  await create({ ...MAIL, ...more });
  expect((await lastCall()).warnings).toHaveLength(101);
});

test.each([
  ['identifer', 'identifier'],
  ['authorizationDetails', 'connected_account.authorization_details'],
  ['api_config', 'connected_account.api_config'],
])('behaviour T2: for %s the error suggests %s', async (wrong, right) => {
  const answer = await create({ ...MAIL, [wrong]: {} }, { 'x-mock-strict': 'true' });
  for (const text of [answer.body.message, violationsOf(answer)[0]?.description])
    expect(text).toContain(`Did you mean "${right}"?`);
});

test.each([
  null,
  '',
])('behaviour T3, T5: a member that is %j counts as absent in both spellings, and not as a second one', async (absent) => {
  const update = { id: ID, organization_id: absent, organizationId: 'org_100000000000000001' };
  expect((await server.call('PUT', ACCOUNTS, { body: update })).status).toBe(200);
  const { status, body } = await create({ connector: 'mail', identifier: absent });
  expect([status, body.message]).toEqual([400, expect.stringContaining('identifier is missing')]);
  const link = { ...MAIL, state: absent, user_verify_url: absent, organizationId: absent, userId: absent };
  expect((await server.call('POST', `${ACCOUNTS}/magic_link`, { body: link })).status).toBe(200);
  const roles = [{ id: absent, name: 'admin', displayName: absent }];
  expect((await server.call('POST', INVITE, { body: { roles } })).status).toBe(201);
  expect(fieldsOf(await create({ ...MAIL, connected_account: '' }))).toEqual(['connected_account']); // no text
});

test('behaviour T2, T3, T5: any name and null inside a free-form object are kept as data, in strict mode too', async () => {
  const api_config = { someName: null, other_name: '', any: { deep: 1 } };
  const { body } = await create({ ...MAIL, connected_account: { api_config } }, STRICT);
  expect(body.connected_account.api_config).toEqual(api_config);
});

test.each([
  ['{"connector":"mail","identifier":"a","identifier":"b"}', 'identifier', 'name'],
  ['{"connector" : "mail", "identifier"\n: "a", "identifier" : "b"}', 'identifier', 'name'],
  ['{"api_config":[{"a":1},{"a":{"b":1,"\\u0062":2}}]}', 'api_config[1].a.b', 'name'],
  ['{"connector":"mail","identifier":"a","scopes":["a"],"identifier":"b"}', 'identifier', 'name'],
  ['{"":1,"":2}', 'body', 'name'],
  ['{"connector":"mail","identifier":"\\ud83d"}', 'identifier', 'charset'],
  ['{"connected_account":{"api_config":{"\\udc00":1}}}', 'connected_account.api_config.\ufffd', 'charset'],
])('behaviour T5, I2: a member that is sent twice, or half a surrogate pair, is a 400: %s', async (body, field, constraint) => {
  expect(violationsOf(await create(body))).toMatchObject([{ field, constraint }]);
});

test('behaviour I2: a whole surrogate pair that is written as escapes is one character', async () => {
  const { body } = await create('{"connector":"mail","identifier":"\\ud83d\\ude00 \\\\ud83d"}');
  expect(body.connected_account.identifier).toBe('\u{1f600} \\ud83d');
});

test('behaviour T7: a plus in a query value is a space', async () => {
  await create({ connector: 'mail', identifier: 'ada lovelace' });
  expect(identifiers(await list('identifier=ada+lovelace'))).toEqual(['ada lovelace']);
  const { body } = await server.call('GET', `${ACCOUNTS}/details?connector=mail&identifier=ada+x@acme.test`);
  expect(body.message).toContain('In a query, + is a space; write %2B for a +.');
  await create({ connector: 'mail', identifier: 'who?connector=x' });
  expect((await list('identifier=who?connector=x')).body.total_size).toBe(1); // a second question mark is data
});

test.each([
  'connector=&page_size=&organization_id=&page_token=',
  'connector[]=mail',
  'connector[a]=mail',
  '&&=&=x&connector',
])('behaviour T2, T7: the query %s has no known parameter with a value, so the reply lists all accounts', async (query) => {
  expect((await list(query)).body).toEqual((await list('')).body);
});

test.each([
  ['connector=mail&connector=mail', 'connector'],
  ['page_size=1&page_size=1', 'page_size'],
  ['connector={"a":1}', 'connector'],
  ['connector=%00', 'connector'],
  ['connection_names=mail,crm', 'connection_names[0]'],
])('the query %s is 400, and the error is about %s', async (query, field) => {
  expect(fieldsOf(await list(query))).toEqual([field]);
});

test.each(
  '1e1 0x5 1.0 %205 +5 5.'.split(' '),
)('behaviour I3, R1: a page_size of %s is not an integer, and the one violation shows the value as it was sent', async (size) => {
  const sent = decodeURIComponent(size.replace('+', ' '));
  const description = `page_size is ${JSON.stringify(sent)}, but must be a whole number written in digits.`;
  expect(violationsOf(await list(`page_size=${size}`))).toEqual([
    { field: 'page_size', constraint: 'type', description },
  ]);
});

test('a list parameter may have one value or many, and empty values are ignored', async () => {
  const query = 'connection_names=crm&connection_names=&connection_names=helpdesk&connection_names=crm';
  expect(identifiers(await list(query))).toEqual(['ada@acme.test', 'ada@acme.test']);
});

test.each<[string, number, string]>([
  ...['false', 'False', 'F', 'f', '0'].map((value) => [value, 201, 'ACTIVE'] as [string, number, string]),
  ...['true', 'T', '1'].map((value) => [value, 201, 'PENDING_INVITE'] as [string, number, string]),
  ...['2', 'yes', 'null'].map((value) => [value, 400, ''] as [string, number, string]),
])('behaviour T3: send_invitation_email=%s in a query is answered with %i %s', async (value, status, membership) => {
  const answer = await server.call('POST', `${INVITE}?send_invitation_email=${value}`, { body: {} });
  expect(answer.status).toBe(status);
  if (status === 400) expect(fieldsOf(answer)).toEqual(['send_invitation_email']);
  else expect(answer.body.user.memberships[0].membership_status).toBe(membership);
});

// Behaviour T5 to T9 and T11 over real HTTP: bodies, methods, headers and paths.

test('behaviour T5: a body without a content type is refused with the type to send', async () => {
  const headers = ['Authorization: Bearer dev-token', 'Content-Length: 2'];
  expect(await server.raw(rawRequest(`PUT ${ACCOUNTS} HTTP/1.1`, headers, '{}'))).toContain(
    '"message":"Content-Type is missing. Send application/json."',
  );
});

test('behaviour T6, A8: HEAD for credentials returns none, so it neither refreshes them nor moves last_used_at', async () => {
  const development = await server.mock.environment('development');
  const path = `${ACCOUNTS}/auth?id=ca_100000000000000001`;
  await development.advance('2h');
  const before = await development.state();
  const head = await server.call('HEAD', path);
  expect(await development.state()).toEqual(before);
  const get = await server.call('GET', path);
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
  expect(get.body.connected_account.last_used_at).toBe('2026-03-01T14:00:00.000Z');
});

test('behaviour T8: request ids count up in each environment and restart after a reset', async () => {
  const id = async () => (await server.call('GET', ACCOUNTS)).headers['x-request-id'];
  const first = await id();
  expect(first).toMatch(/^req_/);
  expect(await id()).not.toBe(first);
  await (await server.mock.environment('development')).reset();
  expect(await id()).toBe(first);
});

test('behaviour T11: the served contract has the address of the running mock', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  expect(body.servers[0].url).toBe(server.mock.url);
  const { text, headers } = await server.call('GET', '/openapi.yaml');
  expect(text).toContain(`- url: ${server.mock.url}`);
  expect(text).not.toContain('127.0.0.1:4720'); // the address in the document
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'application/yaml; charset=utf-8',
  });
});

test.each([
  ['size', '{"connector":"mail","identifier":"a","connected_account":{"api_config":{"size":1e999}}}'],
  ['[0]', '{"connected_account":{"api_config":[-2.5E0999]}}'],
  ['size', `{"connected_account":{"api_config":{"toString":1,"valueOf":2,"size":${'9'.repeat(400)}}}}`],
  ['', '12345678901234567890'],
  ['a[2]', '{"api_config":{"a":[1, {"b":[]}, 9007199254740993]}}'],
  ['list[0].n', '{"connected_account":{"api_config":{"list":[{"n":-12345678901234567890}]}}}'],
])('a number that is too large to be returned exactly, at %s, is a 400: %#', async (place, body) => {
  const [{ field = '', constraint, description = '' } = {}] = violationsOf(await create(body));
  expect([field.endsWith(place), constraint]).toEqual([true, 'maximum']);
  expect(body).toContain(/number (\S{1,100}?)(?:\.\.\.)? at/.exec(description)?.[1]); // as it was written
});

test('a text that looks like a huge number is accepted, and so is a number near the largest possible', async () => {
  const api_config = { id: '7e9999', uuid: 'a3e45f, 1e999', large: 1.7e308, safe: -9007199254740991 };
  const { status, body } = await create({ ...MAIL, connected_account: { api_config } });
  expect([status, body.connected_account.api_config]).toEqual([201, api_config]);
});

test('a body nested 200 levels deep is accepted, and a body nested 201 levels deep is refused', async () => {
  const nested = (levels: number): string =>
    `{"connector":"mail","identifier":"nested","connected_account":{"api_config":${'{"a":'.repeat(levels - 2)}1${'}'.repeat(levels)}`;
  expect((await create(nested(200))).status).toBe(201);
  expect(violationsOf(await create(nested(201)))).toMatchObject([{ field: 'body', constraint: 'depth' }]);
});

// `POST /oauth/token` over HTTP: credentials in the form or in HTTP Basic, and errors as RFC 6749 defines them.

const GRANT = { grant_type: 'client_credentials' };
const GOOD = { ...GRANT, client_id: 'dev-client', client_secret: 'dev-secret' };

/** Asks for a token. @param authorization the header, or client id and secret for HTTP Basic, joined by a colon */
const ask = (fields: object | undefined, authorization?: string, headers: Record<string, string> = {}) => {
  const isPair = authorization?.includes(':');
  const basic = isPair ? `Basic ${Buffer.from(String(authorization)).toString('base64')}` : authorization;
  return server.call('POST', '/oauth/token', {
    token: null,
    headers: { ...headers, ...(basic !== undefined && { authorization: basic }) },
    body: fields && new URLSearchParams(fields as Record<string, string>),
  });
};

test.each([
  ['a grant_type sent twice', new URLSearchParams([...Object.entries(GOOD), ['grant_type', 'a']])],
  ['JSON', GRANT],
])('behaviour R3: a token request with %s is refused as invalid_request', async (_what, body) => {
  const { status, body: answer } = await server.call('POST', '/oauth/token', { token: null, body });
  expect([status, answer.error]).toEqual([400, 'invalid_request']);
});

const CHALLENGE = 'Basic realm="connected-accounts-mock"';

test.each([
  ['dev-client:dev-secret', GOOD, 200, undefined],
  ['dev-client:wrong', GRANT, 401, CHALLENGE],
  ['dev-client:', GRANT, 401, CHALLENGE],
  [':dev-secret', GRANT, 401, CHALLENGE],
  [`Basic ${Buffer.from('dev-client').toString('base64')}`, GRANT, 401, CHALLENGE],
  ['Basic', GOOD, 401, CHALLENGE],
  ['Basic !!!', GOOD, 401, CHALLENGE],
  ['basic  ', GOOD, 401, CHALLENGE],
])('behaviour E3, R3: HTTP Basic %j with the form %j is answered with %i and the challenge %s', async (authorization, fields, status, challenge) => {
  const { status: got, headers, body } = await ask(fields, authorization);
  expect([got, headers['www-authenticate']]).toEqual([status, challenge]);
  expect(body.error).toBe(status === 401 ? 'invalid_client' : undefined);
  expect(headers['cache-control']).toBe('no-store');
});

test.each([
  [{ client_id: 'dev-client', client_secret: 'wrong-secret' }, 'client_secret'],
  [{ client_id: 'prod-client' }, 'client_id'],
])('behaviour E3, R3: HTTP Basic with a form that contradicts it, %j, is refused as invalid_request', async (fields, name) => {
  const { status, body, text } = await ask({ ...GRANT, ...fields }, 'dev-client:dev-secret');
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect(body.error_description).toContain(`${name} in the form differs`);
  expect(text).not.toMatch(/-secret/);
});

test('behaviour R3, T4: an injected error of the token endpoint has the same body as other errors, and a fault affects only the clients of its environment', async () => {
  const { faults } = await server.mock.environment('production');
  await faults.add({ operation: 'issueToken', status: 504, times: 1 });
  expect((await ask(GOOD)).status).toBe(200);
  const faulty = await ask({ ...GRANT, client_id: 'prod-client', client_secret: 'prod-secret' });
  expect([faulty.status, faulty.body.details[0].error_code]).toEqual([504, 'DEADLINE_EXCEEDED']);
  const { status, body } = await ask(GOOD, undefined, { prefer: 'code=400' });
  expect([status, body.details[0].error_code]).toEqual([400, 'INVALID_ARGUMENT']);
});

test('behaviour E3: the token endpoint ignores the field scope, also in strict mode, and other fields', async () => {
  const fields = [...Object.entries(GOOD), ...Array.from({ length: 997 }, () => ['a', ''])];
  expect((await ask(fields)).status).toBe(200);
  expect((await ask({ ...GOOD, scope: 'read' }, undefined, { 'x-mock-strict': 'true' })).status).toBe(200);
  expect(await lastCall()).toMatchObject({ status: 200, warnings: [] });
});
