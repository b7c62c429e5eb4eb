import { expect } from '@jest/globals';
import { browserTest, setStage } from './support/browser.ts';

const stage = setStage();

browserTest("the reference's Try it out works at once: a token is filled in", async () => {
  const page = await stage.open('/_mock/docs');
  await page.getByText('A token of development is filled in').waitFor();
  const operation = page.locator('#operations-connections-listConnections');
  await operation.getByRole('button').first().click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  expect(await operation.locator('.live-responses-table').innerText()).toContain('"connections": [');
});

browserTest('what the description of the service leaves open is marked as inferred', async () => {
  const page = await stage.open('/_mock/docs');
  const operation = page
    .locator('#operations-custom_providers-deleteCustomProvider, [id$=-deleteCustomProvider]')
    .first();
  await operation.getByText('· inferred').waitFor();
  await operation.getByRole('button').first().click();
  await operation.getByText('Inferred.').first().waitFor();
});

browserTest('the control plane has a reference of its own, and its calls work too', async () => {
  const page = await stage.open('/_mock/docs?of=control');
  const operation = page.locator('[id$=-getHealth]').first();
  await operation.getByRole('button').first().click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
});
