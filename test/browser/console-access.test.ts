import { beforeAll, test } from '@jest/globals';
import { expectGoodLooks, LOOKS } from './support/accessibility.ts';
import { setStage } from './support/browser.ts';
import { makeEnvironment } from './support/environment.ts';

const stage = setStage();

const VIEWS = [
  ...['start', 'journal', 'outbox', 'coverage', 'snapshots', 'faults', 'settings', 'environments'],
  ...['nowhere', 'connected_accounts', 'users', 'memberships', 'connections', 'custom_providers'],
  ...['authorization_links', 'verification_requests', 'authentication_requests', 'organizations', 'roles'],
  'stubs',
];

/** Puts something into every view: a call that broke a rule, an e-mail, a link, a snapshot, a fault. */
beforeAll(async () => {
  const { api, control } = await makeEnvironment(stage.server, { name: 'full' });
  await api('POST', '/api/v1/connected_accounts', { connector: 'mail' });
  await api('GET', '/api/v1/connections');
  await api(
    'PATCH',
    '/api/v1/invites/organizations/org_100000000000000001/users/usr_100000000000000002/resend',
  );
  await control('POST', '/links', { id: 'ca_100000000000000002' });
  await control('PATCH', '/state', {
    stubs: [{ method: 'GET', path: '/api/v1/reports', body: { reports: [] } }],
  });
  await control('POST', '/snapshots', { name: 'kept' });
  await control('POST', '/faults', { operation: '*', delay_ms: 1, after: 1_000_000 });
});

const ALL_LOOKS = [...LOOKS, [1024, 'dark'], [1024, 'light']] as const;

test.each(
  VIEWS,
)('the view %s is accessible and fits screens of 390, 1024 and 1440 pixels, light and dark', async (view) => {
  const page = await stage.open(`/_mock/#/full/${view}`);
  await page
    .locator('main :is(table, .fields, .ruler, .empty, p, .cards > .card, .facts, .shares)')
    .filter({ visible: true })
    .first()
    .waitFor();
  await expectGoodLooks(page, view, ALL_LOOKS);
});

test('menus, the clock and panels are accessible and fit every screen width', async () => {
  const page = await stage.open('/_mock/#/full/connected_accounts');
  await page
    .getByRole('button', { name: /change status/ })
    .first()
    .click();
  await page.getByRole('menuitem').first().waitFor();
  await expectGoodLooks(page, 'menu', ALL_LOOKS);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Clock/ }).click();
  await expectGoodLooks(page, 'clock', ALL_LOOKS);
  await page.keyboard.press('Escape');
  await page.locator('tbody th button').first().click();
  await page.getByRole('complementary').waitFor();
  await expectGoodLooks(page, 'row', ALL_LOOKS);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Journal' }).click();
  const call = page.getByRole('row', { name: /POST .*connected_accounts/ }).first();
  await call.getByRole('button').click();
  await page.getByRole('heading', { name: 'Why 400' }).waitFor();
  await expectGoodLooks(page, 'call', ALL_LOOKS);
});
