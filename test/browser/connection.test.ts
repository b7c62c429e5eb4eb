/** An open console follows a stream of events, which closes while its tab is hidden, and reopens after the mock restarts. */
import { expect, test } from '@jest/globals';
import express from 'express';
import type { Locator, Page } from 'playwright-core';
import { createMock, startMock } from '#mock';
import { serveHttp } from '../support/http-server.ts';
import { callsOf } from '../support/server.ts';
import { setStage } from './support/browser.ts';
import { makeEnvironment, type OwnEnvironment, openConsole } from './support/environment.ts';

const stage = await setStage();

/** The banner that appears while the mock is not responding. */
const awayOf = (page: Page): Locator => page.getByText('The mock is not responding. This page');

const callIn = (page: Page, name: RegExp): Locator =>
  page.getByRole('listitem').getByRole('button', { name });

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
  await page.locator('main h1').waitFor();
  await hide(page);
  const tabs: { own: OwnEnvironment; tab: Page }[] = [];
  for (let nth = 0; nth < 8; nth += 1) {
    const own = await makeEnvironment(stage.server);
    const tab = await page.context().newPage();
    await tab.goto(own.console('calls'));
    await tab.getByText('No calls yet').waitFor();
    await hide(tab);
    tabs.push({ own, tab });
  }
  for (const { own } of tabs) await own.api('GET', '/api/v1/connections');
  for (const { own, tab } of tabs) {
    expect(await callIn(tab, /ms$/).count()).toBe(0);
    await setHidden(tab, false);
    await callIn(tab, /listConnections/).waitFor();
    // The visible tab has a stream again: the next call appears.
    await own.api('GET', '/api/v1/nowhere');
    await callIn(tab, /nowhere/).waitFor();
    await hide(tab);
  }
});

test('after a restart of the mock the page goes on, an open form keeps its input, and a lost environment is reported', async () => {
  const first = await startMock({ port: 0, log: 'silent' });
  const { port } = new URL(first.url);
  const own = await makeEnvironment(callsOf(first, first.url));
  const kept = await stage.open(`${first.url}/_mock/#/development/data/users/new`);
  const dropped = await stage.open(`${first.url}${own.console('data')}`);
  for (const page of [kept, dropped]) await page.getByRole('row', { name: /ada@acme.test/ }).waitFor();
  const email = kept.getByRole('complementary').getByLabel(/^Email/);
  await email.fill('typed@acme.test');
  stage.forgive(/ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|404/);
  await first.close();
  for (const page of [kept, dropped]) {
    await awayOf(page).waitFor();
    await page.getByRole('row', { name: /ada@acme.test/ }).waitFor(); // the page still shows its data
  }
  const second = await startMock({ port: Number(port), log: 'silent' });
  try {
    await awayOf(kept).waitFor({ state: 'detached' });
    expect(await email.inputValue()).toBe('typed@acme.test');
    await kept.getByRole('button', { name: 'Create user' }).click();
    await kept.getByRole('row', { name: /typed@acme.test/ }).waitFor();
    await dropped.getByRole('heading', { name: `The environment ${own.name} does not exist` }).waitFor();
  } finally {
    await second.close();
  }
});

test('of two tabs each shows what the other saved, the later save wins, and Undo takes back the last step of both', async () => {
  const view = 'data/users/usr_100000000000000001';
  const { own, page: first } = await openConsole(stage, view);
  const second = await first.context().newPage();
  await second.goto(own.console(view));
  const tabs = { first, second };
  const field = (tab: Page) => tab.getByRole('complementary').getByLabel(/^Email/);
  const shown = (text: string) =>
    Promise.all([first, second].map((tab) => tab.getByRole('row', { name: text }).waitFor()));
  for (const tab of [first, second]) {
    await tab.getByRole('button', { name: 'Edit', exact: true }).click();
    for (let text = ''; text === ''; ) text = await field(tab).inputValue(); // the form reads the row
  }
  for (const [name, tab] of Object.entries(tabs)) {
    await field(tab).fill(`${name}@acme.test`);
    await tab.getByRole('button', { name: 'Save', exact: true }).click();
    await shown(`${name}@acme.test`);
  }
  expect(await own.rows('users', 'second@acme.test')).toHaveLength(1);
  await first.getByRole('button', { name: 'Undo Edit first@acme.test' }).click();
  await shown('first@acme.test');
  expect(await own.rows('users', 'second@acme.test')).toHaveLength(0);
});

test('a user expires an account, moves the clock and undoes both by keyboard alone', async () => {
  const { own, page } = await openConsole(stage, 'data/connected_accounts', {
    clock: '2026-03-01T12:00:00Z',
  });
  await page.getByRole('row', { name: /crm/ }).waitFor();
  await page.getByRole('button', { name: 'ACTIVE: change ada@acme.test · mail' }).focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Open its page' })
    .and(page.locator(':focus'))
    .waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.getByText('Expire ada@acme.test · mail: done.').waitFor();
  expect(await own.statusOf('ca_100000000000000001')).toBe('EXPIRED');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('+1 day');
  await page.locator('.entries button').first().getByText('+1 day').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(/The clock shows 2026-03-02/).waitFor();
  for (const undone of ['Clock +1 day', 'Expire ada@acme.test · mail']) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('undo');
    await page.locator('.entries button').first().getByText(`Undo ${undone}`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`Undone: ${undone}.`).waitFor();
  }
  expect(await own.statusOf('ca_100000000000000001')).toBe('ACTIVE');
});

test('markup in values is shown as text in every kind, and never runs', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const own = await makeEnvironment(stage.server);
  const { status } = await own.control('PATCH', '/state', {
    organizations: [{ name: 'acme', display_name: hostile }],
    roles: [{ name: 'member', display_name: hostile }],
    users: [{ email: 'ada@acme.test', external_id: hostile }],
    connections: [{ key_id: 'of-markup', type: 'OAUTH', provider_key: hostile, scopes: [hostile] }],
    custom_providers: [{ display_name: 'Internal Wiki', description: hostile }],
    authentication_requests: [{ email: 'ada@acme.test', client_name: hostile, resource_name: hostile }],
    stubs: [{ method: 'GET', path: '/api/v1/extra', body: hostile }],
  });
  expect(status).toBe(200);
  const page = await stage.open(own.console('data'));
  for (const kind of [
    'organizations',
    'roles',
    'users',
    'connections',
    'custom_providers',
    'authentication_requests',
    'stubs',
  ]) {
    await page.goto(own.console(`data/${kind}?query=onerror`));
    await page.locator('main tbody th button').first().click();
    await page.locator('.panel').getByText('onerror').first().waitFor();
    expect([kind, await page.locator('main img, main script').count()]).toEqual([kind, 0]);
  }
});

test('of a mock that is mounted below a path, a call is sent again where it was', async () => {
  stage.forgive(/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_REFUSED/); // the server ends before the page
  await using mock = createMock({ log: 'silent' });
  await using server = await serveHttp(express().use('/mock', mock.app));
  const url = `${server.url}/mock`;
  await fetch(`${url}/api/v1/connections`, { headers: { authorization: 'Bearer dev-token' } });
  const page = await stage.open(`${url}/_mock/#/development/calls/1`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('region', { name: 'Reply', exact: true }).getByText('200', { exact: true }).waitFor();
});

test('a page whose host name its owner pointed at this machine cannot call the control plane', async () => {
  stage.forgive(/^outside: http:\/\/rebound\.test|403 \(Forbidden\)/);
  const { mock } = stage.server;
  const page = await stage.open(`http://rebound.test:${new URL(mock.url).port}/keys`);
  const ask = (method: string, path: string): Promise<number> =>
    page.evaluate(`fetch('/_mock${path}', { method: '${method}' }).then(({ status }) => status)`);
  expect(await ask('GET', '/environments')).toBe(403);
  expect(await ask('POST', '/environments/development/reset')).toBe(403);
  expect(await page.evaluate("fetch('/keys').then(({ status }) => status)")).toBe(200);
});
