/** The guide in a browser: its search, and every page in both themes. */
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { expectGoodLooks } from './support/accessibility.ts';
import { setStage } from './support/browser.ts';

const stage = setStage();

const PAGES = [...readdirSync('src/guide').filter((file) => file.endsWith('.md')), 'rules.md'].map((file) =>
  file.replace('.md', '').replace('index', ''),
);

test.each(
  PAGES,
)('guide/%s is accessible and fits screens of 390 and 1440 pixels, dark and light', async (name) => {
  const page = await stage.open(`/_mock/guide/${name}`);
  await expectGoodLooks(page, name);
});

test('the guide can be searched by keyboard: Enter opens the first result, Escape closes the search', async () => {
  const page = await stage.open('/_mock/guide/');
  const results = page.locator('#found');
  await page.keyboard.press('/');
  await page.keyboard.type('clock advance');
  await results.getByRole('link').first().waitFor();
  expect(await results.getByRole('link').count()).toBeGreaterThan(2);
  await page.keyboard.press('Escape');
  await results.waitFor({ state: 'hidden' });
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill('xylophones zigzag');
  await results.getByText('Nothing found.').waitFor();
  await page.getByRole('searchbox').fill('clock advance');
  await results.getByRole('link').first().waitFor();
  const address = await results.getByRole('link').first().getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/guide/${address}`);
});
