/** Ctrl+K: what it finds for a text, in which order, and what choosing it does. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ name: 'own', clock: '2026-03-01T12:00:00Z' });
for (let made = 0; made < 6; made += 1) await own.api('GET', '/api/v1/connections');
const page = await openPage(`${server.mock.url}/_mock/#/own/users`);
const sent = () => page.sent().map((call) => call.replace('environments/own/', ''));
const options = () => page.root.all.filter(({ attributes }) => attributes.role === 'option');

const search = async (text: string): Promise<readonly string[]> => {
  page.document.fire('keydown', { key: 'k', ctrlKey: true });
  await page.settle();
  await page.write('Search everything', text);
  return options().map((option) => option.text.replaceAll(/\d{18}/g, 'N'));
};

const CALL = 'GET /api/v1/connections Call 200 listConnections';
const CREATED = [
  'createConnectedAccount',
  'createMagicLink',
  'createCustomProvider',
  'createMembership',
  'createMembershipByExternalId',
];

test.each([
  ['FAIL next create 429', CREATED.map((name) => `Fail the next ${name} with 429 Action`)],
  [
    'fail listconn',
    ['listConnectedAccounts', 'listConnections'].map((name) => `Fail the next ${name} with 500 Action`),
  ],
  ['+15 days', ['Move the clock forward by 15d Action']],
  ['+2H', ['Move the clock forward by 2h Action']],
  ['+ 5 min', ['Move the clock forward by 5m Action']],
  ['2030-12-24 18:30', ['Set the clock to 2030-12-24 18:30 Action']],
  ['2030-12-24T18:30:05Z', ['Set the clock to 2030-12-24 18:30:05 Action']],
  ['2030-12-24', ['Set the clock to 2030-12-24 00:00 Action']],
  ['2030-13-24', []],
  [
    'Expire ada mail',
    [
      'Expire ada@acme.test Action mail · OAUTH · ca_N',
      'Expire grace@acme.test Action Acme Corporation · org_N/usr_N',
    ],
  ],
  ['accept grace', ['Accept grace@acme.test Action Acme Corporation · org_N/usr_N']],
  ['SNAP', ['Snapshots, scenarios View']],
  ['prod def', ['production Environment default']],
  ['get connections', Array(5).fill(CALL)],
  [
    'list conn',
    [
      ...Array(5).fill(CALL),
      'listConnectedAccounts Operation List connected accounts',
      'listConnections Operation List connections',
    ],
  ],
  [
    'globex',
    [
      ...['user-1@globex.test', 'user-2@globex.test', 'user-3@globex.test'].map(
        (name) => `${name} Accounts mail · OAUTH`,
      ),
      'margaret@globex.test Users',
      'margaret@globex.test Memberships Globex',
      'margaret@globex.test Memberships Acme Corporation',
      'globex-saml Connections SAML',
      ...Array(4).fill('margaret@globex.test Sign-in log'),
      'Globex Organizations globex',
    ],
  ],
])('"%s" finds %j', async (text, expected) => {
  const found = await search(text);
  expect(found.filter((each) => !/ Guide\b/.test(each))).toEqual(expected);
  expect(page.textOf('dialog')).toMatch(found.length > 0 ? ` ${found.length} found.` : 'Nothing matches.');
});

test('a section of the guide is found, and four at most', async () => {
  const found = await search('retry-after');
  expect(found.length).toBeLessThanOrEqual(4);
  expect(found.every((each) => / Guide /.test(each))).toBe(true);
});

test('Enter does the chosen action, and the arrows choose, from the last to the first again', async () => {
  const press = (key: string) => page.fire('Search everything', 'keydown', { key });
  for (const [text, call, done] of [
    [
      'fail listconnections',
      'POST faults {"operation":"listConnections","times":1,"status":500}',
      'Fault added for the next listConnections call: 500.',
    ],
    [
      '2030-12-24 18:30',
      'PUT clock {"mode":"frozen","now":"2030-12-24T18:30:00.000Z"}',
      'The clock shows 2030-12-24 18:30:00.',
    ],
    ['+2h', 'POST clock/advance {"by":"2h"}', 'Clock advanced by 2h.'],
    [
      'disable crm',
      'PATCH state {"connections":[{"id":"conn_100000000000000004","enabled":false}]}',
      'Disable: done for crm.',
    ],
  ] as const) {
    await search(text);
    await press('Enter');
    expect([sent(), page.textOf('dialog')]).toEqual([[call], '']);
    expect(page.notices().endsWith(done)).toBe(true);
  }
  await search('margaret@globex.test');
  const chosen = () => options().findIndex(({ attributes }) => attributes['aria-selected'] === 'true');
  const places = [chosen()];
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'a']) {
    await press(key);
    places.push(chosen());
  }
  expect(places).toEqual([0, 6, 5, 6, 0, 1, 1]);
  await press('Enter');
  expect(page.location.hash).toBe('#/own/memberships/org_100000000000000002%2Fusr_100000000000000004');
});

test('actions on rows of the same name are chosen one by one', async () => {
  const connected_accounts = ['mail', 'crm'].map((connector, place) => {
    return { id: `ca_twin${place}`, connector, identifier: 'twin@acme.test', status: 'ACTIVE' };
  });
  await own.control('PATCH', '/state?create=true', { connected_accounts });
  expect(await search('expire twin')).toHaveLength(2);
  await page.fire('Search everything', 'keydown', { key: 'ArrowDown' });
  await page.fire('Search everything', 'keydown', { key: 'Enter' });
  expect(sent()).toEqual(['POST connected_accounts/ca_twin1/expire']);
});

test.each([
  ['production', 'production Environment default', '#/production/users'],
  ['createmagic', 'createMagicLink Operation Create an authorization link', 'docs#/own/createMagicLink'],
  ['settings', 'Settings View', './#/own/settings'],
  ['get connections', CALL, './#/own/journal/2'],
])('what "%s" finds leads there', async (text, name, address) => {
  await page.go('#/own/users');
  await search(text);
  await page.press(name);
  expect(page.opened.at(-1)).toBe(address);
});

test('keys open the search, unless the user is typing, and Escape closes it', async () => {
  await page.go('#/own/users');
  for (const [event, isOpen] of [
    [{ key: 'K', metaKey: true }, true],
    [{ key: '?' }, true],
    [{ key: 'k', ctrlKey: true, altKey: true }, false],
    [{ key: 'k' }, false],
    [{ key: '?', ctrlKey: true }, false],
  ] as const) {
    page.document.fire('keydown', event);
    await page.settle();
    expect([event, page.textOf('dialog') !== '']).toEqual([event, isOpen]);
    if (isOpen) await page.fire('Search everything', 'keydown', { key: 'Escape' });
    expect(page.textOf('dialog')).toBe('');
  }
});
