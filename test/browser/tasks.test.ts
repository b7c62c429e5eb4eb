/** Counts the clicks that tasks take; words that are typed are not counted. */
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { setStage } from './support/browser.ts';
import { type OwnEnvironment, openConsole } from './support/environment.ts';

const stage = await setStage();

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const CLOCK = '2026-03-01T12:00:00Z';

interface Task {
  readonly page: Page;
  readonly own: OwnEnvironment;
  /** Clicks, and counts the click. */
  click(target: Locator): Promise<void>;
  button(name: string | RegExp): Locator;
  /** Opens Ctrl+K, types, and presses Enter on the first entry with this name. */
  say(text: string, entry: RegExp): Promise<void>;
  notice(text: string | RegExp): Promise<void>;
}

type Perform = (task: Task) => Promise<unknown>;

const connections = ({ own }: Pick<Task, 'own'>) => own.api('GET', '/api/v1/connections');
const now = async ({ own }: Task) => (await own.control('GET', '/clock')).body.now;
const call = ({ page }: Task, name: RegExp) => page.getByRole('listitem').getByRole('button', { name });

/** @param most how many clicks it takes at most. @param given what the environment is made of */
const task = (name: string, most: number, view: string, perform: Perform, given: object = {}) =>
  test(name, async () => {
    const { own, page } = await openConsole(stage, view, { clock: CLOCK, ...given }, CLIPBOARD);
    stage.forgive(/404|503/);
    let clicks = 0;
    await page.locator('main h1').waitFor();
    await perform({
      ...{ page, own },
      click: async (target) => {
        clicks += 1;
        await target.first().click();
      },
      button: (name) => page.getByRole('button', { name, exact: typeof name === 'string' }),
      say: async (text, entry) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('textbox', { name: 'Search or act' }).fill(text);
        await page
          .locator('.entries button')
          .first()
          .and(page.getByRole('button', { name: entry }))
          .waitFor();
        await page.keyboard.press('Enter');
      },
      notice: (text) => page.locator('.notice').getByText(text).first().waitFor(),
    });
    expect(clicks).toBeLessThanOrEqual(most);
  });

task('why did it fail', 1, 'calls', async (task) => {
  await task.own.api('GET', '/api/v1/connected_accounts/details?id=ca_9');
  await task.click(call(task, /404/));
  await task.page.getByRole('region', { name: 'Why' }).getByText(/ca_9/).waitFor();
});

task('resend an invitation', 1, 'data/users/usr_100000000000000002', async ({ own, say, notice }) => {
  await say('send again grace', /Send again grace@acme.test/);
  await notice(/^Send again grace/);
  expect((await own.control('GET', '/outbox')).body.emails).toHaveLength(1);
});

task('make the next call slow', 1, 'calls', async (task) => {
  await task.click(task.button('2 s late'));
  await task.notice('Fail next call 2 s late: done.');
  expect((await task.own.control('GET', '/faults')).body.faults).toMatchObject([{ delay_ms: 2_000 }]);
});

task('cut the next call', 1, 'calls', async (task) => {
  await task.click(task.button('no answer'));
  await task.notice('Fail next call no answer: done.');
  await expect(connections(task)).rejects.toThrow();
});

task('what the application sent', 1, 'calls', async (task) => {
  const account = { connector: 'mail', identifier: 'sent@acme.test' };
  await task.own.api('POST', '/api/v1/connected_accounts', account);
  await task.click(call(task, /createConnectedAccount/));
  const request = task.page.getByLabel(/^Method and address/);
  expect(await request.inputValue()).toContain('"identifier": "sent@acme.test"');
});

task('a test of two calls', 3, 'calls', async (task) => {
  for (let made = 0; made < 2; made += 1) await connections(task);
  for (const mark of ['Mark call 1', 'Mark call 2']) await task.click(task.page.getByLabel(mark));
  await task.click(task.button('Copy as test · Vitest'));
  await task.notice('Copied.');
  const text = String(await task.page.evaluate('navigator.clipboard.readText()'));
  expect(text.match(/fetch\(/g)).toHaveLength(2);
});

task('15 days on and back', 2, 'data', async (task) => {
  await task.say('+15 days', /^\+15 days/);
  await task.notice(/The clock shows 2026-03-16 12:00:00\./);
  await task.page.getByText('INVITE_EXPIRED').nth(2).waitFor();
  await task.click(task.button(/^Undo/));
  await task.notice('Undone: Clock +15 days.');
  expect(await now(task)).toBe('2026-03-01T12:00:00.000Z');
});

task('go to where an invitation ends, and back to now after a reload', 3, 'data', async (task) => {
  await task.click(task.button(/^Clock/));
  await task.click(task.button(/^Go there.*invitation of grace/));
  await task.notice(/Ended so far: 2\./);
  expect(await now(task)).toBe('2026-03-13T12:00:00.000Z');
  await task.page.reload();
  await task.button(/^Clock/).click();
  await task.click(task.button('Back to now'));
  await task.notice(/The clock shows 2026-03-01 12:00:00/);
});

task('a user with two memberships', 2, 'data', async ({ page, own, click, button, notice }) => {
  await click(button('New user'));
  const written = { Email: 'two@acme.test', Organizations: 'acme, globex', Roles: 'admin' };
  for (const [label, text] of Object.entries(written))
    await page.getByRole('complementary').getByLabel(label, { exact: false }).first().fill(text);
  await click(button('Create user'));
  await notice('User created.');
  expect(await own.rows('users', 'two@acme.test')).toMatchObject([{ parts: [{ total: 2 }, {}] }]);
});

task('accept an invitation', 2, 'data', async ({ page, click, button, notice }) => {
  await click(button('PENDING_INVITE: change grace@acme.test · acme'));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Accept' }));
  await notice(/^Accept grace/);
});

task('compare two calls', 3, 'calls', async (task) => {
  await connections(task);
  await task.own.api('GET', '/api/v1/connections?include=all');
  for (const mark of ['Mark call 1', 'Mark call 2']) await task.click(task.page.getByLabel(mark));
  await task.click(task.button('Compare'));
  await task.page.getByRole('complementary', { name: 'Calls 1 and 2' }).getByText('query.include').waitFor();
});

task('export', 2, 'setup', async ({ page, own, click, button }) => {
  const saved = page.waitForEvent('download');
  await click(button('Export'));
  expect((await saved).suggestedFilename()).toBe(`${own.name}.yaml`);
});

task('take a snapshot and restore it', 2, 'setup', async ({ click, button, notice }) => {
  await click(button('Take snapshot'));
  await click(button('Restore snapshot-1'));
  await notice('Restore snapshot-1: done.');
});

task(
  'link as the user',
  2,
  'data/connected_accounts/ca_100000000000000003',
  async ({ page, own, click, button }) => {
    const opened = page.context().waitForEvent('page');
    await click(button('Open its page'));
    const hosted = await opened;
    await click(hosted.getByTestId('approve'));
    await hosted.waitForURL('**/connect/success');
    expect(await own.statusOf('ca_100000000000000003')).toBe('ACTIVE');
  },
);

task(
  'find one of 100,000 accounts',
  1,
  'data/connected_accounts',
  async ({ page, click }) => {
    await page.getByRole('searchbox').fill('person-29899@globex');
    await click(page.getByRole('row', { name: /person-29899@globex/ }).getByRole('button'));
    await page.getByRole('complementary', { name: /person-29899@globex/ }).waitFor();
  },
  { scenario: 'large' },
);

task('try an operation', 2, 'reference', async ({ page, click, button }) => {
  await click(page.getByRole('link', { name: /listConnections/ }));
  await click(button('Send'));
  await page.getByRole('region', { name: 'Reply', exact: true }).getByText('200', { exact: true }).waitFor();
});

task('another environment', 2, 'data/roles', async ({ page, click, button }) => {
  await click(button(/^Environment:/));
  await click(page.getByRole('dialog').getByRole('button', { name: /^production/ }));
  await page.getByText('No roles yet.').waitFor();
  expect(page.url()).toMatch(/#\/production\/data\/roles$/);
});

task('undo an edit', 1, 'data/users/usr_100000000000000001', async ({ page, own, click, button, notice }) => {
  await button('Edit').click();
  await page
    .getByRole('complementary')
    .getByLabel(/^Email/)
    .fill('countess@acme.test');
  await button('Save').click();
  await notice('User saved.');
  await click(button(/^Undo/).first());
  await notice('Undone: Edit ada@acme.test.');
  expect(await own.rows('users', 'countess')).toEqual([]);
});

task(
  'verify an open request',
  2,
  'data/verification_requests',
  async ({ page, own, click, button, notice }) => {
    await click(button(/^OPEN: change mail\/grace@acme.test/));
    await click(page.getByRole('dialog').getByRole('button', { name: /^Verify/ }));
    await notice(/^Verify mail\/grace/);
    expect(await own.statusOf('ca_100000000000000004')).toBe('ACTIVE');
  },
  { settings: { user_verification: 'strict' } },
);

task(
  'find in the guide how to test a 429, with links that keep the environment',
  1,
  'calls',
  async (task) => {
    const { page, own, click } = task;
    await click(page.getByRole('link', { name: 'Guide' }));
    await page.getByRole('searchbox').fill('retry-after');
    await page.locator('#found').getByRole('link').first().waitFor();
    for (const name of ['CA Mock', 'Data', 'Library'])
      expect(await page.getByRole('link', { name, exact: true }).first().getAttribute('href')).toMatch(
        own.name,
      );
  },
);
