/** Counts the clicks that tasks take from the first view. */
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { setStage } from './support/browser.ts';
import { type OwnEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const CLOCK = '2026-03-01T12:00:00Z';

interface Task {
  readonly page: Page;
  readonly own: OwnEnvironment;
  /** Clicks, and counts the click. */
  click(target: Locator): Promise<void>;
  go(view: string): Promise<void>;
  button(name: string | RegExp): Locator;
}

const ada = (page: Page): Locator => page.getByRole('row').filter({ hasText: 'ca_100000000000000001' });

const openHosted = async ({ page, click, button }: Task): Promise<Page> => {
  const opened = page.context().waitForEvent('page');
  await click(button(/Open its page/));
  return opened;
};

const callConnections = ({ own }: Task) => own.api('GET', '/api/v1/connections');

type Perform = (task: Task) => Promise<unknown>;

const TASKS: Readonly<Record<string, readonly [most: number, perform: Perform, scenario?: string]>> = {
  'connect an account as a user': [
    2,
    async (task) => {
      const hosted = await openHosted(task);
      await task.click(hosted.getByTestId('approve'));
      await hosted.waitForURL('**/connect/success');
      expect(await task.own.statusOf('ca_100000000000000002')).toBe('ACTIVE');
    },
  ],
  'deny a connection': [
    3,
    async (task) => {
      const hosted = await openHosted(task);
      await task.click(hosted.getByTestId('deny'));
      await hosted
        .getByText(/denied/i)
        .first()
        .waitFor();
      expect(await task.own.statusOf('ca_100000000000000002')).toBe('EXPIRED');
    },
  ],
  'fail the next call with 429': [
    2,
    async (task) => {
      await task.click(task.button('429'));
      await task.page.getByText('Fault added for the next call: 429.').waitFor();
      expect((await callConnections(task)).status).toBe(429);
    },
  ],
  'make an operation slow': [
    2,
    async (task) => {
      await task.click(task.page.getByRole('combobox', { name: 'Operation' }));
      await task.page.getByRole('combobox', { name: 'Operation' }).selectOption('listConnections');
      await task.click(task.button('Slow, 2 s'));
      await task.page.getByText('listConnections call: Slow, 2 s.').waitFor();
    },
  ],
  'expire a token': [
    3,
    async ({ page, own, click, go }) => {
      await go('Accounts');
      await click(ada(page).getByRole('button', { name: /: change status/ }));
      await click(page.getByRole('menuitem', { name: /^Expire/ }));
      await ada(page).getByText('EXPIRED').waitFor();
      expect(await own.statusOf('ca_100000000000000001')).toBe('EXPIRED');
    },
  ],
  'accept an invitation': [
    3,
    async ({ page, click, go }) => {
      await go('Memberships');
      const grace = page.getByRole('row').filter({ hasText: 'grace@acme.test' });
      await click(grace.getByRole('button', { name: /: change status/ }));
      await click(page.getByRole('menuitem', { name: /^Accept/ }));
      await grace.getByText('ACTIVE').waitFor();
    },
  ],
  'read an e-mail and follow its link': [
    3,
    async ({ page, click, go, button }) => {
      await go('Outbox');
      await click(button('Resend invitation to grace@acme.test'));
      const opened = page.context().waitForEvent('page');
      await click(page.getByRole('link', { name: 'Accept the invitation for grace@acme.test' }));
      await (await opened).getByTestId('accept').waitFor();
    },
  ],
  'find one of 100,000 accounts': [
    1,
    async ({ page, go }) => {
      await go('Accounts');
      await page.getByRole('heading', { name: 'Accounts 100,000' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('person-49999');
      await page.getByRole('heading', { name: 'Accounts 1', exact: true }).waitFor();
      await page.getByRole('row', { name: /person-49999/ }).waitFor();
    },
    'large',
  ],
  'edit a row': [
    3,
    async ({ page, click, go, button }) => {
      await go('Organizations');
      await click(button(/Acme Corporation/));
      await click(button('Edit'));
      await page.locator('.panel [name=display_name]').fill('Acme');
      await page.keyboard.press('Enter');
      await page.getByText('Organization saved.').waitFor();
    },
  ],
  'export a scenario and import it': [
    3,
    async ({ page, own, click, go, button }) => {
      const barbara = () => own.rows('users', 'barbara@free.test');
      const before = await barbara();
      await go('Snapshots, scenarios');
      const saved = page.waitForEvent('download');
      await click(button('Export'));
      const file = await (await saved).path();
      await own.control('PATCH', '/state', { users: [{ email: 'barbara@free.test', remove: true }] });
      expect(await barbara()).toEqual([]);
      const chosen = page.waitForEvent('filechooser');
      await click(page.getByText('Import', { exact: true }));
      await (await chosen).setFiles(file);
      await page.getByText(/ was imported from /).waitFor();
      expect(await barbara()).toEqual(before);
    },
  ],
  'take a snapshot and restore it': [
    3,
    async ({ page, click, go, button }) => {
      await go('Snapshots, scenarios');
      await click(button('Take snapshot'));
      await click(button(/^Restore /));
      await page.getByText(/was restored/).waitFor();
    },
  ],
  'make an environment and go there': [
    2,
    async ({ page, own, click, button }) => {
      await click(button(/^Environment:/));
      await click(page.getByRole('menuitem', { name: 'New environment' }));
      await page.getByText(/^Environment .* created/).waitFor();
      expect(page.url()).not.toContain(`#/${own.name}/`);
    },
  ],
  'undo a deletion': [
    1,
    async ({ page, own, click, button }) => {
      const barbara = () => own.rows('users', 'barbara@free.test');
      const before = await barbara();
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await button(/barbara/)
        .first()
        .click();
      await button(/^More: /).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByText(/ deleted\./).waitFor();
      expect(await barbara()).toEqual([]);
      await click(button('Undo'));
      await page.getByText('Undone.', { exact: true }).waitFor();
      expect(await barbara()).toEqual(before);
    },
  ],
  'find in the guide how to test a 429': [
    0,
    async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('429');
      await page
        .getByRole('option', { name: /Faults/ })
        .first()
        .waitFor();
    },
  ],
  'copy a call as a test': [
    3,
    async (task) => {
      const { page, click, go, button } = task;
      await callConnections(task);
      await go('Journal');
      await click(page.getByLabel('Mark call 1'));
      await click(button('Copy as test for Vitest'));
      await page.getByText('Copied.').waitFor();
    },
  ],
};

test.each(Object.entries(TASKS))('%s', async (_name, [most, perform, scenario = 'default']) => {
  const { own, page } = await openConsole(stage, 'start', { scenario, clock: CLOCK }, CLIPBOARD);
  stage.forgive(/404/);
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.first().click();
  };
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const go = (view: string) => click(page.getByRole('link', { name: view, exact: true }));
  await page.getByRole('button', { name: /Open its page/ }).waitFor();
  await perform({ page, own, click, go, button });
  expect(clicks).toBeLessThanOrEqual(most);
});
