/** Scenario files and timelines. */
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

test('a timeline shows the events of an account and of an invitation', async () => {
  const own = await makeEnvironment(stage.server);
  await own.api('GET', '/api/v1/connected_accounts/details?id=ca_100000000000000001');
  await own.api('GET', '/api/v1/connected_accounts/auth?id=ca_100000000000000001'); // sets last_used_at, which adds no line
  await own.control('POST', '/clock/advance', { by: '15d' });
  await own.control('POST', '/connected_accounts/ca_100000000000000001/expire');
  await own.api('GET', '/api/v1/connected_accounts/auth?connector=mail&identifier=ada@acme.test');
  const page = await stage.open(own.console('connected_accounts/ca_100000000000000001'));
  const lines = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await lines.nth(2).waitFor();
  expect((await lines.allInnerTexts()).map((line) => line.split('\n').slice(1).join(' '))).toEqual([
    'call getConnectedAccountAuth 200',
    'clock Clock advanced by 15 days',
    'change connected account updated ACTIVE → EXPIRED',
    'call getConnectedAccountAuth 200',
    'call getConnectedAccountDetails 200',
  ]);

  const member = 'organizations/org_100000000000000001/users/usr_100000000000000002';
  await own.api('PATCH', `/api/v1/invites/${member}/resend`);
  await page.goto(own.console('memberships/org_100000000000000001%2Fusr_100000000000000002'));
  await lines.filter({ hasText: 'resendInvite 200' }).waitFor();
  await lines.filter({ hasText: 'e-mail' }).getByRole('link').waitFor();
});

test('a timeline shows at once that a user opened a page and decided', async () => {
  const own = await makeEnvironment(stage.server);
  const { link } = (await own.control('POST', '/links', { id: 'ca_100000000000000002' })).body;
  const page = await stage.open(own.console('connected_accounts/ca_100000000000000002'));
  const lines = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await fetch(link);
  await lines.filter({ hasText: 'open → consent' }).waitFor();
  await fetch(`${link}?decision=approve`, { redirect: 'manual' });
  for (const text of ['updated EXPIRED → ACTIVE', 'approve → '])
    await lines.filter({ hasText: text }).waitFor();
  expect((await lines.allInnerTexts()).map((line) => line.split('\n').slice(1).join(' '))).toEqual([
    'change connected account updated EXPIRED → ACTIVE',
    'change authorization link approved',
    'visit approve → /connect/success',
    'visit open → consent',
    'change authorization link created',
  ]);
});
