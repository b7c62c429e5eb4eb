import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { setStage } from './support/browser.ts';

const stage = await setStage({ controlToken: 'sesame' });

test('the pages ask for the control token, refuse a wrong token, and send the right one', async () => {
  const page = await stage.open('/_mock/docs?of=control#/development/getSettings');
  stage.forgive(/401/); // the browser reports the refused calls
  const enter = async (token: string): Promise<void> => {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
  };
  const execute = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('region', { name: 'Reply' }).getByText('200', { exact: true }).waitFor();
  };
  await enter('guess');
  await page.getByText('Wrong token.').waitFor();
  await enter('sesame');
  await execute();
  await page.goto('/_mock/docs#/development/listConnections');
  await execute();
  await page.goto('/_mock/#/development/setup');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain('environments:\n  development:\n');
});
