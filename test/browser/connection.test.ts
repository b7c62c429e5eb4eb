/** What keeps an open console up to date: one stream for all tabs, taken up again after a restart. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startMock } from '../../src/index.ts';
import { callsOf } from '../support/server.ts';
import { browserTest, setStage } from './support/browser.ts';
import { makeEnvironment, type OwnEnvironment } from './support/environment.ts';

const stage = setStage();

browserTest('eight tabs of as many environments work side by side, over one stream', async () => {
  const page = await stage.open('/_mock/');
  const tabs: { own: OwnEnvironment; tab: Page }[] = [];
  for (let nth = 0; nth < 8; nth += 1) {
    const own = await makeEnvironment(stage.server);
    const tab = await page.context().newPage();
    await tab.goto(new URL(own.console('journal'), stage.server.mock.url).href);
    await tab.getByText('No calls yet.').waitFor();
    tabs.push({ own, tab });
  }
  for (const { own, tab } of tabs) {
    await own.api('GET', '/api/v1/connections');
    await tab.getByRole('row', { name: /listConnections/ }).waitFor();
    expect(await tab.getByRole('row').count()).toBe(2);
  }
  // A tab that is closed leaves the others connected.
  await tabs[0]?.tab.close();
  const last = tabs.at(-1);
  await last?.own.api('GET', '/api/v1/nowhere');
  await last?.tab.getByRole('row', { name: /nowhere/ }).waitFor();
});

browserTest('a console finds its way back after a restart, and says if its environment is gone', async () => {
  const first = await startMock({ port: 0, log: 'silent' });
  const { port } = new URL(first.url);
  const own = await makeEnvironment(callsOf(first, first.url));
  const kept = await stage.open(`${first.url}/_mock/#/development/users`);
  const dropped = await stage.open(`${first.url}${own.console('users')}`);
  for (const page of [kept, dropped]) await page.getByText('Live').waitFor();
  stage.forgive(/ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|404/);
  await first.close();
  for (const page of [kept, dropped]) await page.getByText('Reconnecting…').waitFor();
  const second = await startMock({ port: Number(port), log: 'silent' });
  try {
    await kept.getByText('Live').waitFor();
    await dropped.getByRole('heading', { name: `There is no environment ${own.name}` }).waitFor();
    await dropped.getByRole('link', { name: /^production/ }).click();
    await dropped.getByText('Nothing here.').waitFor();
  } finally {
    await second.close();
  }
});

browserTest('every view says which data cannot be had, and tries again', async () => {
  const own = await makeEnvironment(stage.server);
  const page = await stage.open('/_mock/#/production/credentials');
  stage.forgive(/ERR_FAILED/);
  for (const [view, path] of [
    ['outbox', 'outbox'],
    ['coverage', 'coverage'],
    ['faults', 'faults'],
    ['snapshots', 'snapshots'],
    ['users', 'resources/users'],
  ] as const) {
    await page.route(`**/environments/${own.name}/${path}*`, (route) => route.abort());
    await page.goto(new URL(own.console(view), stage.server.mock.url).href);
    await page.getByRole('alert').getByText('The mock does not answer.').waitFor();
    await page.unroute(`**/environments/${own.name}/${path}*`);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.locator('main :is(table, .empty, .cards > .card, .shares)').first().waitFor();
    await page.goto(new URL('/_mock/#/production/credentials', stage.server.mock.url).href);
  }
});

browserTest('what was refused is tried again when somebody asks for it', async () => {
  const own = await makeEnvironment(stage.server);
  const page = await stage.open('/_mock/#/production/credentials');
  stage.forgive(/400/);
  const error = { code: 'INVALID_ARGUMENT', message: 'Not like this.', hint: 'Do it like that.' };
  await page.evaluate("addEventListener('click', () => { window.isAsked = true; }, true)");
  await page.route('**/resources/users?*', async (route) => {
    if (await page.evaluate('window.isAsked')) return route.continue();
    return route.fulfill({ status: 400, json: { error } });
  });
  await page.evaluate(`location.hash = '#/${own.name}/users'`);
  await page.getByRole('alert').getByText('Not like this. Do it like that.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: /ada@acme.test/ }).waitFor();
});

browserTest('a notice can be closed, and a problem stays until it is', async () => {
  const own = await makeEnvironment(stage.server);
  const page = await stage.open(own.console('snapshots'));
  stage.forgive(/ERR_FAILED/);
  await page.route('**/snapshots', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  const notice = page.getByText('The mock does not answer.');
  await notice.waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
});
