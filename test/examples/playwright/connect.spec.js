import { expect, test } from 'connected-accounts-mock/playwright';

// The browser names the test's environment to the application at baseURL, which passes the header `baggage` on.

test('a user connects a mail account', async ({ env, page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect your mail' }).click();
  await page.getByTestId('approve').click();
  await env.waitForStatus('mail/you@acme.test', 'ACTIVE');
  await expect(env).toHaveReceived('createMagicLink', { times: 1, body: { connector: 'mail' } });
});

test('a user denies access', async ({ env, page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect your mail' }).click();
  await page.getByTestId('deny').click();
  await expect(env).toHaveReceived('createMagicLink', { times: 1 });
  await env.waitForStatus('mail/you@acme.test', 'PENDING_AUTH');
});

test('a user who comes back is verified, and sees the account', async ({ env, page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByTestId('approve').click();
  await expect(page.getByText('Your mail is ACTIVE.')).toBeVisible();
  await expect(env).toHaveReceived('verifyConnectedAccountUser', { times: 1, status: 200 });
});

for (const status of [429, 500, 503])
  test(`the application shows a message when the service answers ${status}`, async ({ env, page }) => {
    await env.faults.add({ operation: 'createMagicLink', status });
    await page.goto('/');
    await page.getByRole('button', { name: 'Connect your mail' }).click();
    await expect(page.getByText('Please try again later.')).toBeVisible();
    await expect(env).toHaveReceived('createMagicLink', { status: [status] });
  });

for (const status of ['ACTIVE', 'EXPIRED', 'DISCONNECTED'])
  test(`a user sees that an account is ${status}`, async ({ env, page }) => {
    await env.patchState({
      connected_accounts: [{ connector: 'mail', identifier: 'you@acme.test', status }],
    });
    await page.goto('/account');
    await expect(page.getByText(`Your mail is ${status}.`)).toBeVisible();
    await expect(env).toHaveReceived('getConnectedAccountDetails', { times: 1, status: 200 });
  });
