import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserTest, setStage } from './support/browser.ts';
import { makeEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

browserTest(
  'a call appears in the journal as it is made, with request, response and the rule it broke',
  async () => {
    const { own, page } = await openConsole(stage, 'journal');
    await page.getByText('No calls yet.').waitFor();
    await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 7 });
    const row = page.getByRole('row', { name: /createConnectedAccount/ });
    await row.getByText('400', { exact: true }).waitFor();
    await row.getByRole('button').click();
    const panel = page.getByRole('complementary', { name: 'createConnectedAccount' });
    await panel.getByRole('heading', { name: 'Why 400' }).waitFor();
    await panel.getByRole('listitem').filter({ hasText: 'identifier' }).first().waitFor();
    expect(await panel.getByRole('region', { name: 'Request body' }).innerText()).toContain(
      '"identifier": 7',
    );
    expect(await panel.getByRole('region', { name: 'Response body' }).innerText()).toContain(
      'INVALID_ARGUMENT',
    );
  },
);

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

const copyCurl = async (page: Page, row: RegExp): Promise<string> => {
  await page.getByRole('row', { name: row }).getByRole('button').click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied.').last().waitFor();
  return String(await page.evaluate('navigator.clipboard.readText()'));
};

const run = async (command: string): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', command])).stdout;

browserTest('a call can be copied as a curl command that repeats it', async () => {
  const { own, page } = await openConsole(stage, 'journal', {}, CLIPBOARD);
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: "o'neill@acme.test" });
  const command = await copyCurl(page, /createConnectedAccount/);
  await page
    .getByText(`The journal does not keep tokens, so the command uses the access token of ${own.name}.`)
    .waitFor();
  expect(await run(`${command} -s -o /dev/null -w '%{http_code}'`)).toBe('409');
});

browserTest('a refused call is copied with a placeholder for the token, and HEAD as HEAD', async () => {
  const { own, page } = await openConsole(stage, 'journal', {}, CLIPBOARD);
  const headers = { 'x-mock-environment': own.name };
  await stage.server.call('HEAD', '/api/v1/connections', { token: 'not-a-token', headers });
  const command = await copyCurl(page, /connections/);
  await page.getByText('Replace TOKEN with the token that was sent').waitFor();
  expect(command).toMatch(/^curl -I '/);
  expect(command).toContain("-H 'authorization: Bearer TOKEN'");
  expect(await run(`${command} -s -m 5`)).toMatch(/^HTTP\/1\.1 401 /);
});

browserTest(
  'a form is copied as text, and a body that the journal does not keep as a placeholder',
  async () => {
    const { own, page } = await openConsole(stage, 'journal', {}, CLIPBOARD);
    await own.api('POST', '/api/v1/connected_accounts', '{ "connector"');
    const broken = await copyCurl(page, /createConnectedAccount/);
    await page.getByText('Replace the text in brackets with the original body').waitFor();
    expect(broken).toContain("--data-raw '[13 bytes that are not JSON");
    const { client_id, client_secret } = (await own.control('GET', '')).body;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    await own.api('POST', '/oauth/token', form);
    const command = await copyCurl(page, /token/);
    await page.getByText('Replace *** with the original values.').waitFor();
    const whole = command.replace('client_secret=***', `client_secret=${client_secret}`);
    expect(await run(`${whole} -s -o /dev/null -w '%{http_code}'`)).toBe('200');
  },
);

browserTest('if a page has no clipboard, the text to copy is selected', async () => {
  const own = await makeEnvironment(stage.server);
  await own.api('GET', '/api/v1/connections');
  const page = await stage.open(own.console('journal/1'));
  // As on a page of another host without https.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  const field = page.getByLabel(/The clipboard is not available here/);
  await field.and(page.locator(':focus')).waitFor();
  expect(await page.evaluate('getSelection().toString()')).toMatch(/^curl -X GET 'http/);
});

browserTest('calls can be searched, paused and cleared', async () => {
  const { own, page } = await openConsole(stage, 'journal');
  await own.api('GET', '/api/v1/connections');
  await own.api('GET', '/api/v1/nowhere');
  await page.getByRole('row', { name: /nowhere/ }).waitFor();
  await page.getByLabel('Search calls').fill('listConnections 200');
  await page.getByRole('row', { name: /nowhere/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /listConnections/ }).waitFor();
  await page.getByLabel('Search calls').fill('');
  await page.getByRole('button', { name: 'Pause' }).click();
  await own.api('GET', '/api/v1/connected_accounts');
  await page.locator('button:focus', { hasText: 'Resume' }).click();
  await page.getByRole('row', { name: /listConnectedAccounts/ }).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('No calls yet.').waitFor();
});

browserTest('hostile values are shown as text, and do not run', async () => {
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

browserTest('rows do not move while the pointer or the focus is on them', async () => {
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
  // Closing the call gives its row the focus back, so the list is still again.
  await page.locator('tbody button:focus', { hasText: 'first' }).waitFor();
  await own.api('GET', '/api/v1/fourth');
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('row', { name: /fourth/ }).waitFor();
});

browserTest('all stored calls can be shown, and dropped calls are counted', async () => {
  const own = await makeEnvironment(stage.server);
  for (let made = 0; made < 1_100; made += 50)
    await Promise.all(Array.from({ length: 50 }, () => own.api('GET', '/api/v1/connections')));
  const page = await stage.open(own.console('journal'));
  await page.getByRole('heading', { name: 'Journal 1000' }).waitFor();
  await page.getByText('100 earlier calls were dropped').waitFor();
  while ((await page.locator('tbody tr').count()) < 1_000)
    await page.getByRole('button', { name: /^Show more/ }).click();
  await page.getByRole('button', { name: /^Show more/ }).waitFor({ state: 'detached' });
});

browserTest('the address of a call that does not exist says so', async () => {
  stage.forgive(/404/);
  const { page } = await openConsole(stage, 'journal/77');
  await page.getByText('The journal has no call 77.').waitFor();
});

/** Measures how many milliseconds of processor time the page took. Other programs do not change this. */
const watchWork = async (page: Page): Promise<() => Promise<number>> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await browser.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
};

browserTest('the journal shows a burst of 1,000 calls, and the page stays responsive', async () => {
  const { own, page } = await openConsole(stage, 'journal');
  await page.getByText('No calls yet.').waitFor();
  const readWork = await watchWork(page);
  const [begun, before] = [performance.now(), await readWork()];
  for (let made = 0; made < 1_000; made += 20)
    await Promise.all(Array.from({ length: 20 }, () => own.api('GET', '/api/v1/connections?include=all')));
  await page.getByRole('heading', { name: 'Journal 1000' }).waitFor();
  const work = (await readWork()) - before;
  expect(work / (performance.now() - begun)).toBeLessThan(0.4);
});
