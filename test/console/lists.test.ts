/** The lists of rows: pages, searches, and the address that keeps them. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const roles = [...Array.from({ length: 59 }, (_, place) => ({ name: `role ${place}` })), { name: 'needle' }];
await server.isolated({ name: 'own', scenario: { environments: { own: { roles } } } });
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
