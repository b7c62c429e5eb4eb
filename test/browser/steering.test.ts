/** Environments, counts of rows, comparing calls, and calls that fail on demand. */
import { expect, test } from '@jest/globals';
import { setStage } from './support/browser.ts';
import { makeEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

test('a ready-made or custom fault makes the next call of an operation fail, can be added again, and deleted', async () => {
  const own = await makeEnvironment(stage.server);
  const connections = async (): Promise<number> => (await own.api('GET', '/api/v1/connections')).status;
  const page = await stage.open(own.console('faults'));
  const ready = page.getByRole('region', { name: 'Fail the next call' });
  await ready.getByRole('button').first().waitFor();
  expect(await ready.getByRole('button').allInnerTexts()).toEqual([
    ...['500', '503', '429', '401', 'Cut connection', 'Broken JSON', 'Slow, 2 s', 'Wait 10 s'],
  ]);
  await ready.getByRole('combobox').selectOption('listConnections');
  await ready.getByRole('button', { name: '503' }).click();
  await page.getByRole('link', { name: '1 fault' }).waitFor(); // the badge in the bar
  const fault = page.getByRole('listitem').filter({ hasText: 'listConnections' });
  expect((await own.api('GET', '/api/v1/connected_accounts')).status).toBe(200);
  expect([await connections(), await connections()]).toEqual([503, 200]);
  await fault.getByText('used up', { exact: true }).waitFor();
  await page.getByRole('link', { name: '1 fault' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Faults 0' }).waitFor();
  await fault.getByRole('button', { name: /^Add again/ }).click();
  await page.getByRole('heading', { name: 'Faults 1' }).waitFor();
  expect([await connections(), await connections()]).toEqual([503, 200]);
  await page.getByRole('button', { name: 'Delete all' }).click();
  await page.getByText('No faults.').waitFor();

  await page.getByText('Custom fault').click();
  await page.locator('[name=operation]').fill('listConnections');
  await page.locator('[name=status]').fill('501');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await page.getByText('Took effect on 0 of 0 calls.').waitFor();
  expect(await connections()).toBe(501);
  await page.getByText('Took effect on 1 of 1 calls.').waitFor();
  await page.getByRole('button', { name: /^Delete fault/ }).click();
  await page.getByText('No faults.').waitFor();
  expect(await connections()).toBe(200);
});

test('the navigation shows how many rows each kind has', async () => {
  const { own, page } = await openConsole(stage, 'start');
  const accounts = page.getByRole('link', { name: 'Accounts', exact: true });
  await accounts.getByText('12').waitFor();
  await own.control('PATCH', '/state', {
    connected_accounts: [{ connector: 'mail', identifier: 'x@y.test' }],
  });
  await accounts.getByText('13').waitFor();
});
