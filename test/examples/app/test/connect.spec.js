import { expect, test } from 'connected-accounts-mock/playwright';

// The browser names the test's environment to the application at baseURL, which passes the header `baggage` on.

test('a user connects a mail account, and sees it', async ({ env, page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect your mail' }).click();
  await page.getByTestId('approve').click();
  await expect(page.getByText('mail you@acme.test: ACTIVE')).toBeVisible();
  await expect(env).toHaveReceived('verifyConnectedAccountUser', { status: 200 });
});

test('a user who denies access sees that the account is still pending', async ({ env, page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect your mail' }).click();
  await page.getByTestId('deny').click();
  await expect(page.getByText('mail you@acme.test: PENDING_AUTH')).toBeVisible();
  await expect(env).not.toHaveReceived('verifyConnectedAccountUser');
});

test('the page shows a message when the service is down', async ({ env, page }) => {
  await env.faults.add({ operation: 'createMembership', status: 500 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Invite Barbara' }).click();
  await expect(page.getByRole('status')).toHaveText('Please try again later.');
  await expect(env).toHaveReceived('createMembership', { status: [500] });
});
