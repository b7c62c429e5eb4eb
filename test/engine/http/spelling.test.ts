/** Behaviour T2, T3, T5 and T7 over HTTP: how clients spell the names and values of a query and of a body. */
import { beforeEach, expect, test } from '@jest/globals';
import { type Answer, fieldsOf, listeningServer, violationsOf } from '../../support/server.ts';

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

const STRICT = { 'x-mock-strict': '1' };
const MAIL = { connector: 'mail', identifier: 'names@acme.test' };

test.each<[string, string, string, object, string[]]>([
  ['unknown names', 'POST', `${ACCOUNTS}?verbose=1`, { ...MAIL, identifer: 'b' }, ['verbose', 'identifer']],
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
  const [{ warnings }] = (await server.control('GET', '/environments/development/requests?limit=1')).body
    .requests;
  expect(warnings).toHaveLength(101);
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

test.each<[string, () => Promise<Answer>, string]>([
  [
    'a member sent in both spellings',
    () => create({ ...MAIL, organization_id: 'a', organizationId: 'a' }),
    'organization_id was sent in both',
  ],
  [
    'a camelCase member in strict mode',
    () => create({ ...MAIL, organizationId: 'a' }, STRICT),
    'Write organization_id.',
  ],
])('behaviour T3: %s is a 400 that names the snake_case spelling', async (_what, call, words) => {
  const { status, body } = await call();
  expect([status, body.message]).toEqual([400, expect.stringContaining(words)]);
});

test.each([
  null,
  '',
])('behaviour T3, T5: a member that is %j counts as absent, not as a second spelling', async (absent) => {
  const update = { id: ID, organization_id: absent, organizationId: 'org_100000000000000001' };
  expect((await server.call('PUT', ACCOUNTS, { body: update })).status).toBe(200);
  const { status, body } = await create({ connector: 'mail', identifier: absent });
  expect([status, body.message]).toEqual([400, expect.stringContaining('identifier is missing')]);
});

test('behaviour T2, T3, T5: any name and null inside a free-form object are kept as data, in strict mode too', async () => {
  const api_config = { someName: null, other_name: '', any: { deep: 1 } };
  const { body } = await create({ ...MAIL, connected_account: { api_config } }, STRICT);
  expect(body.connected_account.api_config).toEqual(api_config);
});

test('behaviour T3, T5: null counts as absent in both spellings, and so does an empty optional text', async () => {
  const body = { ...MAIL, state: null, user_verify_url: '', organizationId: null, userId: '' };
  expect((await server.call('POST', `${ACCOUNTS}/magic_link`, { body })).status).toBe(200);
  expect(fieldsOf(await create({ ...MAIL, connected_account: '' }))).toEqual(['connected_account']); // no text
  const roles = [{ id: '', name: 'admin', displayName: null }];
  expect((await server.call('POST', INVITE, { body: { roles } })).status).toBe(201);
});

test.each([
  ['{"connector":"mail","identifier":"a","identifier":"b"}', 'identifier', 'name'],
  ['{"connector" : "mail", "identifier"\n: "a", "identifier" : "b"}', 'identifier', 'name'],
  [
    '{"connector":"mail","connected_account":{"api_config":[{"a":1},{"a":{"b":1,"\\u0062":2}}]}}',
    'b',
    'name',
  ],
  ['{"connector":"mail","identifier":"a","scopes":["a"],"identifier":"b"}', 'identifier', 'name'],
  ['{"":1,"":2}', 'body', 'name'],
  ['12345678901234567890', 'body', 'maximum'],
  ['{"connector":"mail","identifier":"\\ud83d"}', 'body', 'charset'],
  ['{"connector":"mail","connected_account":{"api_config":{"\\udc00":1}}}', 'body', 'charset'],
])('behaviour T5, I2: a member that is sent twice, half a surrogate pair, or a number that would be rounded, is a 400: %s', async (body, field, constraint) => {
  expect(violationsOf(await create(body))).toMatchObject([{ field, constraint }]);
});

test('behaviour I2: a whole surrogate pair that is written as escapes is one character', async () => {
  const { body } = await create('{"connector":"mail","identifier":"\\ud83d\\ude00 \\\\ud83d"}');
  expect(body.connected_account.identifier).toBe('\u{1f600} \\ud83d');
});

test('behaviour T7: a plus in a query value is a space', async () => {
  await create({ connector: 'mail', identifier: 'ada lovelace' });
  expect(identifiers(await list('identifier=ada+lovelace'))).toEqual(['ada lovelace']);
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
  ['connector=%ff', 'connector'],
  ['connection_names=mail,crm', 'connection_names[0]'],
])('the query %s is 400, and the error is about %s', async (query, field) => {
  expect(fieldsOf(await list(query))).toEqual([field]);
});

test.each([
  '1e1',
  '0x5',
  '1.0',
  '%205',
  '+5',
  '5.',
])('behaviour I3, R1: a page_size of %s is not an integer, and the one violation shows the value as it was sent', async (size) => {
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
