/** The main tasks in Firefox. All other tests use Chromium only. */
import { expect, test } from '@jest/globals';
import { setStage } from './support/browser.ts';
import { openConsole } from './support/environment.ts';

const stage = setStage({}, 'firefox');

const MAIL = 'ca_100000000000000001';

test('Firefox: an account can be expired from its menu, and approved on the hosted page', async () => {
  const { own, page } = await openConsole(stage, 'connected_accounts');
  const row = page.getByRole('row').filter({ hasText: MAIL });
  await row.getByRole('button', { name: 'ACTIVE: change' }).click();
  await page.locator('[role=menuitem]:focus', { hasText: 'Authorize' }).waitFor();
  await page.getByRole('menuitem', { name: /^Expire/ }).click();
  await row.getByRole('button', { name: 'EXPIRED: change' }).waitFor();
  const { link } = (await own.control('POST', '/links', { id: MAIL })).body;
  await page.goto(link);
  await page.getByTestId('approve').click();
  await page.waitForURL('**/connect/success');
  expect(await own.statusOf(MAIL)).toBe('ACTIVE');
});

test('Firefox: calls appear, and a user can move the clock, create a row and execute an operation', async () => {
  const { own, page } = await openConsole(stage, 'journal', { clock: '2026-03-01T12:00:00Z' });
  await page.getByText('No calls yet.').waitFor();
  await own.api('GET', '/api/v1/nowhere');
  await page
    .getByRole('row', { name: /nowhere/ })
    .getByRole('button')
    .click();
  await page.getByRole('heading', { name: 'Why 404' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Clock/ }).click();
  await page.getByRole('menuitem', { name: '+1 day' }).click();
  await page.getByText('2026-03-02').first().waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('2026-03-01').first().waitFor();
  await page.goto(own.console('organizations/new'));
  await page.locator('.panel [name="name"]').fill('initech');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('row', { name: /initech/ }).waitFor();
  await page.goto(`/_mock/docs#/${own.name}/listConnections`);
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByRole('region', { name: 'Reply' }).getByText('200', { exact: true }).waitFor();
});
