/** Performs the tasks of the README without a mouse. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectGoodLooks } from './support/accessibility.ts';
import { setStage } from './support/browser.ts';
import { openConsole } from './support/environment.ts';

const stage = setStage();

/** The name of the focused element, as a screen reader says it. */
const FOCUSED = `(() => {
  const { activeElement: one } = document;
  return one === document.body ? '' : one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText;
})()`;

/** Presses Tab until the focused element has this name. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    if (name.test(String(await page.evaluate(FOCUSED)))) return;
  }
  throw new Error(`Tab reaches no element called ${name}.`);
};

test('a user can expire an account, move the clock and undo a reset by keyboard alone', async () => {
  const { own, page } = await openConsole(stage, 'connected_accounts', { clock: '2026-03-01T12:00:00Z' });
  await page
    .getByRole('button', { name: /change status/ })
    .first()
    .waitFor();
  await tabTo(page, /^ACTIVE: change/);
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]:focus').waitFor();
  const isAt = (place: string) => page.evaluate(`document.activeElement.matches('[role=menuitem]:${place}')`);
  for (const [key, place] of [
    ['ArrowUp', 'last-child'],
    ['ArrowDown', 'first-child'],
    ['End', 'last-child'],
    ['Home', 'first-child'],
  ] as const) {
    await page.keyboard.press(key);
    expect([key, await isAt(place)]).toEqual([key, true]);
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText(/^Expire: done for/).waitFor();
  await page.locator('button.status:focus').waitFor();

  await page.keyboard.press('Escape');
  await tabTo(page, /Clock/);
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]:focus').waitFor();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('Clock advanced by 1d.').waitFor();
  expect((await own.control('GET', '/clock')).body.now).toBe('2026-03-02T12:00:00.000Z');

  const mail = page.getByRole('row').filter({ hasText: 'ca_100000000000000001' });
  await tabTo(page, /^Reset$/);
  await page.keyboard.press('Enter');
  await mail.getByText('ACTIVE').waitFor();
  await tabTo(page, /^Undo$/);
  await page.keyboard.press('Enter');
  await mail.getByText('EXPIRED').waitFor();
  expect((await own.control('GET', '/clock')).body.now).toBe('2026-03-02T12:00:00.000Z');
});

test('/ goes to the search of a view, or else to the search over everything, and ? lists the keys', async () => {
  const { page, own } = await openConsole(stage, 'users');
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  await page.keyboard.press('/');
  await page.locator('main .search input:focus').waitFor();
  await page.keyboard.type('a?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.goto(own.console('settings'));
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.keyboard.press('/');
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('List the keys').waitFor();
  await expectGoodLooks(page, 'Keys');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('Ctrl+K opens the search again right after Escape, and works in the references', async () => {
  const { page, own } = await openConsole(stage, 'users');
  const field = page.getByRole('combobox', { name: 'Search everything' });
  const find = async (text: string, first: RegExp): Promise<void> => {
    await field.fill(text);
    await page.getByRole('option', { selected: true, name: first }).waitFor();
  };
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  await page.keyboard.press('Control+k');
  for (let round = 0; round < 20; round += 1) {
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Control+k')]);
    await find(round % 2 === 0 ? 'settings' : 'coverage', /View/);
  }
  for (const reference of ['docs', 'docs?of=control']) {
    await page.goto(`/_mock/${reference}#/${own.name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await find('settings', /Settings View/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save settings' }).waitFor();
    expect(page.url()).toMatch(own.console('settings'));
  }
});
