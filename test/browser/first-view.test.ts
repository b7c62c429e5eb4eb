import { expect } from '@jest/globals';
import { browserTest, setStage } from './support/browser.ts';

const stage = setStage({ scenario: 'large' });

browserTest('a view of 100,000 accounts can be paged and searched', async () => {
  const page = await stage.open('/_mock/#//connected_accounts');
  const rows = page.getByRole('row');
  await rows.nth(1).waitFor();
  const name = await rows.nth(1).getByRole('button').first().innerText();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText(name.split('\n')[0] ?? '', { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('Search accounts').fill('person-49999');
  await page
    .getByRole('button', { name: /person-49999/ })
    .first()
    .waitFor();
});

browserTest('a first visit loads less than 60 KB', async () => {
  const { mock } = stage.server;
  const files = ['', 'assets/console.js', 'assets/style.css', 'assets/icon.svg', 'environments'];
  files.push('environments/development/resources');
  const sizes = await Promise.all(
    files.map(async (file) => {
      const response = await fetch(`${mock.url}/_mock/${file}`, { headers: { 'accept-encoding': 'gzip' } });
      expect([file, response.status]).toEqual([file, 200]);
      return Number(response.headers.get('content-length'));
    }),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * 1024);
});
