/** Forms for rows and settings, made from schemas. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { setStage } from './support/browser.ts';
import { openConsole } from './support/environment.ts';

const stage = setStage();

const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`.panel [name="${name}"]`).fill(value);
  }
};

/** Chooses an item from the menu of the panel. */
const choose = async (page: Page, label: string): Promise<void> => {
  await page.getByRole('button', { name: /^More: / }).click();
  await page.getByRole('menuitem', { name: label }).click();
};

test('an account can be created, changed, deleted and restored, and a wrong value is explained at its field', async () => {
  stage.forgive(/400/);
  const { own, page } = await openConsole(stage, 'connected_accounts');
  await page.getByRole('button', { name: 'New account' }).click();
  await fill(page, { connector: 'mial', identifier: 'new@acme.test' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.locator('.wrong').getByText('there is no connection "mial"').waitFor();
  await fill(page, { connector: 'mail' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Account created.').waitFor();
  await page.getByRole('complementary', { name: 'new@acme.test' }).waitFor(); // the panel of the new row opens
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await fill(page, { user_id: 'ada@acme.test' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Account saved.').waitFor();
  const made = await own.rows('connected_accounts', 'new@acme.test');
  expect(made).toMatchObject([{ user_id: 'usr_100000000000000001' }]);

  await choose(page, 'Delete');
  await page.getByText(/ deleted\./).waitFor();
  expect(await own.rows('connected_accounts', 'new@acme.test')).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.', { exact: true }).waitFor();
  expect(await own.rows('connected_accounts', 'new@acme.test')).toEqual(made);
});

test('a new row replaces no row, and the new row opens', async () => {
  stage.forgive(/409/);
  const { own, page } = await openConsole(stage, 'organizations/new');
  await fill(page, { name: 'acme' });
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page
    .getByText(/exists already/)
    .first()
    .waitFor();
  expect(await own.rows('organizations', 'acme')).toMatchObject([{ display_name: 'Acme Corporation' }]);
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('link', { name: 'org_100000000000000001' }).first().click();
  await page.getByRole('complementary', { name: 'Acme Corporation' }).waitFor();
  await page.getByRole('button', { name: 'New organization' }).click();
  await fill(page, { name: 'acm' });
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByText('Organization created.').waitFor();
  await page.getByRole('complementary', { name: /^acm$/i }).waitFor();
});

test('a membership can be created, and its roles changed', async () => {
  const { own, page } = await openConsole(stage, 'memberships/new');
  await fill(page, { user_id: 'barbara@free.test', organization_id: 'acme', roles: 'admin' });
  await page.getByText('A role, by id or by name.', { exact: true }).waitFor();
  await page.locator('.panel [name=send_invitation_email]').selectOption('false');
  await page.getByRole('button', { name: 'Create membership' }).click();
  await page.getByText('Membership created.').waitFor();
  const [made] = await own.rows('memberships', 'barbara');
  expect(made).toMatchObject({ membership_status: 'ACTIVE', roles: [{ name: 'admin' }] });
  await page.getByRole('complementary', { name: 'barbara@free.test' }).waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  expect(await page.locator('.panel [name=roles]').inputValue()).toBe('admin');
  await fill(page, { roles: 'member, admin' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Membership saved.').waitFor();
  const [changed] = await own.rows('memberships', 'barbara');
  expect(changed).toMatchObject({ roles: [{ name: 'member' }, { name: 'admin' }] });
});

test('a draft is lost only if the user says so', async () => {
  const { page } = await openConsole(stage, 'organizations/org_100000000000000001');
  const questions: string[] = [];
  let isDiscarded = false;
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    return isDiscarded ? dialog.accept() : dialog.dismiss();
  });
  const field = page.locator('.panel [name=display_name]');
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: /^Close Acme/ }).click(),
    () => page.getByRole('link', { name: 'Faults', exact: true }).click(),
    () => page.getByRole('button', { name: 'Edit', exact: true }).click(),
  ];
  await ways[3]?.();
  await field.fill('Draft');
  for (const leave of ways) await leave();
  expect(questions).toEqual(ways.map(() => 'Discard what you have typed?'));
  expect(await field.inputValue()).toBe('Draft');
  isDiscarded = true;
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Faults', exact: true }).click();
  await page.getByRole('heading', { name: 'Faults' }).waitFor();
  expect(questions).toHaveLength(ways.length + 1);
});

test('the form says that its row has changed meanwhile, and saves it when the user says so again', async () => {
  stage.forgive(/409/);
  const { own, page } = await openConsole(stage, 'organizations/org_100000000000000001');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.locator('.panel [name=display_name]').fill('Mine');
  await own.control('PATCH', '/state', { organizations: [{ name: 'acme', display_name: 'Theirs' }] });
  await page.getByRole('complementary', { name: 'Theirs' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('This row has changed since you began').waitFor();
  expect(await own.rows('organizations', 'acme')).toMatchObject([{ display_name: 'Theirs' }]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Organization saved.').waitFor();
  expect(await own.rows('organizations', 'acme')).toMatchObject([{ display_name: 'Mine' }]);
});

test('a refused deletion says why in words, with no offer to try again', async () => {
  stage.forgive(/400/);
  const { page } = await openConsole(stage, 'roles/role_100000000000000001');
  await choose(page, 'Delete');
  const notice = page.locator('.notice.problem');
  await notice.waitFor();
  expect(await notice.innerText()).toBe('The role admin refers to this role; remove or change that row too.');
});

test('a link can be created with a user_verify_url, and a sign-in can be logged', async () => {
  const { own, page } = await openConsole(stage, 'authorization_links/new');
  await fill(page, { id: 'calendar/ada@acme.test', user_verify_url: 'https://app.test/back', state: 's1' });
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Link created.').waitFor();
  const links = await own.rows('authorization_links', 'ca_100000000000000002');
  expect(links).toMatchObject([{ user_verify_url: 'https://app.test/back', state: 's1' }]);

  await page.goto(own.console('authentication_requests/new'));
  await fill(page, { email: 'ada@acme.test' });
  await page.locator('.panel select[name=outcome]').selectOption('failed');
  await page.getByRole('button', { name: 'Create sign-in' }).click();
  await page.getByText('Sign-in created.').waitFor();
  const [newest] = await own.rows('authentication_requests');
  expect(newest).toMatchObject({ email: 'ada@acme.test', status: 'FAILED' });
});

test('settings can be changed in a form, cleared, and set to the example in a hint', async () => {
  stage.forgive(/400/);
  const { own, page } = await openConsole(stage, 'settings');
  const save = page.getByRole('button', { name: 'Save settings' });
  await page.locator('[name=hosted]').selectOption('approve');
  await page.locator('[name=magic_link_ttl]').fill('soon');
  await save.click();
  await page.locator('.wrong').getByText('must be a duration').waitFor();
  await page.locator('[name=magic_link_ttl]').fill('1h');
  await page.locator('[name=invite_ttl]').fill('');
  const hint = await page.locator('small', { hasText: 'How many requests' }).innerText();
  await page.locator('[name=rate_limit]').fill(hint.match(/{.*}/)?.[0] ?? '');
  await save.click();
  await page.getByText('Settings saved.').waitFor();
  const { body } = await own.control('GET', '/settings');
  expect(body).toMatchObject({ hosted: 'approve', magic_link_ttl: '1h', invite_ttl: null, strict: false });
  expect(body.rate_limit).toEqual({ requests: 100, per: '1m' });
});

test.each([
  ['connected_accounts', 'account'],
  ['users', 'user'],
  ['connections', 'connection'],
  ['custom_providers', 'custom provider'],
  ['stubs', 'stub'],
])('the form of %s marks the fields without which the mock refuses a new row', async (kind, one) => {
  const { own, page } = await openConsole(stage, kind);
  await page.getByRole('button', { name: `New ${one}`, exact: true }).click();
  await page.locator('.panel :required').first().waitFor();
  const marked = await page
    .locator('.panel :required')
    .evaluateAll((fields) => fields.map(({ name }) => name));
  const { error } = (await own.control('PATCH', '/state', { [kind]: [{}] })).body;
  for (const name of marked) expect(error.message).toMatch(new RegExp(`needs .*\\b${name}\\b`));
  expect(await page.locator('.panel .required').count()).toBe(marked.length);
});
