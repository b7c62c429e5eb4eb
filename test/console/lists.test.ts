/** The lists of rows: pages, searches, and the address that keeps them. */
import { expect, jest, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const soon = new Date(Date.now() + 600_000).toISOString();
const connected_accounts = [{ connector: 'mail', identifier: 'a', status: 'ACTIVE', token_expires_at: soon }];
const authorization_links = [{ token: 't', account: 'mail/a', expires_at: soon }];
const roles = [...Array.from({ length: 59 }, (_, place) => ({ name: `role ${place}` })), { name: 'needle' }];
await server.isolated({
  name: 'own',
  scenario: {
    environments: {
      own: { roles, connections: [{ key_id: 'mail' }], connected_accounts, authorization_links },
    },
  },
});
const page = await openPage(`${server.mock.url}/_mock/#/own/roles`);
const pager = (): string => page.root.all.find(({ attributes }) => attributes.class === 'pager')?.text ?? '';

test('a list has 50 rows on a page, and a search begins with the first page again', async () => {
  expect(pager()).toBe('1 – 50 of 60 Previous Next');
  await page.press('Next');
  expect([pager(), page.find('Next').attributes.disabled]).toEqual(['51 – 60 of 60 Previous Next', 'true']);
  expect(page.location.hash).toMatch(/^#\/own\/roles\?page=./);
  await page.press('Previous');
  expect(pager()).toBe('1 – 50 of 60 Previous Next');
  await page.press('Next');
  await page.write('Search roles', ' NEEDLE ');
  expect([page.location.hash, page.textOf('h1'), pager()]).toEqual([
    '#/own/roles?query=NEEDLE',
    'Roles 1',
    '',
  ]);
  await page.write('Search roles', 'role');
  await page.press('Next');
  expect([page.location.hash, pager()]).toEqual([
    expect.stringMatching(/^#\/own\/roles\?page=.+&query=role$/),
    '51 – 60 of 60 Previous Next',
  ]);
  await page.write('Search roles', 'nothing');
  expect(page.textOf('main')).toMatch(/ Nothing matches “nothing”\.$/);
});

test('Back closes a row, but does not undo a search', async () => {
  await page.go('#/own/roles');
  page.opened.length = 0;
  await page.write('Search roles', 'needle');
  expect([page.opened, page.location.hash]).toEqual([[], '#/own/roles?query=needle']);
  await page.press('needle');
  expect(page.opened).toEqual([page.location.hash]);
  expect(page.location.hash).toMatch(/^#\/own\/roles\/role_\d{18}\?query=needle$/);
  await page.press('Close Needle');
  expect(page.location.hash).toBe('#/own/roles?query=needle');
});

test('Escape closes an open menu, and only then the row behind it', async () => {
  await page.go('#/own/roles?query=needle');
  await page.press('needle');
  const row = page.location.hash;
  const pressEscape = async (openMenu: unknown): Promise<string> => {
    Object.assign(page.document, { querySelector: () => openMenu });
    page.document.fire('keydown', { key: 'Escape' });
    await page.settle();
    return page.location.hash;
  };
  expect(await pressEscape({})).toBe(row);
  expect(await pressEscape(null)).toBe('#/own/roles?query=needle');
});

test.each([
  'connected_accounts',
  'authorization_links',
])('the list of %s is read again when a row has ended, even if nobody makes a call', async (kind) => {
  await page.go(`#/own/${kind}`);
  const reads = () =>
    page.calls.splice(0).filter((call) => call.startsWith(`GET environments/own/resources/${kind}?`));
  reads();
  await page.settle();
  expect(reads()).toEqual([]);
  jest.advanceTimersByTime(600_000);
  await page.settle();
  expect(reads()).toHaveLength(1);
});

test('the outbox shows the newest hundred of its e-mails, newest first', async () => {
  const { name, control } = await server.isolated({ scenario: 'default' });
  const invite = (user: number): Promise<unknown> =>
    control('POST', `/invitations/org_100000000000000001/usr_10000000000000000${user}`);
  for (let sent = 0; sent < 100; sent += 1) await invite(2);
  await invite(3);
  await page.go(`#/${name}/outbox`);
  const [head, newest, ...others] = page.textOf('main').split(' To ');
  expect([head?.slice(0, 25), others.length]).toEqual(['Outbox 100 of 101 Clear Y', 99]);
  expect(newest).toMatch(/^linus@/);
  expect(others.filter((email) => !email.startsWith('grace@'))).toEqual([]);
});
