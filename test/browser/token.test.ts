import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { browserTest, setStage } from './support/browser.ts';

const stage = setStage({ controlToken: 'sesame' });

browserTest(
  'with a control token, the console asks for it, refuses another, and saves an archive',
  async () => {
    const page = await stage.open('/_mock/#/development/journal');
    const field = page.getByLabel('Token');
    await field.waitFor();
    // The browser reports the refused calls, which this test expects.
    stage.forgive(/401/);
    for (const token of ['guess', 'sesame']) {
      await field.fill(token);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      if (token === 'guess') await page.getByText('Wrong token.').waitFor();
    }
    await stage.server.call('GET', '/api/v1/connections');
    await page.getByRole('row', { name: /listConnections/ }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export HAR' }).click();
    const har = JSON.parse(readFileSync(await (await saved).path(), 'utf8'));
    expect(har.log.entries).toHaveLength(1);
  },
);

browserTest('with a control token, the references ask for the token and send it', async () => {
  const page = await stage.open('/_mock/docs?of=control#/development/getSettings');
  stage.forgive(/401/);
  await page.getByLabel('Token').fill('sesame');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByRole('region', { name: 'Reply' }).getByText('200', { exact: true }).waitFor();
  await page.goto(stage.addressOf('/_mock/docs#/development/listConnections'));
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByRole('region', { name: 'Reply' }).getByText('200', { exact: true }).waitFor();
});
