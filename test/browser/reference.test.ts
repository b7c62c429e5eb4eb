import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectGoodLooks } from './support/accessibility.ts';
import { setStage } from './support/browser.ts';

const stage = setStage({ grpcDescriptors: ['test/grpc/accounts.binpb'] });

const reset = () => stage.server.control('POST', '/environments/development/reset', {});

const show = async (page: Page, operation: string): Promise<void> => {
  await page.evaluate(`location.hash = '#/development/${operation}'`);
  await page.locator('main code.tag', { hasText: new RegExp(`^${operation}$`) }).waitFor();
};

/** Sends the form, and returns the status of the reply. */
const execute = async (page: Page): Promise<number> => {
  await page.getByRole('button', { name: 'Execute' }).click();
  return Number(await page.getByRole('region', { name: 'Reply' }).locator('.code').innerText());
};

test('every operation answers 2xx with the example values of its form', async () => {
  const page = await stage.open('/_mock/docs');
  const answers: Record<string, number> = {};
  page.on('dialog', (question) => question.accept());
  const operations = new Set(readFileSync('openapi.yaml', 'utf8').match(/(?<=operationId: )\w+/g));
  for (const operation of operations) {
    await reset();
    await show(page, operation);
    answers[operation] = await execute(page);
  }
  expect(Object.keys(answers)).toHaveLength(24);
  expect(Object.entries(answers).filter(([, status]) => status < 200 || status > 299)).toEqual([]);
});

test('a link in a description works, and a link that would run a script stays text', async () => {
  const page = await stage.open('/_mock/docs');
  const link = page.getByRole('link', { name: "rule of the mock's behaviour", exact: true });
  expect(await link.getAttribute('href')).toBe(`${stage.server.mock.url}/_mock/guide/rules#a5`);
  const description =
    'See [the guide](guide/moving), [this](javascript:alert(1)) and [that](data:text/html,x).';
  await page.route('**/openapi.json', async (route) => {
    const contract = await (await route.fetch()).json();
    await route.fulfill({ json: { ...contract, info: { ...contract.info, description } } });
  });
  await page.reload();
  const words = page.getByRole('main').locator('p', { hasText: 'See the guide' });
  expect(await words.innerText()).toBe(description.replace('[the guide](guide/moving)', 'the guide'));
  const addresses = await words
    .getByRole('link')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  expect(addresses).toEqual(['guide/moving']);
});

test('the reference of the control plane works', async () => {
  const page = await stage.open('/_mock/docs?of=control');
  for (const operation of ['getHealth', 'listSnapshots', 'createEnvironment', 'listEvents']) {
    await show(page, operation);
    expect([operation, Math.floor((await execute(page)) / 100)]).toEqual([operation, 2]);
  }
});

test.each([
  ['docs', ''],
  ['docs?of=control', ''],
  ['docs', 'createConnectedAccount'],
  ['docs', 'listConnectedAccounts'],
  ['docs', 'issueToken'],
  ['docs?of=control', 'listFaults'],
])('%s (%s) is accessible and fits at 390 and 1440 pixels, dark and light', async (path, operation) => {
  await reset();
  const page = await stage.open(`/_mock/${path}`, { viewport: { width: 1440, height: 844 } });
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (operation !== '') {
    await show(page, operation);
    await execute(page);
    await page.locator('.reply:not([open]) > summary').first().click();
  }
  await expectGoodLooks(page, operation);
});
