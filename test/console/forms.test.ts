/** The console's forms and the panel of a row: what they send and show, and how a change is undone. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ name: 'own', clock: '2026-03-01T12:00:00Z' });
const page = await openPage(`${server.mock.url}/_mock/#/own/connected_accounts`);
const MAIL = 'ca_100000000000000006';
const ADA = 'usr_100000000000000001';
const ACME = 'org_100000000000000001';

const steady = (text: string): string => text.replaceAll(/\d{18}/g, 'N').replaceAll(/[\w-]{43,}/g, 'KEY');
const sent = () => page.sent().map((call) => steady(call).replace('environments/own/', ''));
const panel = () => steady(page.textOf('aside'));

test('a form shows what is wrong at its field or else below, then the new row', async () => {
  await page.press('New account');
  expect(page.location.hash).toBe('#/own/connected_accounts/new');
  expect(panel()).toMatch(/^New account Connector connector required .* Create account$/);
  expect(panel()).toMatch(/Identifier identifier required.*User ID user_id [^r].*More fields \( 10 \) ID id/);
  await page.write('connector', 'mail');
  await page.submit('Create account');
  expect(sent()).toEqual(['PATCH state?create=true {"connected_accounts":[{"connector":"mail"}]}']);
  expect(panel()).toMatch(/\. An account needs an identifier\. Create account$/);
  await page.write('identifier', 'new@acme.test');
  await page.write('authorization_details', '{"a"');
  await page.submit('Create account');
  expect(panel()).toMatch(
    /Authorization details authorization_details authorization_details must be valid JSON\. The/,
  );
  expect(panel()).toMatch(/\. Nothing was changed\. See the marked fields\. Create account$/);
  await page.write('authorization_details', '');
  await page.write('user_id', ADA.replace('1', '2'));
  await page.submit('Create account');
  expect(panel()).toContain('User ID user_id there is no user " usr_N ".');
  expect(sent().at(-1)).toMatch(/"mail","identifier":"new@acme.test","user_id":"usr_N"\}\]\}$/);
  await page.write('user_id', 'ada@acme.test');
  await page.submit('Create account');
  expect(page.notices()).toBe('Account created.');
  expect(page.location.hash).toMatch(/^#\/own\/connected_accounts\/ca_\d{18}$/);
  expect(panel().replace(/ JSON .*/, '')).toBe(
    'new@acme.test Authorize… Approve Edit More ID ca_N Connection ID conn_N Connector mail Identifier new@acme.test ' +
      'Provider MAIL Authorization type OAUTH Status PENDING_AUTH Updated at now User ID usr_N Refresh grant ' +
      'Calls with ca_N Calls with new@acme.test',
  );
  expect(page.find('Calls with new@acme.test').attributes.href).toBe('#/own/journal?query=new%40acme.test');
  expect(page.find(ADA).attributes.href).toBe(`#/own/users/${ADA}`);
});

test.each([
  [
    'users',
    { email: 'new@acme.test', user_profile: 'null', metadata: '{"team":"a"}', create_time: '-1d' },
    'PATCH state?create=true {"users":[{"email":"new@acme.test","user_profile":null,"metadata":{"team":"a"},"create_time":"-1d"}]}',
    /usr_N/,
  ],
  [
    'memberships',
    {
      user_id: 'barbara@free.test',
      organization_id: 'acme',
      roles: 'admin, member',
      send_invitation_email: 'false',
    },
    'POST invitations {"user_id":"barbara@free.test","organization_id":"acme","roles":["admin","member"],"send_invitation_email":false}',
    /org_N%2Fusr_N/,
  ],
  [
    'authorization_links',
    { id: 'mail/ada@acme.test', state: 's 1' },
    'POST links {"id":"mail/ada@acme.test","state":"s 1"}',
    /KEY/,
  ],
  [
    'authentication_requests',
    { email: 'ada@acme.test', outcome: 'failed' },
    'POST sign-ins {"email":"ada@acme.test","outcome":"failed"}',
    /[\w-]+/,
  ],
  [
    'stubs',
    {
      method: 'POST',
      path: '/x/{id}',
      status: '201',
      body: '{"a":[1]}',
      auth: 'false',
      headers: '{"x-a":"1"}',
    },
    'PATCH state?create=true {"stubs":[{"method":"POST","path":"/x/{id}","status":201,"body":{"a":[1]},"auth":false,"headers":{"x-a":"1"}}]}',
    /POST%20%2Fx%2F%7Bid%7D/,
  ],
  [
    'roles',
    { name: 'boss', permissions: 'a, b', default: 'false' },
    'PATCH state?create=true {"roles":[{"name":"boss","permissions":["a","b"],"default":false}]}',
    /role_N/,
  ],
])('a new row of %s is sent with the types of its schema, and opened', async (kind, texts, call, id) => {
  await page.go(`#/own/${kind}/new`);
  for (const [name, text] of Object.entries(texts)) await page.write(name, text);
  sent();
  await page.submit(page.root.all.findLast(({ text }) => /^Create /.test(text))?.text ?? '');
  expect(sent()).toEqual([call]);
  expect(panel()).not.toMatch(/^New /);
  expect(page.location.hash).toMatch(new RegExp(`^#/own/${kind}/`));
  expect(steady(page.location.hash.split('/').at(-1) ?? '')).toMatch(new RegExp(`^${id.source}$`));
  expect(panel()).not.toMatch(/no longer exists/);
});

test('a changed row: an emptied member is null, and a membership is written below its user', async () => {
  await page.go(`#/own/memberships/${ACME}%2F${ADA}`);
  await page.press('Edit');
  expect(page.find('roles').value).toBe('admin');
  for (const [text, sentRoles] of [
    ['', 'null'],
    ['member, admin', '["member","admin"]'],
  ] as const) {
    await page.write('roles', text);
    await page.submit('Save');
    const [call = ''] = sent();
    expect(call.replace('state ', '')).toBe(
      `PATCH {"users":[{"id":"usr_N","memberships":[{"organization_id":"org_N","roles":${sentRoles}}]}]}`,
    );
    if (text === '') expect(panel()).toContain('Roles roles is null, but must be a list');
  }
  expect(page.notices()).toBe('Membership saved.');
  expect(panel()).toMatch(/^ada@acme.test Deactivate Edit More User ID usr_N .* Roles member admin /);
});

test('a deleted row comes back with Undo, which asks first if later changes go too', async () => {
  page.asked.length = 0;
  for (const isLast of [true, false]) {
    await page.go(`#/own/connected_accounts/${MAIL}`);
    await page.choose('More: ada@acme.test', 'Delete');
    expect(sent()).toEqual([
      'POST undo-points',
      'PATCH state {"connected_accounts":[{"id":"ca_N","remove":true}]}',
    ]);
    expect([page.notices(), page.location.hash]).toEqual([
      'Account ada@acme.test deleted. Undo',
      '#/own/connected_accounts',
    ]);
    if (!isLast) await own.control('PATCH', '/state', { users: [{ email: 'late@acme.test' }] });
    await page.press('Undo');
    expect(page.notices()).toBe('Undone.');
    expect(page.asked.splice(0)).toEqual(isLast ? [] : ['This also undoes one later change. Continue?']);
    expect(sent()).toEqual([expect.stringMatching(/^POST undo-points\/\d+$/)]);
  }
});

test('a row that others refer to stays, and the notice says which, without the path of the row', async () => {
  await page.go('#/own/connections/conn_100000000000000001');
  await page.choose('More: mail', 'Delete');
  expect(page.notices()).toBe(
    'The account mail/ada@acme.test refers to this connection; remove or change that row too.',
  );
  expect(page.location.hash).toBe('#/own/connections/conn_100000000000000001');
});

test('a field that breaks two rules shows both', async () => {
  await page.go('#/own/users/new');
  await page.write('user_profile', '{"name":1,"locale":2}');
  await page.submit('Create user');
  const problem = (name: string, value: number): string =>
    `${name} is ${value}, but must be a string. Write it in quotes.`;
  expect(panel()).toContain(` user_profile ${problem('name', 1)} ${problem('locale', 2)} The profile,`);
});
