/** The calls that only the console makes: what they answer, and what they change. */
import { expect, test } from '@jest/globals';
import { testServer } from '../support/server.ts';

const server = testServer();
const ADA = 'usr_100000000000000001';
const BARBARA = 'usr_100000000000000005';
const GRACE = 'usr_100000000000000002';
const ACME = 'org_100000000000000001';

type Own = Awaited<ReturnType<typeof server.isolated>>;

const rowsOf = async ({ control }: Own, kind: string, query = '') =>
  (await control('GET', `/resources/${kind}${query}`)).body.rows;

const emails = async ({ control }: Own) =>
  (await control('GET', '/outbox')).body.emails.map(
    ({ kind, to }: Record<string, string>) => `${kind} to ${to}`,
  );

test('a member is invited by natural keys, with roles, by e-mail unless that is off, and the reply has the ids', async () => {
  const own = await server.isolated();
  const member = { organization_id: 'acme', user_id: 'Barbara@free.test' };
  const invited = await own.control('POST', '/invitations', {
    ...member,
    roles: ['admin'],
    inviter_email: 'boss@acme.test',
  });
  expect([invited.status, invited.body]).toEqual([201, { organization_id: ACME, user_id: BARBARA }]);
  const [row] = await rowsOf(own, 'memberships', '?query=barbara');
  expect(row).toMatchObject({
    user_id: BARBARA,
    email: 'barbara@free.test',
    membership_status: 'PENDING_INVITE',
  });
  expect([row.roles.map(({ name }: { name: string }) => name), row.invite.inviter_email]).toEqual([
    ['admin'],
    'boss@acme.test',
  ]);
  expect(row.invite.link).toMatch(/^http:\/\/mock\.local\/invitations\/.{40}/);
  expect(await emails(own)).toEqual(['invitation to barbara@free.test']);
  const silent = { organization_id: 'globex', user_id: 'barbara@free.test', send_invitation_email: false };
  await own.control('POST', '/invitations', silent);
  const all = await rowsOf(own, 'memberships', '?query=barbara');
  const joined = all.find(
    ({ membership_status }: { membership_status: string }) => membership_status === 'ACTIVE',
  );
  expect(Object.keys(joined)).not.toContain('invite');
  expect(joined.roles.map(({ name }: { name: string }) => name)).toEqual(['member']);
  const again = await own.control('POST', '/invitations/acme/grace@acme.test');
  expect([again.status, again.body]).toEqual([200, { organization_id: ACME, user_id: GRACE }]);
  expect(await emails(own)).toEqual(['invitation to barbara@free.test', 'reminder to grace@acme.test']);
});

test('a link is made for an account by its natural key, with all that was given, and is listed with its account', async () => {
  const own = await server.isolated();
  const given = { state: 's1', user_verify_url: 'https://app.test/done' };
  const made = await own.control('POST', '/links', { id: 'mail/ada@acme.test', ...given });
  const listed = await rowsOf(own, 'authorization_links');
  const pair = { connector: 'mail', identifier: 'ada@acme.test' };
  const { link, expiry: expires_at } = made.body;
  const account = { connected_account_id: 'ca_100000000000000001', ...pair };
  expect(listed).toEqual([
    { token: link.split('/').at(-1), status: 'OPEN', link, ...account, ...given, expires_at },
  ]);
  await own.control('POST', `/links/${listed[0].token}/approve`);
  await own.control('POST', '/clock/advance', { by: '1h' });
  const [used] = await rowsOf(own, 'authorization_links');
  expect([used.status, typeof used.used_at, used.auth_request_id.length > 43]).toEqual([
    'USED',
    'string',
    true,
  ]);
});

test('behaviour V3: a verification request is listed without its tokens, as expired from its very end', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const [{ link }] = [
    (
      await own.control('POST', '/links', {
        id: 'mail/ada@acme.test',
        state: 's1',
        user_verify_url: 'https://a.test',
      })
    ).body,
  ];
  await own.control('POST', `/links/${link.split('/').at(-1)}/approve`);
  const made = async () =>
    (await rowsOf(own, 'verification_requests')).find(({ state }: { state?: string }) => state === 's1');
  expect(Object.keys(await made()).sort()).toEqual([
    ...[
      'auth_request_id',
      'connected_account_id',
      'connector',
      'expires_at',
      'identifier',
      'state',
      'status',
    ],
  ]);
  await own.control('POST', '/clock/advance', { by: '9m59s999ms' });
  expect((await made()).status).toBe('OPEN');
  await own.control('POST', '/clock/advance', { by: '1ms' });
  expect((await made())?.status ?? 'EXPIRED').toBe('EXPIRED');
});

test('a scenario is exported as JSON or YAML, absolute with its clock or relative without one', async () => {
  const own = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const json = await own.control('GET', '/scenario?relative=false');
  expect(json.headers['content-type']).toMatch(/^application\/json/);
  const form = JSON.parse(json.text);
  expect(JSON.stringify(form)).toContain('2026-03-01T12:00:00');
  const relative = (await own.control('GET', '/scenario?relative=true&format=yaml')).text;
  expect(relative).not.toMatch(/^ *clock:/m);
  expect(relative).not.toContain('2026-03-01T12:00:00');
});

test('a text without `environments` is the content of the environment that imports it, and the file gives it its name', async () => {
  const own = await server.isolated();
  const text = 'users: [{ email: new@acme.test }]';
  expect((await own.control('PUT', '/scenario?file=mine.yaml', { text })).body).toEqual({ from: own.name });
  expect((await rowsOf(own, 'users')).map(({ email }: { email: string }) => email)).toEqual([
    'new@acme.test',
  ]);
  expect((await own.control('GET', '')).body.scenario).toBe('mine.yaml');
  const several = JSON.stringify({ environments: { first: {}, [own.name]: { roles: [{ name: 'r' }] } } });
  expect((await own.control('PUT', '/scenario', { text: several })).body).toEqual({ from: own.name });
  expect(await rowsOf(own, 'roles')).toHaveLength(1);
  const wrong = await own.control('PUT', '/scenario', { text: 'users: [\n  a: b: c' });
  expect(wrong.body.error.message).toMatch(/^Line 2, column \d+ of the file: /);
  for (const given of ['3', 'null', ''])
    expect((await own.control('PUT', '/scenario', { text: given })).body.error.message).toBe(
      'The file is not a scenario.',
    );
});

test('a search takes every character as it is, and finds no row that lacks one of its words', async () => {
  const own = await server.isolated();
  const ids = async (kind: string, query: string) =>
    (await rowsOf(own, kind, `?query=${encodeURIComponent(query)}`)).map(({ id }: { id: string }) => id);
  await own.control('PATCH', '/state', {
    users: [{ email: 'ada@acme.test', metadata: { note: 'say "hi" \\now' } }],
  });
  expect(await ids('users', '"hi" \\now')).toEqual([ADA]);
  expect(await ids('users', '"hi" \\later')).toEqual([]);
  expect(await ids('users', ' HI\t\\NOW ')).toEqual([ADA]);
  const [{ id: admin }] = await rowsOf(own, 'roles', '?query=admin');
  await own.control('PATCH', '/state', { roles: [{ name: 'boss', extends: [admin] }] });
  expect(await ids('roles', admin)).toEqual([admin]); // the id of a row means that row alone
  expect(await ids('roles', admin.slice(0, -1))).toHaveLength(3);
});

test('a page of a search has the number of its first row among all that were found; the newest sign-ins come first', async () => {
  const own = await server.isolated();
  const page = async (query: string) =>
    (await own.control('GET', `/resources/authentication_requests?${query}`)).body;
  const all = await page('page_size=200');
  const times = all.rows.map(({ timestamp }: { timestamp: string }) => timestamp);
  expect(times).toEqual(times.toSorted().toReversed());
  const first = await page('query=acme&page_size=2');
  const next = await page(`query=acme&page_size=2&page_token=${first.next_page_token}`);
  expect([first.first, next.first, next.rows.length]).toEqual([1, 3, 2]);
});

test('a stub is listed with its first reply, and its own method and path', async () => {
  const own = await server.isolated();
  const replies = [{ status: 202, body: 'one' }, { body: 'two' }];
  await own.control('PATCH', '/state', { stubs: [{ method: 'GET', path: '/tools', replies }] });
  const [stub] = await rowsOf(own, 'stubs');
  expect(stub).toMatchObject({ method: 'GET', path: '/tools', status: 202, body: 'one' });
  expect(Object.keys(stub)).not.toContain('replies');
});

test('a call of the journal is found by its number, and a missing one is a 404 that says how many are kept', async () => {
  const own = await server.isolated();
  await own.api('GET', '/api/v1/connections');
  const [{ sequence }] = (await own.control('GET', '/requests')).body.requests;
  expect((await own.control('GET', `/requests/${sequence}`)).body.operation).toBe('listConnections');
  const missing = await own.control('GET', `/requests/${sequence + 1}`);
  expect([missing.status, missing.body.error.hint]).toEqual([
    404,
    expect.stringContaining('last 1,000 calls'),
  ]);
});
