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
  await page.getByTitle('Reset returns to this scenario').getByText('first.yaml').waitFor();
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

/** Markup in every value that a person writes freely. No form of it may run or become an element. */
const HOSTILE = `"><img src=x onerror=window.ran=1><script>window.ran=1</script>`;

const HOSTILE_ROWS = {
  organizations: [{ id: 'org_100000000000000001', name: 'hostile', display_name: HOSTILE }],
  roles: [{ name: 'hostile', display_name: HOSTILE, permissions: [HOSTILE] }],
  users: [
    {
      id: 'usr_100000000000000002',
      email: 'grace@acme.test',
      external_id: HOSTILE,
      user_profile: { given_name: HOSTILE, picture: 'javascript:window.ran=1' },
      metadata: { note: HOSTILE },
    },
  ],
  custom_providers: [
    {
      display_name: 'Hostile',
      description: HOSTILE,
      proxy_url: 'https://a.test',
      auth_patterns: [{ type: 'BASIC' }],
    },
  ],
  connected_accounts: [{ connector: 'calendar', identifier: HOSTILE }],
  stubs: [{ method: 'GET', path: '/hostile', status: 200, body: { text: HOSTILE } }],
};

test('markup in the values of a scenario is shown as text, in the console and on hosted pages, and never runs', async () => {
  const own = await makeEnvironment(stage.server);
  const { status, body } = await own.control('PATCH', '/state', HOSTILE_ROWS);
  expect([status, body]).toMatchObject([200, {}]);
  const member = 'org_100000000000000001/usr_100000000000000002';
  await own.control('POST', `/invitations/${member}`);
  const { rows } = (await own.control('GET', '/resources/connected_accounts?query=onerror')).body;
  const { link } = (await own.control('POST', '/links', { id: rows[0].id })).body;
  const [email] = (await own.control('GET', '/outbox')).body.emails;
  const page = await stage.open(link);
  const expectHarmless = async (address: string): Promise<void> => {
    await page.goto(address);
    await page.getByText('onerror').first().waitFor({ state: 'attached' });
    expect([address, await page.locator('img, main script, a[href^="javascript:"]').count()]).toEqual([
      address,
      0,
    ]);
    expect([address, await page.evaluate('window.ran')]).toEqual([address, undefined]);
  };
  for (const address of [link, email.link]) await expectHarmless(address);
  const views = ['start', 'outbox', 'users', 'organizations', 'roles', 'memberships', 'custom_providers'];
  for (const view of [...views, 'authorization_links', 'connected_accounts', 'stubs'])
    await expectHarmless(own.console(view));
  await page.goto(own.console('users/usr_100000000000000002'));
  await page.getByText('onerror').first().waitFor({ state: 'attached' });
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
});
