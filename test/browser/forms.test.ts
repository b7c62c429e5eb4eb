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
