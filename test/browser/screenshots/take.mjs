// Takes the pictures of README: npm run screenshots. The clock and all data are fixed, so they change with the pages only.
import { chromium } from 'playwright-core';
import { startMock } from '../../../dist/index.js';

const VIEWPORT = { width: 1280, height: 720 };
const JSON_HEADERS = { 'Content-Type': 'application/json' };
const API_HEADERS = { ...JSON_HEADERS, Authorization: 'Bearer dev-token' };

const mock = await startMock({ port: 0, scenario: 'default', clock: '2026-03-01T12:00:00Z', log: 'silent' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});

const post = (path, body, headers = JSON_HEADERS) =>
  fetch(mock.url + path, { method: 'POST', headers, body: JSON.stringify(body) }).then((response) =>
    response.json(),
  );

/** One picture. @param prepare leads the page to what is to be seen */
const take = async (name, path, prepare = async () => {}, colorScheme = 'light') => {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme });
  await page.goto(new URL(path, mock.url).href);
  await prepare(page);
  await page.screenshot({ path: `test/browser/screenshots/${name}.png`, animations: 'disabled' });
  await page.close();
};

await take('console', '/_mock/', async (page) => {
  await page.getByRole('button', { name: 'ACTIVE: move' }).first().click();
  await page.getByRole('menuitem').first().waitFor();
});

await post('/api/v1/connected_accounts', { connector: 'mail', identifier: 'new@acme.test' }, API_HEADERS);
await post('/api/v1/connected_accounts', { connector: 'mail', identifier: 'new@acme.test' }, API_HEADERS);
await fetch(`${mock.url}/api/v1/connections`, { headers: API_HEADERS });
await post('/api/v1/connected_accounts', { connector: 'mail', identifier: 7 }, API_HEADERS);
await take(
  'journal',
  '/_mock/#/development/journal',
  async (page) => {
    await page.getByRole('row').nth(1).getByRole('button').click();
    await page.getByRole('heading', { name: 'Violated' }).waitFor();
  },
  'dark',
);

const { link } = await post('/_mock/environments/development/links', { id: 'ca_100000000000000002' });
await take('consent', link);

await browser.close();
await mock.close();
