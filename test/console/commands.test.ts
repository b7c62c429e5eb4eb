/** Ctrl+K: what it finds for a text, in which order, and what choosing it does. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({ name: 'own', clock: '2026-03-01T12:00:00Z' });
for (let made = 0; made < 6; made += 1) await own.api('GET', '/api/v1/connections');
const page = await openPage(`${server.mock.url}/_mock/#/own/users`);
const options = () => page.root.all.filter(({ attributes }) => attributes.role === 'option');

const search = async (text: string): Promise<readonly string[]> => {
  page.document.fire('keydown', { key: 'k', ctrlKey: true });
  await page.settle();
  await page.write('Search everything', text);
  return options().map((option) => option.text.replaceAll(/\d{18}/g, 'N'));
};

const CALL = 'GET /api/v1/connections Call 200 listConnections';
test.each([
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

test('Enter opens the chosen entry, and the arrows choose, from the last to the first again', async () => {
  const press = (key: string) => page.fire('Search everything', 'keydown', { key });
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
