/** The main tasks in Firefox. All other tests use Chromium only. */
import { expect, test } from '@jest/globals';
import { setStage } from './support/browser.ts';
import { openConsole } from './support/environment.ts';

const stage = await setStage({}, 'firefox');

test('Firefox: calls appear, an account is expired from its menu, the clock moves, and an operation is sent', async () => {
  const { own, page } = await openConsole(stage, 'calls', { clock: '2026-03-01T12:00:00Z' });
  await page.getByText('No calls yet').waitFor();
  await own.api('GET', '/api/v1/nowhere');
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /nowhere/ })
    .click();
  await page.getByRole('region', { name: 'Why' }).waitFor();
  await page.getByRole('button', { name: /^Clock/ }).click();
  await page.getByRole('button', { name: '+1 day' }).click();
  await page.getByText(/The clock shows 2026-03-02/).waitFor();
  await page.goto(own.console('data/connected_accounts'));
  await page.getByRole('button', { name: 'ACTIVE: change ada@acme.test · mail' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Expire/ })
    .click();
  await page.getByText(/^Expire ada@acme.test · mail: done/).waitFor();
  expect(await own.statusOf('ca_100000000000000001')).toBe('EXPIRED');
  await page.goto(own.console('reference/listConnections'));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('region', { name: 'Reply', exact: true }).getByText('200', { exact: true }).waitFor();
});
