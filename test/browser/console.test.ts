import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { setStage } from './support/browser.ts';
import { makeEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

const MAIL = 'ca_100000000000000001';

const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** Chooses an item from the status menu of a row. */
const move = async (page: Page, row: Locator, label: string): Promise<void> => {
  await row.getByRole('button', { name: /: change status/ }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${label}`) }).click();
};

const waitForStatus = (row: Locator, status: string): Promise<void> =>
  row.getByRole('button', { name: `${status}: change` }).waitFor();

test('a user expires an account from its menu, authorizes it on the hosted page, and sees it ACTIVE in the console', async () => {
  const { own, page } = await openConsole(stage, 'connected_accounts');
  const row = rowOf(page, MAIL);
  await move(page, row, 'Expire');
  await waitForStatus(row, 'EXPIRED');
  expect(await own.statusOf(MAIL)).toBe('EXPIRED');
  const opened = page.context().waitForEvent('page');
  await move(page, row, 'Authorize');
  const hosted = await opened;
  await hosted.getByTestId('approve').click();
  await hosted.waitForURL('**/connect/success');
  await waitForStatus(row, 'ACTIVE');
  expect(await own.statusOf(MAIL)).toBe('ACTIVE');
});

test('a status menu can be opened and closed by keyboard any number of times', async () => {
  const { page } = await openConsole(stage, 'connected_accounts');
  const row = rowOf(page, MAIL);
  const button = row.getByRole('button', { name: 'ACTIVE: change' });
  await button.focus();
  // Whenever the menu opens, even right after it closed, its first item has the focus.
  for (let round = 0; round < 20; round += 1) {
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=menuitem]:focus', { hasText: 'Authorize' }).waitFor();
    await page.keyboard.press('Escape');
  }
});

test('rows can be searched and opened, and an open row shows changes that others make', async () => {
  const { own, page } = await openConsole(stage, 'connected_accounts');
  await rowOf(page, MAIL).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('globex');
  await rowOf(page, 'ada@acme.test').first().waitFor({ state: 'detached' });
  await rowOf(page, 'user-2@globex.test').getByRole('button').first().click();
  const panel = page.getByRole('complementary', { name: 'user-2@globex.test' });
  await panel.getByText('ACTIVE', { exact: true }).waitFor();
  await own.control('POST', '/connected_accounts/ca_100000000000000011/disconnect');
  await panel.getByText('DISCONNECTED', { exact: true }).waitFor();
  await own.control('PATCH', '/state', {
    connected_accounts: [{ id: 'ca_100000000000000011', remove: true }],
  });
  const gone = page.getByRole('complementary', { name: 'ca_100000000000000011' });
  await gone.getByText('This row no longer exists.').waitFor();
  await page.keyboard.press('Escape');
  await gone.waitFor({ state: 'detached' });
});

test('a view of 100,000 accounts can be paged and searched', async () => {
  const { page } = await openConsole(stage, 'connected_accounts', { scenario: 'large' });
  const first = page.locator('tbody th button').first();
  const name = await first.innerText();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('51–100 of 100,000').waitFor();
  await page.getByText(name.split('\n')[0] ?? '', { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('Search accounts').fill('person-');
  await page.getByText('1–50 of ', { exact: false }).waitFor();
  await page.getByLabel('Search accounts').fill('person-49999');
  await first.filter({ hasText: 'person-49999' }).waitFor();
});

test('the table shows that a row has expired even if no call is made', async () => {
  const own = await makeEnvironment(stage.server, { settings: { magic_link_ttl: '2s' } });
  await own.control('POST', '/links', { id: 'ca_100000000000000002' });
  const page = await stage.open(own.console('authorization_links'));
  await rowOf(page, 'EXPIRED').waitFor();
});

test('an environment can be found by typing, Enter switches to it, and Back returns', async () => {
  const page = await stage.open('/_mock/#/development/connected_accounts');
  await rowOf(page, MAIL).waitFor();
  const own = await makeEnvironment(stage.server, {
    name: 'needle-in-a-very-long-name',
    scenario: 'empty',
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('NEEDLE');
  await page.getByRole('option', { selected: true, name: `${own.name} Environment` }).waitFor();
  expect(page.url()).toContain('#/development/');
  await page.keyboard.press('Enter');
  await page.getByText('No accounts yet.').waitFor();
  expect(page.url()).toContain(`#/${own.name}/connected_accounts`);
  await page.goBack();
  await rowOf(page, MAIL).waitFor();
  await page.getByRole('button', { name: /^Environment:/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitem', { name: own.name }).click();
  await page.getByText('No accounts yet.').waitFor();
});

test('the page of a deleted environment says so, offers another, and works again if the environment is recreated', async () => {
  const { own, page } = await openConsole(stage, 'users');
  await rowOf(page, 'ada@acme.test').waitFor();
  stage.forgive(/404/); // the page may still be reading the deleted environment
  await own.control('DELETE', '');
  await page.getByRole('heading', { name: `The environment ${own.name} does not exist` }).waitFor();
  await page.getByRole('link', { name: 'Open development', exact: true }).click();
  await rowOf(page, 'ada@acme.test').waitFor();
  expect(page.url()).toContain('#/development/users');
  await page.goBack();
  await page.getByRole('heading', { name: `The environment ${own.name} does not exist` }).waitFor();
  await makeEnvironment(stage.server, { name: own.name });
  await rowOf(page, 'ada@acme.test').waitFor();
});

test('an unknown view says so and links to the views, and the notice of a new environment goes there', async () => {
  const { page } = await openConsole(stage, 'snapshot');
  await page.getByRole('heading', { name: 'There is no view “snapshot”' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Environments' }).click();
  await page.getByText('New environment').last().click();
  const name = `made-${Date.now()}`;
  await page.locator('main [name=name]').fill(name);
  await page.getByRole('button', { name: 'Create environment' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('heading', { name }).waitFor();
});

test('the outbox shows an e-mail as soon as it is sent, with a link that works', async () => {
  const { own, page } = await openConsole(stage, 'outbox');
  await page.getByText('No e-mails yet.').waitFor();
  const member = 'organizations/org_100000000000000001/users/usr_100000000000000002';
  await own.api('PATCH', `/api/v1/invites/${member}/resend`);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Accept the invitation for grace@acme.test' }).click();
  await (await opened).getByTestId('accept').waitFor();
});

test.each([
  ...['connected_accounts', 'memberships', 'authorization_links', 'verification_requests'],
  'authentication_requests',
])('a row of %s has its own URL, which opens the row even if the list does not show it', async (view) => {
  const own = await makeEnvironment(stage.server);
  await own.control('POST', '/links', { id: 'ca_100000000000000002' });
  const page = await stage.open(own.console(view));
  await page.locator('tbody th button').first().click();
  const panel = page.getByRole('complementary');
  await panel.getByText('JSON', { exact: true }).waitFor();
  const address = page.url();
  await page.goBack();
  await panel.waitFor({ state: 'detached' });
  const fresh = await stage.open(`${address}?query=matches-no-row-at-all`);
  await fresh.getByRole('complementary').getByText('JSON', { exact: true }).waitFor();
  expect(await fresh.getByLabel(/^Search /).inputValue()).toBe('matches-no-row-at-all');
});

test('when the focused element is removed, the heading of the view gets the focus', async () => {
  const own = await makeEnvironment(stage.server);
  await own.control('POST', '/snapshots', { name: 'kept' });
  const page = await stage.open(own.console('snapshots'));
  await page.getByRole('button', { name: 'Delete kept' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Snapshots' }).waitFor();
});
