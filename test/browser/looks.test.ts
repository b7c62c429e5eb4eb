/** Every view and every page of the guide is accessible and fits its screen: on a phone, small and wide, light and dark. */
import { readdirSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { expectFit, expectGoodLooks, LOOKS } from './support/accessibility.ts';
import { setStage } from './support/browser.ts';
import { makeEnvironment } from './support/environment.ts';

const stage = await setStage();
const LONG = 'x'.repeat(90);

const VIEWS = [
  ...[
    'calls',
    'calls/1',
    'calls/2',
    'reference/addFault?of=control',
    'data',
    'data/users/new',
    'data/users/usr_100000000000000001',
  ],
  ...['data/connected_accounts', 'data/connected_accounts/ca_100000000000000001', 'data/connections'],
  ...['data/organizations', 'data/roles', 'data/custom_providers', 'data/authorization_links', 'data/emails'],
  ...['data/emails/1', 'data/authentication_requests', 'data/stubs', 'data/users?query=nothing'],
  ...['reference', 'reference/createConnectedAccount', 'reference?of=control', 'setup', 'nowhere'],
];

/** Puts something into every view: calls of all kinds, an e-mail, a link, a snapshot, a fault, and long values. */
beforeAll(async () => {
  const { api, control } = await makeEnvironment(stage.server, { name: 'full' });
  await api('POST', '/api/v1/connected_accounts', { connector: 'mail', colour: LONG });
  await control('POST', '/faults', { operation: 'listConnections', status: 503, times: 1 });
  await api('GET', `/api/v1/connections?${LONG}=${LONG}`);
  await control('POST', '/rows/memberships/org_100000000000000001%2Fusr_100000000000000002/resend');
  await control('POST', '/rows/authorization_links', { fields: { account: 'mail/ada@acme.test' } });
  await control('PATCH', '/state', {
    stubs: [{ method: 'GET', path: `/api/v1/${LONG}`, body: { reports: [LONG] } }],
    users: [{ email: `${'l'.repeat(60)}@acme.test`, external_id: LONG }],
    organizations: [{ name: LONG, display_name: LONG }],
    connected_accounts: [{ connector: 'mail', identifier: LONG, status: 'ACTIVE' }],
  });
  await control('POST', '/snapshots', { name: 'kept' });
  await control('POST', '/faults', { operation: '*', delay_ms: 1, after: 1_000_000 });
});

test.each(
  VIEWS,
)('the view %s is accessible and fits screens of 390 and 1440 pixels, light and dark', async (view) => {
  const page = await stage.open(`/_mock/#/full/${view}`);
  await page.locator('main h1, .panel h2').filter({ visible: true }).first().waitFor();
  await page
    .locator('main :is(table, .call, .plain, .empty, p, .facts, .editor, textarea)')
    .filter({ visible: true })
    .first()
    .waitFor();
  await expectGoodLooks(page, view, [...LOOKS, [1024, 'dark']]);
});

test('at a zoom of 200 % every view fits, and nothing moves for those who want no motion', async () => {
  const page = await stage.open('/_mock/#/full/calls', {
    ...{ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, reducedMotion: 'reduce' },
  });
  for (const view of VIEWS) {
    await page.goto(`/_mock/#/full/${view}`);
    await page.locator('main h1, .panel h2').filter({ visible: true }).first().waitFor();
    expect([view, await page.evaluate('document.getAnimations().length')]).toEqual([view, 0]);
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await expectFit(page, view, 640);
  }
});

test('menus, the clock, marks and Ctrl+K are accessible and fit every screen', async () => {
  const page = await stage.open('/_mock/#/full/data/connected_accounts');
  await page
    .getByRole('button', { name: /: change / })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button').first().waitFor();
  await expectGoodLooks(page, 'menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Clock/ }).click();
  await page.getByRole('region', { name: 'Clock' }).waitFor();
  await expectGoodLooks(page, 'clock');
  await page.goto('/_mock/#/full/calls');
  for (const call of ['Mark call 1', 'Mark call 2']) await page.getByLabel(call).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('complementary').waitFor();
  await expectGoodLooks(page, 'comparison');
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search or act' }).fill('ada');
  await page.getByRole('button', { name: /Users/ }).first().waitFor();
  await expectGoodLooks(page, 'Ctrl+K');
});

const PAGES = [...readdirSync('src/guide').filter((file) => file.endsWith('.md')), 'rules.md'].map((file) =>
  file.replace('.md', '').replace('index', ''),
);

test.each(
  PAGES,
)('guide/%s is accessible and fits screens of 390 and 1440 pixels, dark and light', async (name) => {
  const page = await stage.open(`/_mock/guide/${name}`);
  await expectGoodLooks(page, name);
});

test('the guide can be searched by keyboard: Enter opens the first result, Escape closes the search', async () => {
  const page = await stage.open('/_mock/guide/');
  const results = page.locator('#found');
  await page.keyboard.press('/');
  await page.keyboard.type('clock advance');
  await results.getByRole('link').first().waitFor();
  expect(await results.getByRole('link').count()).toBeGreaterThan(2);
  await page.keyboard.press('Escape');
  await results.waitFor({ state: 'hidden' });
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill('xylophones zigzag');
  await results.getByText('Nothing found.').waitFor();
  await page.getByRole('searchbox').fill('clock advance');
  await results.getByRole('link').first().waitFor();
  const address = await results.getByRole('link').first().getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/guide/${address}`);
});
