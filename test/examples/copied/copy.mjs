// Makes calls, marks them in the console, and copies them as a test for each runner, as a user would.
import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { startMock } from 'connected-accounts-mock';

const mock = await startMock({ port: 0, log: 'silent' });
const env = await mock.environment('development');
const { accessToken, clientId, clientSecret } = env.credentials;

const ask = async (method, path, body) => {
  const form = body instanceof URLSearchParams;
  const response = await fetch(`${env.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${accessToken}`,
      ...(body && !form && { 'content-type': 'application/json' }),
    },
    body: form ? body : JSON.stringify(body),
  });
  return response.json();
};

const ACCOUNTS = '/api/v1/connected_accounts';
const linus = { connector: 'calendar', identifier: 'linus@acme.test' };
const user_verify_url = 'https://application.test/verified';

// A row that a later call names by its id, and a masked credential.
const oauth_token = { access_token: 'secret-of-linus', refresh_token: 'refresh-of-linus' };
const { connected_account: account } = await ask('POST', ACCOUNTS, {
  ...linus,
  connected_account: { authorization_details: { oauth_token } },
});
await ask('GET', `${ACCOUNTS}/details?id=${account.id}`);
const { provider } = await ask('POST', '/api/v1/custom-providers', {
  display_name: 'Copied',
  proxy_url: 'https://copied.test',
  auth_patterns: [{ type: 'API_KEY' }],
});
await ask('PUT', `/api/v1/custom-providers/${encodeURIComponent(provider.identifier)}`, {
  description: 'new',
});
await ask(
  'POST',
  '/oauth/token',
  new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
);
// A fault, and moves of the clock in both directions.
await env.faults.add({ operation: 'listConnections', status: 429, retry_after: 2, times: 1 });
await ask('GET', '/api/v1/connections');
await env.advance('15d');
await ask('GET', '/api/v1/connections');
await env.setClock({ mode: 'running', now: new Date().toISOString() });
// A user approves a link, and then denies another.
const approved = await ask('POST', `${ACCOUNTS}/magic_link`, { ...linus, user_verify_url, state: 'kept' });
const { auth_request_id } = await env.links.approve(approved.link);
await ask('POST', `${ACCOUNTS}/user/verify`, { auth_request_id, identifier: linus.identifier });
await ask('POST', `${ACCOUNTS}/user/verify`, { auth_request_id, identifier: linus.identifier });
const denied = await ask('POST', `${ACCOUNTS}/magic_link`, { ...linus, user_verify_url });
await fetch(`${denied.link}?decision=deny`, { redirect: 'manual' });
await ask('POST', ACCOUNTS, linus);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu'],
});
const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
const page = await context.newPage();
await page.goto(`${mock.url}/_mock/#/development/calls`);
const marks = page.getByLabel(/^Mark call/);
await marks.first().waitFor();
for (const mark of await marks.all()) await mark.check();
const RUNNERS = {
  Vitest: 'vitest/copied.test.js',
  Jest: 'jest/copied.test.js',
  Playwright: 'playwright/copied.spec.js',
};
for (const [runner, file] of Object.entries(RUNNERS)) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: `Copy as test · ${runner}` }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  mkdirSync(file.split('/')[0], { recursive: true });
  writeFileSync(file, await page.evaluate(() => navigator.clipboard.readText()));
}
await browser.close();
await mock.close();
