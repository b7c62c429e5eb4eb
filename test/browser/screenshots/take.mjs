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

const faults = '/_mock/environments/development/faults';
const accounts = '/api/v1/connected_accounts';
const mail = `${accounts}/auth?connector=mail&identifier=`;
for (const [method, path, body, token = 'dev-token'] of [
  ['POST', accounts, { connector: 'mail', identifier: 'new@acme.test', colour: 'red' }],
  ['POST', accounts, { identifier: 42 }],
  ['GET', accounts, undefined, 'wrong'],
  ['POST', faults, { operation: 'listConnections', status: 429, times: 1 }],
  ['GET', '/api/v1/connections'],
  ['GET', `${mail}ada@acme.test`],
  ['GET', `${mail}nobody@acme.test`],
  ['GET', `${accounts}?page_sise=5`],
  ['POST', faults, { operation: 'listConnections', status: 503, times: 1 }],
])
  await fetch(mock.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(`${mock.url}/_mock/#/development/calls/6`);
await page.getByRole('region', { name: 'Why' }).waitFor();
await page.screenshot({ path: 'src/guide/console.png', animations: 'disabled' });

await browser.close();
await mock.close();
