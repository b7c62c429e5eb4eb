/** Scenario files, timelines, and searches in the journal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { browserTest, setStage } from './support/browser.ts';
import { makeEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

browserTest('an environment can be exported, and a changed file imported', async () => {
  const { own, page } = await openConsole(stage, 'snapshots');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await (await saved).path();
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^ +- {"provider":"GOOGLE".*"id":"conn_100000000000000001","key_id":"mail"}$/m);

  writeFileSync(file, text.replaceAll('user-3@globex.test', 'renamed@globex.test'));
  await page.getByLabel('Import').setInputFiles(file);
  await page.getByText(/was imported from/).waitFor();
  const count = async (name: string) =>
    (await own.control('GET', `/resources/connected_accounts?query=${name}`)).body.total_size;
  expect([await count('renamed'), await count('user-3')]).toEqual([1, 0]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  expect([await count('renamed'), await count('user-3')]).toEqual([0, 1]);
});

browserTest(
  'importing a file without this environment uses its first environment, and the reply says so',
  async () => {
    const { own, page } = await openConsole(stage, 'snapshots');
    const load = async (user: string, extending: string): Promise<void> => {
      const text = `${extending}environments: { staging: { users: [{ email: ${user}@acme.test }] }, trial: {} }`;
      const file = { name: `${user}.yaml`, mimeType: 'text/yaml', buffer: Buffer.from(text) };
      await page.getByLabel('Import', { exact: true }).setInputFiles(file);
      const done = `${own.name} was imported from ${user}.yaml, environment staging.`;
      await page.getByText(done, { exact: true }).waitFor();
    };
    const users = async () =>
      (await own.control('GET', '/resources/users')).body.rows.map((row: { email: string }) => row.email);
    await load('first', 'extends: empty\n');
    expect(await users()).toEqual(['first@acme.test']);
    await page.getByText('scenario object', { exact: true }).waitFor();
    await load('second', '');
    expect(await users()).toEqual(['second@acme.test']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Undone.', { exact: true }).waitFor();
    expect(await users()).toEqual(['first@acme.test']);
  },
);

browserTest('a file without a scenario is refused with a message, and changes nothing', async () => {
  stage.forgive(/400/);
  const { own, page } = await openConsole(stage, 'snapshots');
  const bad = { name: 'bad.yaml', mimeType: 'text/yaml', buffer: Buffer.from('users: [{ email: 7 }]') };
  await page.getByLabel('Import').setInputFiles(bad);
  await page.getByText(/users\[0\]\.email: 7 must be an e-mail address/).waitFor();
  expect((await own.control('GET', '/resources/users')).body.total_size).toBe(6);
});

browserTest('a timeline shows the events of an account and of an invitation', async () => {
  const own = await makeEnvironment(stage.server);
  await own.api('GET', '/api/v1/connected_accounts/details?id=ca_100000000000000001');
  await own.api('GET', '/api/v1/connected_accounts/auth?id=ca_100000000000000001'); // sets last_used_at
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
  await page.goto(
    stage.addressOf(own.console('memberships/org_100000000000000001%2Fusr_100000000000000002')),
  );
  await lines.filter({ hasText: 'resendInvite 200' }).waitFor();
  await lines.filter({ hasText: 'e-mail' }).getByRole('link').waitFor();
});

browserTest('a timeline shows at once that a user opened a page and decided', async () => {
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

browserTest(
  'calls can be filtered by the address of the page, and found by identifiers in their bodies',
  async () => {
    const own = await makeEnvironment(stage.server);
    await own.api('GET', '/api/v1/connections');
    await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'ada@acme.test' });
    await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'new@acme.test' });
    const page = await stage.open(own.console('journal'));
    const rows = page.getByRole('row').filter({ hasText: '/api/' });
    await page.getByLabel('Filter by status').selectOption('409');
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(page.url()).toContain('status=409');
    await page.getByLabel('Filter by status').selectOption('');
    await page.getByLabel('Search calls').fill('new@acme.test');
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.filter({ hasText: '201' }).waitFor();
  },
);
