/** The first view of the console: the ruler on which the clock moves, and what connects an application. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const rows = {
  connections: [
    { key_id: 'mail', type: 'OAUTH' },
    { key_id: 'crm', type: 'TRUSTED_IDP' },
  ],
  connected_accounts: [
    { connector: 'mail', identifier: 'active', status: 'ACTIVE', token_expires_at: '+2d' },
    { connector: 'mail', identifier: 'refreshed', status: 'ACTIVE', token_expires_at: '-1d' },
    { connector: 'mail', identifier: 'cut', status: 'DISCONNECTED', token_expires_at: '+3d' },
    { connector: 'mail', identifier: 'pending', status: 'PENDING_AUTH' },
    { connector: 'mail', identifier: 'far', status: 'ACTIVE', token_expires_at: '+31d' },
    { connector: 'mail', identifier: 'edge', status: 'ACTIVE', token_expires_at: '+30d' },
    { connector: 'crm', identifier: 'none' },
  ],
};
const own = await server.isolated({
  name: 'own',
  clock: '2026-03-01T12:00:00Z',
  scenario: { environments: { own: rows } },
});
const page = await openPage(`${server.mock.url}/_mock/#/own`);
const sent = () => page.sent().map((call) => call.replace('environments/own/', ''));
const ends = (): readonly string[] => (page.find('What ends')?.childNodes ?? []).map(({ text }) => text);
const line = () => page.find('Clock: arrow keys go from mark to mark');

test('an application is connected with the credentials of the environment', async () => {
  const { client_id, client_secret, access_token } = (await own.control('GET', '')).body;
  await page.press('Copy as .env');
  await page.press('Copy a call');
  await page.press('Copy Token');
  expect(page.copied).toEqual([
    [
      `CA_MOCK_URL=${server.mock.url}`,
      `CA_MOCK_CLIENT_ID=${client_id}`,
      `CA_MOCK_CLIENT_SECRET=${client_secret}`,
      `CA_MOCK_ACCESS_TOKEN=${access_token}`,
    ].join('\n'),
    `curl -X GET '${server.mock.url}/api/v1/connected_accounts' \\\n  -H 'Authorization: Bearer ${access_token}'`,
    access_token,
  ]);
});

test('the page of an account that waits is offered first; the user can choose another that has a page', async () => {
  const names = page.find('Account').childNodes.map(({ text }) => text.split(' ')[2]);
  expect(names).toEqual(['active', 'refreshed', 'cut', 'pending', 'far', 'edge']);
  const link = async () => (await own.control('GET', '/resources/authorization_links')).body.rows.at(-1);
  await page.press('Open its page');
  expect(await link()).toMatchObject({ identifier: 'cut', link: page.opened.at(-1) });
  await own.control('POST', `/links/${(await link()).token}/deny`);
  const { rows: found } = (await own.control('GET', '/resources/connected_accounts?query=pending')).body;
  await page.write('Account', found[0].id, 'change');
  await page.press('Open its page');
  expect(page.sent().at(-1)).toBe(`POST environments/own/links {"id":"${found[0].id}"}`);
  await own.control(
    'POST',
    `/links/${(await own.control('GET', '/resources/authorization_links?query=pending')).body.rows[0].token}/deny`,
  );
});

const LINE = 'Clock: arrow keys go from mark to mark';
const EARLY = ['ACTIVE token of active · mail ends in 2 days', 'ACTIVE token of edge · mail ends in 30 days'];
const AT_ACTIVE = ['EXPIRED token of active · mail ended now', 'ACTIVE token of edge · mail ends in 28 days'];
const AT_EDGE = [
  'EXPIRED token of active · mail ended 28 days ago',
  'EXPIRED token of edge · mail ended now',
];

test('what ends in the next 30 days is listed, without what has ended or is refreshed', async () => {
  await page.settle();
  expect(ends()).toEqual(EARLY);
});

test.each([
  ['ArrowRight', '03-03', AT_ACTIVE],
  ['ArrowUp', '03-31', AT_EDGE],
  ['ArrowLeft', '03-03', AT_ACTIVE],
  ['ArrowDown', '03-01', EARLY],
])('%s moves the clock to 2026-%s, to the next mark or back', async (key, day, listed) => {
  await page.fire(LINE, 'keydown', { key });
  expect(sent()).toEqual([`PUT clock {"mode":"frozen","now":"2026-${day}T12:00:00.000Z"}`]);
  expect([ends(), line().attributes['aria-valuetext']]).toEqual([listed, `2026-${day} 12:00:00`]);
});

test('a step moves the clock on, and back to where the user began', async () => {
  expect(page.textOf('main')).not.toContain('Back to now');
  for (const [label, now] of [
    ['+1 day', '2026-03-02T12:00:00'],
    ['+15 min', '2026-03-02T12:15:00'],
    ['Back to now', '2026-03-01T12:00:00'],
  ]) {
    await page.press(label ?? '');
    expect(sent()).toEqual([`PUT clock {"mode":"frozen","now":"${now}.000Z"}`]);
  }
  expect([ends(), page.notices()]).toEqual([EARLY, expect.stringMatching(/The clock is back\.$/)]);
});

test.each([
  [7_000, 900, '2026-03-03 12:00:00, 1 thing ends until then'],
  [86_400, 900, '2026-03-04 12:00:00, 1 thing ends until then'],
  [-50_000, 90_000, '2026-03-02 22:06:40'],
])('a place %d s behind a mark, on a line of %d pixels, means %s', async (seconds, offsetWidth, told) => {
  const slide = { currentTarget: { valueAsNumber: 2 * 86_400 + seconds, offsetWidth } };
  await page.fire(LINE, 'input', slide);
  expect([line().attributes['aria-valuetext'], sent()]).toEqual([told, []]);
  await page.fire(LINE, 'change', slide);
  expect(sent()).toEqual([`PUT clock {"mode":"frozen","now":"${told.slice(0, 19).replace(' ', 'T')}.000Z"}`]);
  await page.press('Back to now');
  page.sent();
});

test('a step that the mock refuses leaves the line where the clock is', async () => {
  const now = '8999-12-31 12:00:00';
  await own.control('PUT', '/clock', { mode: 'frozen', now: `${now.replace(' ', 'T')}Z` });
  await page.settle();
  await page.press('+1 day');
  expect([page.notices(), line().attributes['aria-valuetext']]).toEqual([
    expect.stringMatching(/^now is "9000-01-01T12/),
    now,
  ]);
});
