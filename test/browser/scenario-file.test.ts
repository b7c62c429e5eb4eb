/** Scenario files, and the way from a row to its calls. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { setStage } from './support/browser.ts';
import { makeEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

test('an environment can be exported, and a changed file imported', async () => {
  const { own, page } = await openConsole(stage, 'snapshots');
  const counts = () =>
    Promise.all(
      ['renamed', 'user-3'].map(async (name) => (await own.rows('connected_accounts', name)).length),
    );
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await (await saved).path();
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll('user-3@globex.test', 'renamed@globex.test'));
  await page.getByLabel('Import').setInputFiles(file);
  await page.getByText(/was imported from/).waitFor();
  expect(await counts()).toEqual([1, 0]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  expect(await counts()).toEqual([0, 1]);

  const other = Buffer.from('environments: { staging: { users: [{ email: first@acme.test }] } }');
  await page
    .getByLabel('Import', { exact: true })
    .setInputFiles({ name: 'first.yaml', mimeType: 'text/yaml', buffer: other });
  const notice = `${own.name} was imported from first.yaml, environment staging.`;
  await page.getByText(notice, { exact: true }).waitFor();
  expect(await own.rows('users')).toMatchObject([{ email: 'first@acme.test' }]);
});

test('a row leads to the calls that contain its id or its name', async () => {
  const own = await makeEnvironment(stage.server);
  await own.api('GET', '/api/v1/connected_accounts/details?id=ca_100000000000000001');
  await own.api('GET', '/api/v1/connections');
  const member = 'organizations/org_100000000000000001/users/usr_100000000000000002';
  await own.api('PATCH', `/api/v1/invites/${member}/resend`);
  const page = await stage.open(own.console('connected_accounts/ca_100000000000000001'));
  await page.getByRole('link', { name: 'Calls with ca_100000000000000001' }).click();
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'getConnectedAccountDetails' }).waitFor();
  await rows.nth(1).waitFor({ state: 'detached' });
  await page.goto(own.console('memberships/org_100000000000000001%2Fusr_100000000000000002'));
  await page.getByRole('link', { name: `Calls with ${member}` }).click();
  await rows.filter({ hasText: 'resendInvite' }).waitFor();
  await rows.nth(1).waitFor({ state: 'detached' });
});
