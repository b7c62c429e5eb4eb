/** The journal of the console: searching, comparing, repeating and copying calls. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const own = await server.isolated({
  name: 'own',
  clock: '2026-03-01T12:00:00Z',
  settings: { magic_link_ttl: '5m' },
});
const account = { connector: 'mail', identifier: 'new@acme.test' };
await own.api('POST', '/api/v1/connected_accounts', account);
await own.api('POST', '/api/v1/connected_accounts', { ...account, connector: 'crm', user_id: 7 });
await own.api('GET', '/api/v1/connections?include=all&a=1 2', undefined, { 'x-note': "it's" });
const page = await openPage(`${server.mock.url}/_mock/#/own/journal`);

const steady = (text: string): string =>
  text
    .replaceAll(server.mock.url, 'URL')
    .replaceAll(/[\w-]{43,}/g, 'KEY')
    .replaceAll(/\d{18}/g, 'N')
    .replaceAll(/ \d+\.\d \d\d:\d\d:\d\d\.\d{3}/g, '');
const list = (): string =>
  steady(page.textOf('main')).replace(/ Calls, newest first Call Status Operation ms Time/, ':');
const [FIRST, SECOND, THIRD] = [
  'POST /api/v1/connected_accounts 201 createConnectedAccount',
  'POST /api/v1/connected_accounts 400 1 error createConnectedAccount',
  'GET /api/v1/connections?include=all&a=1%202 200 1 ignored listConnections',
];
const BAR = 'Search calls Export HAR Clear';

test.each([
  ['', `Journal 3 ${BAR}: ${THIRD} ${SECOND} ${FIRST}`],
  ['post 400', `Journal 1 of 3 ${BAR}: ${SECOND}`],
  ['VIOLATION', `Journal 1 of 3 ${BAR}: ${SECOND}`],
  ['ignored', `Journal 1 of 3 ${BAR}: ${THIRD}`],
  ['a=1 2', `Journal 1 of 3 ${BAR}: ${THIRD}`],
  ['user_id', `Journal 1 of 3 ${BAR}: ${SECOND.replace('error', 'error in body')}`],
  ['nothing at all', `Journal 0 of 3 ${BAR} No calls match.`],
])('a search for "%s" finds words of a line, what the line stands for, and what bodies hold', async (query, expected) => {
  await page.write('Search calls', query);
  expect(list()).toBe(expected);
  expect(page.location.hash).toBe(`#/own/journal${query && `?${new URLSearchParams({ query })}`}`);
});

test.each([
  [
    '1',
    `curl -X POST 'URL/api/v1/connected_accounts' \\\n  -H 'authorization: Bearer KEY' \\\n  -H 'content-type: application/json' \\\n  --data-raw '{"connector":"mail","identifier":"new@acme.test"}'`,
  ],
  [
    '3',
    `curl -X GET 'URL/api/v1/connections?include=all&a=1%202' \\\n  -H 'authorization: Bearer KEY' \\\n  -H 'x-note: it'\\''s'`,
  ],
])('call %s is copied as a curl command with the access token of the environment', async (sequence, command) => {
  await page.go(`#/own/journal/${sequence}`);
  await page.press('Copy as curl');
  expect(steady(page.copied.at(-1) ?? '')).toBe(command);
  expect(page.notices()).toMatch(
    /Copied\. The journal does not keep tokens, so the command uses the access token of own\.$/,
  );
});

test('a call whose token was refused is copied without a valid one, and one without a token names its environment', async () => {
  const headers = { 'x-mock-environment': 'own', cookie: 'a=1', accept: 'text/x' };
  await server.call('GET', '/api/v1/connections', { token: 'wrong', headers });
  const body = new URLSearchParams({ grant_type: 'x', client_secret: 'secret' });
  await server.call('POST', '/oauth/token', { token: null, headers, body });
  for (const [sequence, command, note] of [
    [
      '4',
      "GET 'URL/api/v1/connections' -H 'authorization: Bearer TOKEN' -H 'accept: text/x'",
      'Replace TOKEN with the token that was sent: the journal does not keep tokens.',
    ],
    [
      '5',
      "POST 'URL/oauth/token' -H 'accept: text/x' -H 'content-type: application/x-www-form-urlencoded' -H 'x-mock-environment: own' --data-raw 'grant_type=x&client_secret=***'",
      'Replace *** with the original values.',
    ],
  ] as const) {
    await page.go(`#/own/journal/${sequence}`);
    await page.press('Copy as curl');
    expect(steady(page.copied.at(-1) ?? '').replaceAll(' \\\n  ', ' ')).toBe(`curl -X ${command}`);
    expect(page.notices().endsWith(`Copied. ${note}`)).toBe(true);
  }
});

test('a call is sent again as it was', async () => {
  await page.go('#/own/journal/2');
  page.sent();
  await page.press('Send again');
  expect(page.sent().map(steady)).toEqual([
    `POST URL/api/v1/connected_accounts {"connector":"crm","identifier":"new@acme.test","user_id":7}`,
  ]);
  expect(page.notices()).toMatch(/Sent again: 400\.$/);
  expect(list()).toContain(`${BAR}: ${SECOND} `);
});

test('marked calls are copied as a test, with what the environment needs, in the order in which they were made', async () => {
  await page.go('#/own/journal');
  for (const name of ['Mark call 3', 'Mark call 1', 'Mark call 2']) {
    page.find(name).checked = true;
    await page.fire(name, 'change');
  }
  page.find('Mark call 2').checked = false;
  await page.fire('Mark call 2', 'change');
  expect(list()).toContain(
    `${BAR} 2 marked Copy as test for Vitest Copy as test for Jest Copy as test for Playwright Unmark: `,
  );
  await page.press('Copy as test for Playwright');
  expect(page.copied.at(-1)).toMatch(
    /^import .*\/playwright';\n[\s\S]*createTest\(\{"scenario":"default","settings":\{"magic_link_ttl":"5m"\},"clock":"2026-03-01T12:00:00.000Z"\}\);\n\ntest\("createConnectedAccount 201, listConnections 200"/,
  );
  await page.press('Unmark');
  expect(list()).not.toContain('marked');
});

test('the list stands still under the mouse, tells how many calls have arrived, and shows them on demand', async () => {
  const count = (await own.control('GET', '/requests')).body.requests.length;
  const still = page.root.all.find(({ attributes }) => attributes.class === 'still');
  still?.fire('pointerenter', { pointerType: 'mouse' });
  for (let made = 0; made < 2; made += 1) await own.api('GET', '/api/v1/connections');
  await page.settle();
  expect(list()).toMatch(new RegExp(`^Journal ${count} of ${count + 2} ${BAR} 2 new: `));
  await page.press('2 new');
  expect(list()).toMatch(
    new RegExp(`^Journal ${count + 2} ${BAR}: GET /api/v1/connections 200 listConnections GET`),
  );
  still?.fire('pointerleave');
  still?.fire('pointerenter', { pointerType: 'touch' });
  await own.api('GET', '/api/v1/connections');
  await page.settle();
  expect(list()).toMatch(new RegExp(`^Journal ${count + 3} ${BAR}: `));
});

test('the list has 60 calls and shows more on demand, newest first; Clear empties it', async () => {
  for (let made = 0; made < 60; made += 1) await own.api('GET', '/api/v1/nowhere');
  await page.settle();
  const rows = () => page.root.all.filter(({ localName }) => localName === 'tr').length - 1;
  const more = /Show more \((\d+) older calls\)$/.exec(list())?.[1];
  expect([rows(), Number(more)]).toEqual([
    60,
    (await own.control('GET', '/requests')).body.requests.length - 60,
  ]);
  await page.press(`Show more (${more} older calls)`);
  expect([rows(), list().endsWith(FIRST)]).toEqual([60 + Number(more), true]);
  for (const name of ['Mark call 10', 'Mark call 2']) {
    page.find(name).checked = true;
    await page.fire(name, 'change');
  }
  await page.press('Copy as test for Jest');
  expect(page.copied.at(-1)).toContain('test("createConnectedAccount 400, GET ');
  page.sent();
  await page.press('Clear');
  expect([page.sent(), page.notices().endsWith('Journal cleared.')]).toEqual([
    ['DELETE environments/own/requests'],
    true,
  ]);
  expect(list()).toBe(
    `Journal 0 ${BAR} No calls yet. The card Connect on Start has a call that you can try.`,
  );
});

test('calls that arrive together stand in the list newest first', async () => {
  await own.control('DELETE', '/requests');
  await page.go('#/own/journal');
  for (let number = 1; number <= 5; number += 1) await own.api('GET', `/api/v1/nowhere?number=${number}`);
  while (!list().includes('number=5')) await page.settle();
  expect(
    list()
      .match(/number=\d/g)
      ?.map((text) => text.at(-1)),
  ).toEqual(['5', '4', '3', '2', '1']);
});

test('a search finds what bodies hold in all calls that the page keeps', async () => {
  await own.control('DELETE', '/requests');
  await Promise.all(
    Array.from({ length: 101 }, () => own.api('POST', '/api/v1/connected_accounts', { needle: 1 })),
  );
  await page.go('#/own/journal');
  await page.write('Search calls', 'needle');
  expect(list()).toMatch(/^Journal 101 /);
});
