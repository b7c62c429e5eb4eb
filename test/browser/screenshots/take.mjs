// Takes the picture of the README: npm run screenshots. The clock and all data are fixed, so only the page changes the picture.
// Make it smaller before you commit it: pngquant --force --ext .png --strip 32 src/guide/console.png
import { chromium } from 'playwright-core';
import { startMock } from '../../../dist/index.js';

const mock = await startMock({
  port: 4720,
  scenario: 'default',
  clock: '2026-03-01T12:00:00Z',
  log: 'silent',
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});

const url = `${mock.url}/_mock/environments/development`;
const ask = (method, address, body, token = 'dev-token') =>
  fetch(address, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const api = `${mock.url}/api/v1`;
await ask('POST', `${api}/connected_accounts`, {
  connector: 'mail',
  identifier: 'new@acme.test',
  colour: 'red',
});
await ask('POST', `${api}/connected_accounts`, { identifier: 42 });
await ask('GET', `${api}/connected_accounts`, undefined, 'wrong');
await ask('POST', `${url}/faults`, { operation: 'listConnections', status: 429, times: 1 });
await ask('GET', `${api}/connections`);
await ask('GET', `${api}/connected_accounts/auth?connector=mail&identifier=ada@acme.test`);
await ask('GET', `${api}/connected_accounts/auth?connector=mail&identifier=nobody@acme.test`);
await ask('GET', `${api}/connected_accounts?page_sise=5`);
await ask('POST', `${url}/faults`, { operation: 'listConnections', status: 503, times: 1 });

const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(`${mock.url}/_mock/#/development/calls/6`);
await page.getByRole('region', { name: 'Why' }).waitFor();
await page.screenshot({ path: 'src/guide/console.png', animations: 'disabled' });

await browser.close();
await mock.close();
