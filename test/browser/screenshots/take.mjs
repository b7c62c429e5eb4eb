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

const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(`${mock.url}/_mock/#/development/start`);
await page.getByRole('slider').waitFor();
await page.getByRole('button', { name: '+15 days' }).click();
await page.getByText('INVITE_EXPIRED').first().waitFor();
await page.getByRole('button', { name: /^Close/ }).click();
await page.locator('.ruler').scrollIntoViewIfNeeded();
await page.screenshot({ path: 'src/guide/console.png', animations: 'disabled' });

await browser.close();
await mock.close();
