import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from './support/accessibility.ts';
import { setStage, watchMetrics } from './support/browser.ts';
import { makeEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

test('a refused call appears at once, with request, response, reason and a link to a call that works', async () => {
  const { own, page } = await openConsole(stage, 'journal');
  await page.getByText('No calls yet.').waitFor();
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 7 });
  await page.getByRole('row', { name: /400/ }).getByRole('button').click();
  const panel = page.getByRole('complementary', { name: 'createConnectedAccount' });
  await panel.getByRole('heading', { name: 'Why 400' }).waitFor();
  await panel.getByRole('listitem').filter({ hasText: 'identifier' }).first().waitFor();
  await panel.getByRole('region', { name: 'Request body' }).getByText('"identifier": 7').waitFor();
  await panel.getByRole('region', { name: 'Response body' }).getByText('INVALID_ARGUMENT').waitFor();

  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'ada@acme.test' });
  await page.getByRole('row', { name: /409/ }).getByRole('button').click();
  const why = page.getByRole('region', { name: 'Why 409' });
  await why
    .getByText(/already/)
    .first()
    .waitFor();
  expect(await why.getByRole('link', { name: 'A4' }).getAttribute('href')).toBe('guide/rules#a4');
  const example = await why.getByRole('link', { name: /with example values/ }).getAttribute('href');
  expect(example).toBe(`docs#/${own.name}/createConnectedAccount`);
});

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const copyCurl = async (page: Page, row: RegExp): Promise<string> => {
  await page.getByRole('row', { name: row }).getByRole('button').click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied.').last().waitFor();
  return String(await page.evaluate('navigator.clipboard.readText()'));
};

const run = async (command: string): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', command])).stdout;

test('a call can be copied as a curl command that repeats it, with placeholders for what the journal does not keep', async () => {
  const { own, page } = await openConsole(stage, 'journal', {}, CLIPBOARD);
  await own.api('POST', '/api/v1/connected_accounts', {
    connector: 'mail',
    identifier: "o'neill@acme.test",
  });
  const create = await copyCurl(page, /createConnectedAccount/);
  const note = `The journal does not keep tokens, so the command uses the access token of ${own.name}.`;
  await page.getByText(note).waitFor();
  expect(await run(`${create} -s -o /dev/null -w '%{http_code}'`)).toBe('409');

  const headers = { 'x-mock-environment': own.name };
  await stage.server.call('HEAD', '/api/v1/connections', { token: 'not-a-token', headers });
  const refused = await copyCurl(page, /connections/);
  await page.getByText('Replace TOKEN with the token that was sent').waitFor();
  expect(refused).toContain("-H 'authorization: Bearer TOKEN'");
  expect(await run(`${refused} -s -m 5`)).toMatch(/^HTTP\/1\.1 401 /);

  await own.api('POST', '/api/v1/connected_accounts/magic_link', '{ "connector"');
  expect(await copyCurl(page, /magic_link/)).toContain("--data-raw '[13 bytes that are not JSON");
  await page.getByText('Replace the text in brackets with the original body').waitFor();

  const { client_id, client_secret } = (await own.control('GET', '')).body;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  await own.api('POST', '/oauth/token', form);
  const token = await copyCurl(page, /token/);
  await page.getByText('Replace *** with the original values.').waitFor();
  const whole = token.replace('client_secret=***', `client_secret=${client_secret}`);
  expect(await run(`${whole} -s -o /dev/null -w '%{http_code}'`)).toBe('200');
});

test('marked calls can be copied as a test on a phone, and a call can be sent again', async () => {
  const options = { ...CLIPBOARD, viewport: { width: 390, height: 844 } };
  const { own, page } = await openConsole(stage, 'journal', {}, options);
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: "o'neill@acme.test" });
  await own.api('GET', '/api/v1/connections');
  for (const sequence of [2, 1]) await page.getByLabel(`Mark call ${sequence}`).check();
  await page.getByRole('button', { name: 'Copy as test for Jest' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(copied).toContain("require('connected-accounts-mock/jest')");
  expect(copied).toMatch(/"o'neill@acme.test"[\s\S]*connections`[\s\S]*toHaveReceived\("listConnections"/);
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page
    .getByRole('row', { name: /connections/ })
    .getByRole('button')
    .click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Sent again: 200.').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.move(5, 5);
  await page
    .getByLabel('Mark call 3')
    .or(page.getByRole('button', { name: '1 new' }))
    .waitFor();
});

test('if a page has no clipboard, the text to copy is selected', async () => {
  const own = await makeEnvironment(stage.server);
  await own.api('GET', '/api/v1/connections');
  const page = await stage.open(own.console('journal/1'));
  // Browsers offer no clipboard to a page of another host without https.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  const field = page.getByLabel(/The clipboard is not available here/);
  await field.and(page.locator(':focus')).waitFor();
  expect(await page.evaluate('getSelection().toString()')).toMatch(/^curl -X GET 'http/);
});

test('calls can be searched and cleared, and the URL keeps the search', async () => {
  const { own, page } = await openConsole(stage, 'journal');
  await own.api('GET', '/api/v1/connections');
  await own.api('GET', '/api/v1/nowhere');
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'new@acme.test' });
  const rows = page.getByRole('row').filter({ hasText: '/api/' });
  const only = async (text: string): Promise<void> => {
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.filter({ hasText: text }).waitFor();
  };
  await rows.nth(2).waitFor();
  await page.getByLabel('Search calls').fill('listConnections 200');
  await only('listConnections');
  await page.getByLabel('Search calls').fill('new@acme.test'); // the body of a call has this identifier
  await only('createConnectedAccount');
  await rows.getByText('in body').waitFor();
  await page.getByRole('heading', { name: 'Journal 1 of 3' }).waitFor();
  await rows.getByRole('button').click();
  await page.getByRole('region', { name: 'Request body' }).waitFor();
  const marked = await page.evaluate("[...CSS.highlights.get('found')].map((range) => String(range))");
  expect(marked).toContain('new@acme.test');
  await page.getByLabel('Search calls').fill('NOWHERE');
  await only('nowhere');
  await page.waitForURL(/query=NOWHERE/);
  const places = await page.evaluate(
    "[...CSS.highlights.get('found')].map((range) => range.startContainer.parentElement.closest('table') !== null)",
  );
  expect(places).toContain(true);
  await page.keyboard.press('Escape');
  await page.getByLabel('Search calls').fill('get 404');
  await only('nowhere');
  await page.waitForURL(/query=get(?:%20|\+)404/);
  await page.getByLabel('Search calls').fill('violation');
  await rows.nth(1).waitFor({ state: 'detached' });
  await page.getByLabel('Search calls').fill('');
  await rows.nth(2).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('No calls yet.').waitFor();
  expect(await page.evaluate("CSS.highlights.has('found')")).toBe(false);
});

test('behaviour N1: the journal tells which parts of a call were ignored', async () => {
  const own = await makeEnvironment(stage.server);
  await own.api('GET', '/api/v1/connections?page_sizee=2&x=1');
  const page = await stage.open(own.console('journal'));
  await page.getByText('2 ignored').waitFor();
  await page.getByLabel('Search calls').fill('ignored');
  await page
    .getByRole('row', { name: /page_sizee/ })
    .getByRole('button')
    .click();
  const told = page.getByRole('region', { name: 'Ignored' }).getByRole('listitem');
  await told.first().waitFor();
  expect(await told.allTextContents()).toEqual([
    expect.stringContaining('page_sizee is not a known parameter.'),
    expect.stringContaining('x is not a known parameter.'),
  ]);
});

test('HTML and scripts in values are shown as text, and do not run', async () => {
  const own = await makeEnvironment(stage.server);
  const hostile = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: hostile });
  await own.api('GET', `/api/v1/nowhere?x=${encodeURIComponent(hostile)}&y=${hostile.replaceAll(' ', '')}`);
  const page = await stage.open(own.console('journal'));
  for (const name of [/createConnectedAccount/, /nowhere/]) {
    await page.getByRole('row', { name }).getByRole('button').click();
    await page.getByRole('region', { name: 'Response body' }).waitFor();
  }
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByRole('button', { name: `${hostile} mail` }).click();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.evaluate('window.ran')).toBeUndefined();
});

test('HTML and scripts in the names of a scenario are shown as text, and do not run', async () => {
  const hostile = '<img src=x onerror=window.ran=1><script>window.ran=1</script>';
  const own = await makeEnvironment(stage.server);
  const { status } = await own.control('PATCH', '/state', {
    organizations: [{ name: 'acme', display_name: hostile }],
    roles: [{ name: 'member', display_name: hostile }],
    users: [{ email: 'ada@acme.test', user_profile: { name: hostile, given_name: hostile } }],
    connections: [{ key_id: 'of-markup', type: 'OAUTH', provider_key: hostile, scopes: [hostile] }],
    custom_providers: [{ display_name: 'Internal Wiki', description: hostile }],
    authentication_requests: [{ email: 'ada@acme.test', client_name: hostile, resource_name: hostile }],
    stubs: [{ method: 'GET', path: '/api/v1/extra', body: hostile }],
  });
  expect(status).toBe(200);
  await own.control('POST', '/invitations', { user_id: 'barbara@free.test', organization_id: 'acme' });
  const page = await stage.open(own.console('start'));
  const kinds = ['organizations', 'roles', 'users', 'memberships', 'connections', 'custom_providers'];
  for (const kind of [...kinds, 'authentication_requests', 'stubs']) {
    await page.goto(own.console(`${kind}?query=onerror`));
    await page.locator('main tbody th button').first().click();
    await page.locator('.panel summary').last().waitFor();
    expect([kind, await page.locator('.panel').textContent()]).toEqual([
      kind,
      expect.stringContaining(hostile),
    ]);
    expect(await page.locator('main img, main script').count()).toBe(0);
  }
  for (const view of ['outbox', 'users']) {
    await page.goto(own.console(view));
    await page.locator('main').getByText('<img src=x').first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).fill(hostile);
  await page.getByRole('option', { name: /<img/ }).first().waitFor();
  await page.goto('/_mock/guide/');
  await page.getByRole('searchbox').or(page.locator('input')).first().fill(hostile);
  await page.locator('#found li').first().waitFor();
  expect(await page.locator('#found img, #found script, dialog img').count()).toBe(0);
  expect(await page.evaluate('window.ran')).toBeUndefined();
});

test('rows do not move while the pointer or the focus is on them', async () => {
  const { own, page } = await openConsole(stage, 'journal');
  await own.api('GET', '/api/v1/first');
  await own.api('GET', '/api/v1/second');
  const rows = page.locator('tbody tr');
  await rows.nth(1).waitFor();
  await rows.nth(1).hover();
  await own.api('GET', '/api/v1/third');
  await page.getByRole('button', { name: '1 new' }).waitFor();
  expect(await rows.nth(1).innerText()).toContain('/first');
  await rows.nth(1).getByRole('button').click();
  await page.getByRole('complementary', { name: /first/ }).waitFor();
  await page.mouse.move(5, 5);
  await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  // Closing the call returns the focus to its row, so the rows do not move.
  await page.locator('tbody button:focus', { hasText: 'first' }).waitFor();
  await own.api('GET', '/api/v1/fourth');
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('row', { name: /fourth/ }).waitFor();
});

test('the page stays responsive in a burst of 1,100 calls, counts dropped calls, and can show the others', async () => {
  const { own, page } = await openConsole(stage, 'journal');
  await page.getByText('No calls yet.').waitFor();
  const measure = await watchMetrics(page);
  const before = await measure();
  for (let made = 0; made < 1_100; made += 20)
    await Promise.all(Array.from({ length: 20 }, () => own.api('GET', '/api/v1/connections?include=all')));
  await page.getByText('100 earlier calls were dropped').waitFor();
  const after = await measure();
  // Calls that arrive together are drawn together.
  expect(Number(after.LayoutCount) - Number(before.LayoutCount)).toBeLessThan(550);
  await page.getByRole('heading', { name: 'Journal 1,000' }).waitFor();
  const more = page.getByRole('button', { name: /^Show more/ });
  while ((await page.locator('tbody tr').count()) < 1_000) await more.click();
  await more.waitFor({ state: 'detached' });
});
