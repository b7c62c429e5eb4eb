/** Behaviour T2, T3, T7, T10 over real HTTP: names and values of a query, and names in a body. */
import { beforeEach, expect, test } from '@jest/globals';
import { type Answer, listeningServer, rawRequest } from '../support/server.ts';

const ACCOUNTS = '/api/v1/connected_accounts';

const server = await listeningServer({ clock: '2026-03-01T12:00:00Z' });
beforeEach(async () => (await server.mock.environment('development')).reset());

const violations = ({ body }: Answer) => body.details[0].validation_error_info.field_violations;
const identifiers = ({ body }: Answer) =>
  body.connected_accounts.map(({ identifier }: { identifier: string }) => identifier);

test('behaviour T2: unknown query parameters and body members are ignored', async () => {
  const listed = await server.call('GET', `${ACCOUNTS}?page_sise=1&__proto__=1&constructor=2`);
  const created = await server.call('POST', ACCOUNTS, {
    body: { connector: 'mail', identifier: 'new@acme.test', colour: 'red' },
  });
  expect(listed.status).toBe(200);
  expect(created.status).toBe(201);
});

test('behaviour T2: in strict mode each unknown name is a violation that suggests the most similar name', async () => {
  const answer = await server.call('POST', `${ACCOUNTS}?verbose=1`, {
    headers: { 'x-mock-strict': '1' },
    body: { connector: 'mail', identifier: 'a', identifer: 'b', connected_account: { api_confg: {} } },
  });
  expect(answer.status).toBe(400);
  expect(
    violations(answer)
      .map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(['connected_account.api_confg', 'identifer', 'verbose']);
  expect(answer.body.message).toContain('Did you mean "api_config"?');
  expect(answer.body.message).toContain('Did you mean "identifier"?');
});

test('behaviour T2: in strict mode a known name with a dot and more is unknown, and long names are cut', async () => {
  const answer = await server.call('POST', ACCOUNTS, {
    headers: { 'x-mock-strict': '1' },
    body: { connector: 'mail', identifier: 'a', 'x.status': 1, ['n'.repeat(200_000)]: 1 },
  });
  expect(violations(answer).map(({ field }: { field: string }) => field)).toEqual([
    'x.status',
    `${'n'.repeat(100)}...`,
  ]);
  expect(answer.text.length).toBeLessThan(3_000);
});

test('behaviour T2: strict mode accepts free-form objects, and refuses members that only replies have', async () => {
  const { body: shown } = await server.call('GET', `${ACCOUNTS}/auth?id=ca_100000000000000001`);
  const update = (connected_account: object) =>
    server.call('PUT', ACCOUNTS, {
      headers: { 'x-mock-strict': '1' },
      body: { id: shown.connected_account.id, connected_account },
    });
  expect((await update({ api_config: { any: { deep: 1 } } })).status).toBe(200);
  expect(violations(await update(shown.connected_account))).toContainEqual(
    expect.objectContaining({ field: 'connected_account.status', constraint: 'unknown' }),
  );
});

test.each([
  ['authorization_details', { authorization_details: { oauth_token: { access_token: 'a' } } }],
  ['connected_account.oauth_token', { connected_account: { oauth_token: { access_token: 'a' } } }],
])('behaviour T2: in strict mode credentials in the wrong place are refused: %s', async (field, wrong) => {
  const answer = await server.call('POST', ACCOUNTS, {
    headers: { 'x-mock-strict': '1' },
    body: { connector: 'mail', identifier: 'strict@acme.test', ...wrong },
  });
  expect(answer.status).toBe(400);
  expect(violations(answer)).toContainEqual(expect.objectContaining({ field, constraint: 'unknown' }));
});

test.each([
  ['authorizationDetails', 'connected_account.authorization_details'],
  ['api_config', 'connected_account.api_config'],
])('behaviour T2: for %s a level too high the error names the right place', async (wrong, right) => {
  const answer = await server.call('PUT', ACCOUNTS, {
    headers: { 'x-mock-strict': '1' },
    body: { id: 'ca_100000000000000001', [wrong]: {} },
  });
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringContaining(`Did you mean "${right}"?`),
  ]);
});

test('behaviour T2: strict mode refuses any member in a body that should have none', async () => {
  const path = '/api/v1/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend';
  const strict = { headers: { 'x-mock-strict': '1' }, body: { resentCount: 2 } };
  expect(violations(await server.call('PATCH', path, strict))).toEqual([
    expect.objectContaining({ field: 'resentCount', constraint: 'unknown' }),
  ]);
  expect((await server.call('PATCH', path, { body: { resentCount: 2 } })).status).toBe(200);
});

test.each([
  [
    '2147483648',
    'page_size is 2147483648, but must be 100 or less. page_size is 2147483648, but must be a whole number of 32 bits, so 2147483647 at most.',
  ],
  [
    '99999999999999999999',
    'page_size is "99999999999999999999", which is out of range. Send a number nearer to 0.',
  ],
  [
    '-99999999999999999999',
    'page_size is "-99999999999999999999", which is out of range. Send a number nearer to 0.',
  ],
])('behaviour R2: the error shows a page_size of %s as it was sent, with all its problems', async (size, message) => {
  const { status, body } = await server.call('GET', `${ACCOUNTS}?page_size=${size}`);
  expect([status, body.message]).toEqual([400, message]);
});

test('behaviour T3: a query parameter may be in lowerCamelCase', async () => {
  const answer = await server.call('GET', `${ACCOUNTS}?organizationId=org_100000000000000002&pageSize=2`);
  expect(identifiers(answer)).toEqual(['user-1@globex.test', 'user-2@globex.test']);
});

test('behaviour T3: both spellings of a query parameter at once are 400', async () => {
  const answer = await server.call('GET', `${ACCOUNTS}?page_size=1&pageSize=2`);
  expect(answer.status).toBe(400);
  expect(violations(answer)[0].field).toBe('page_size');
});

test.each([
  'a@b.test',
  "x:y,z*w'v/u",
  'a!b$c&d'.replace('&', '%26'),
])('behaviour T7: a query value may have the raw characters of %s', async (value) => {
  const sent = rawRequest(`GET ${ACCOUNTS}?identifier=${value} HTTP/1.1`, [
    'Authorization: Bearer dev-token',
  ]);
  expect(await server.raw(sent)).toMatch(/^HTTP\/1\.1 200 /);
});

test('behaviour T7: a plus in a query value is a space', async () => {
  await server.call('POST', ACCOUNTS, { body: { connector: 'mail', identifier: 'ada lovelace' } });
  const answer = await server.call('GET', `${ACCOUNTS}?identifier=ada+lovelace`);
  expect(identifiers(answer)).toEqual(['ada lovelace']);
});

test('behaviour T7: an empty query value counts as absent', async () => {
  const all = await server.call('GET', ACCOUNTS);
  const same = await server.call('GET', `${ACCOUNTS}?connector=&page_size=&organization_id=&page_token=`);
  expect(same.body).toEqual(all.body);
});

test.each([
  'connector[]=mail',
  'connector[a]=mail',
  'page_size[$gt]=1',
  '__proto__[page_size]=1',
  '__proto__=1&__proto__=2&constructor=3&toString=4&hasOwnProperty=5',
  '&&=&=x&connector',
])('behaviour T2, T10: %s is an unknown parameter, so the reply lists all accounts', async (query) => {
  const all = await server.call('GET', ACCOUNTS);
  expect((await server.call('GET', `${ACCOUNTS}?${query}`)).body).toEqual(all.body);
});

test.each([
  ['connector=mail&connector=mail', 'connector'],
  ['page_size=1&page_size=1', 'page_size'],
  ['page_size=1e1', 'page_size'],
  ['page_size=%201', 'page_size'],
  ['page_size=99999999999999999999', 'page_size'],
  ['connector={"a":1}', 'connector'],
  ['connector=%00', 'connector'],
  ['connector=%ff', 'connector'],
  ['connection_names=mail,crm', 'connection_names[0]'],
])('the query %s is 400, and the error is about %s', async (query, field) => {
  const answer = await server.call('GET', `${ACCOUNTS}?${query}`);
  expect(answer.status).toBe(400);
  expect(new Set(violations(answer).map((violation: { field: string }) => violation.field))).toEqual(
    new Set([field]),
  );
});

test('a list parameter may have one value or many, and empty values are left out', async () => {
  const query = 'connection_names=crm&connection_names=&connection_names=helpdesk&connection_names=crm';
  expect(identifiers(await server.call('GET', `${ACCOUNTS}?${query}`))).toEqual([
    'ada@acme.test',
    'ada@acme.test',
  ]);
});

const INVITE = '/api/v1/memberships/organizations/org_100000000000000002/users/usr_100000000000000005';

test.each(['2', 'yes', 'null'])('behaviour T3: %s is not a boolean', async (value) => {
  const answer = await server.call('POST', `${INVITE}?send_invitation_email=${value}`, { body: {} });
  expect(answer.status).toBe(400);
  expect(violations(answer)[0].field).toBe('send_invitation_email');
});

test.each(['false', 'False', 'F', 'f', '0'])('behaviour T3: a boolean may be written %s', async (value) => {
  await (await server.mock.environment()).reset();
  const answer = await server.call('POST', `${INVITE}?send_invitation_email=${value}`, { body: {} });
  expect(answer.status).toBe(201);
  expect(answer.body.user.memberships[0].membership_status).toBe('ACTIVE');
});
