// Playwright: a real browser on the consent page. Start the mock with `webServer: { command: 'npx ca-mock', url: 'http://127.0.0.1:4720/_mock/health' }`.
import { test as base, expect } from '@playwright/test';
import { connectMock } from 'connected-accounts-mock';

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
  env: async ({}, use) => {
    const mock = await connectMock(process.env.MOCK_URL ?? 'http://127.0.0.1:4720');
    const env = await mock.createEnvironment({ scenario: 'default' });
    await use({ ...env, url: mock.url });
    await env.delete();
  },
});

test('a user connects a mail account', async ({ env, page, request }) => {
  const headers = { authorization: `Bearer ${env.credentials.accessToken}` };
  const answer = await request.post(`${env.url}/api/v1/connected_accounts/magic_link`, {
    headers,
    data: { connector: 'mail', identifier: 'you@acme.test' },
  });
  await page.goto((await answer.json()).link);
  await page.getByTestId('approve').click();
  await expect(page).toHaveURL(/\/connect\/success/);

  const account = await request.get(
    `${env.url}/api/v1/connected_accounts/details?connector=mail&identifier=you@acme.test`,
    { headers },
  );
  expect((await account.json()).connected_account.status).toBe('ACTIVE');
});
