/** An open console follows a stream of events, which closes while its tab is hidden, and reopens after the mock restarts. */
import { expect, test } from '@jest/globals';
import type { Locator, Page, Route } from 'playwright-core';
import { startMock } from '#mock';
import { callsOf } from '../support/server.ts';
import { setStage } from './support/browser.ts';
import { makeEnvironment, type OwnEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

const MAIN = 'main :is(table, .empty, .cards > .card, .shares)';

/** The banner that appears while the mock is not responding. */
const awayOf = (page: Page): Locator => page.getByText('The mock is not responding. This page');

/** Pretends that the user left or came back to a tab, since a browser under test shows all of its tabs. */
const setHidden = (tab: Page, isHidden: boolean): Promise<unknown> =>
  tab.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);

/** Leaves a tab, and waits until its stream is closed. */
const hide = async (tab: Page): Promise<void> => {
  const closed = tab.waitForEvent('requestfailed', (request) => request.url().includes('/live?'));
  await setHidden(tab, true);
  await closed;
};

test('a hidden tab closes its stream, and shows what it missed when it is visible again', async () => {
  const page = await stage.open('/_mock/');
  await page.locator(MAIN).or(page.locator('.ruler')).first().waitFor();
  await hide(page);
  const tabs: { own: OwnEnvironment; tab: Page }[] = [];
  for (let nth = 0; nth < 8; nth += 1) {
    const own = await makeEnvironment(stage.server);
    const tab = await page.context().newPage();
    await tab.goto(own.console('journal'));
    await tab.getByText('No calls yet.').waitFor();
    await hide(tab);
    tabs.push({ own, tab });
  }
  for (const { own } of tabs) await own.api('GET', '/api/v1/connections');
  for (const { own, tab } of tabs) {
    expect(await tab.getByRole('row').count()).toBe(0);
    await setHidden(tab, false);
    await tab.getByRole('row', { name: /listConnections/ }).waitFor();
    expect(await tab.getByRole('row').count()).toBe(2);
    expect(await awayOf(tab).count()).toBe(0);
    // The visible tab has a stream again: the next call appears.
    await own.api('GET', '/api/v1/nowhere');
    await tab.getByRole('row', { name: /nowhere/ }).waitFor();
    await hide(tab);
  }
});

test('the console reconnects after the mock restarts, and says so if its environment no longer exists', async () => {
  const first = await startMock({ port: 0, log: 'silent' });
  const { port } = new URL(first.url);
  const own = await makeEnvironment(callsOf(first, first.url));
  const kept = await stage.open(`${first.url}/_mock/#/development/users`);
  const dropped = await stage.open(`${first.url}${own.console('users')}`);
  for (const page of [kept, dropped]) {
    await page.getByRole('row', { name: /ada@acme.test/ }).waitFor();
    expect(await awayOf(page).count()).toBe(0);
  }
  stage.forgive(/ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|404/);
  await first.close();
  for (const page of [kept, dropped]) {
    await page.getByRole('alert').getByText('The mock is not responding.').waitFor();
    // The page still shows its data.
    await page.getByRole('row', { name: /ada@acme.test/ }).waitFor();
  }
  const second = await startMock({ port: Number(port), log: 'silent' });
  try {
    await awayOf(kept).waitFor({ state: 'detached' });
    const users = [{ email: 'later@acme.test' }];
    await callsOf(second, second.url).control('PATCH', '/environments/development/state', { users });
    await kept.getByRole('row', { name: /later@acme.test/ }).waitFor();
    await dropped.getByRole('heading', { name: `The environment ${own.name} does not exist` }).waitFor();
    await awayOf(dropped).waitFor({ state: 'detached' });
  } finally {
    await second.close();
  }
});

test('every view says that it cannot read its data, and tries again', async () => {
  const own = await makeEnvironment(stage.server);
  const page = await stage.open('/_mock/#/production/settings');
  stage.forgive(/ERR_FAILED|503/);
  const error = { code: 'UNAVAILABLE', message: 'Too busy.', hint: 'Wait.' };
  const busy = page.getByRole('main').getByRole('alert').filter({ hasText: 'Too busy. Wait.' });
  const failures: [sign: Locator, fail: (route: Route) => Promise<void>][] = [
    [awayOf(page), (route) => route.abort()],
    [busy, (route) => route.fulfill({ status: 503, json: { error } })],
  ];
  for (const path of ['outbox', 'coverage', 'faults', 'snapshots', 'resources/users']) {
    for (const [sign, fail] of failures) {
      const address = `**/environments/${own.name}/${path}*`;
      await page.route(address, fail);
      await page.goto(own.console(path.replace('resources/', '')));
      await sign.waitFor();
      await page.unroute(address);
      await sign.waitFor({ state: 'detached' });
      await page.locator(MAIN).first().waitFor();
      await page.goto('/_mock/#/production/settings');
    }
  }
});

test('after an outage, the banner stays until the rows are read again', async () => {
  const { page } = await openConsole(stage, 'users');
  await page.getByRole('row', { name: /ada@acme.test/ }).waitFor();
  stage.forgive(/ERR_FAILED/);
  let letThrough = (): void => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/live?*', (route) => route.abort());
  await setHidden(page, true);
  await setHidden(page, false);
  await awayOf(page).waitFor();
  await page.route('**/resources/users?*', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/resources/users?*');
  await page.unroute('**/live?*');
  await asked;
  await page.waitForResponse('**/faults');
  expect(await awayOf(page).count()).toBe(1);
  letThrough();
  await awayOf(page).waitFor({ state: 'detached' });
});

test('a notice about a problem stays until the user closes it', async () => {
  const { own, page } = await openConsole(stage, 'snapshots');
  stage.forgive(/ERR_FAILED/);
  await page.route('**/undo-points', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  const notice = page.getByText('The mock is not responding. Is it still running?', { exact: true });
  await notice.waitFor();
  await page.getByRole('button', { name: 'Close: The mock is not responding.' }).click();
  await notice.waitFor({ state: 'detached' });
  // The stream still works, so its next event removes the banner.
  await own.api('GET', '/api/v1/connections');
  await awayOf(page).waitFor({ state: 'detached' });
});
