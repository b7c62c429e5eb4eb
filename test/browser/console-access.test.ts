import { expect } from '@jest/globals';
import { expectAccessible } from './support/accessibility.ts';
import { browserTest, setStage } from './support/browser.ts';

const stage = setStage();

const VIEWS = [
  'overview',
  'connected_accounts',
  'journal',
  'outbox',
  'coverage',
  'snapshots',
  'faults',
  'settings',
  'environments',
  'credentials',
  'users',
  'memberships',
  'connections',
  'custom_providers',
  'authorization_links',
  'verification_requests',
  'authentication_requests',
  'organizations',
  'roles',
];

const SCREENS = [390, 1024, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport: { width, height: 844 }, colorScheme })),
);

/** Something in every view: a call that broke a rule, an e-mail, a link, a snapshot, a fault. */
const fill = async (): Promise<void> => {
  const { call } = stage.server;
  const control = (path: string, body: object) =>
    call('POST', `/_mock/environments/development${path}`, { token: null, body });
  await call('POST', '/api/v1/connected_accounts', { body: { connector: 'mail' } });
  await call('GET', '/api/v1/connections');
  const member = 'organizations/org_100000000000000001/users/usr_100000000000000002';
  await call('PATCH', `/api/v1/invites/${member}/resend`);
  await control('/links', { id: 'ca_100000000000000002' });
  await control('/snapshots', { name: 'kept' });
  await control('/faults', { operation: '*', delay_ms: 1, probability: 0 });
};

for (const { viewport, colorScheme } of SCREENS) {
  browserTest(`every view is accessible and fits ${viewport.width} pixels, ${colorScheme}`, async () => {
    await fill();
    const page = await stage.open('/_mock/', { viewport, colorScheme });
    for (const view of VIEWS) {
      await page.evaluate(`location.hash = '#/development/${view}'`);
      await page.locator(`nav a[aria-current=page][href$="/${view}"]`).waitFor();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page
        .locator('main :is(table, .fields, .counts, .empty, .cards > .card, .facts, .shares)')
        .filter({ visible: true })
        .first()
        .waitFor();
      await expectAccessible(page);
      expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        view,
        viewport.width,
      ]);
    }
  });

  browserTest(
    `what opens is accessible too at ${viewport.width} pixels, ${colorScheme}: menu, panels, clock`,
    async () => {
      await fill();
      const page = await stage.open('/_mock/', { viewport, colorScheme });
      await page.getByRole('button', { name: /move/ }).first().click();
      await page.getByRole('menuitem').first().waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /Clock/ }).click();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.locator('tbody th button').first().click();
      await page.getByRole('complementary').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Journal' }).click();
      await page
        .getByRole('row', { name: /POST .*connected_accounts/ })
        .first()
        .getByRole('button')
        .click();
      await page.getByRole('heading', { name: 'Why 400' }).waitFor();
      await expectAccessible(page);
    },
  );
}
