/** Environments, the overview, why a call was refused, and a call that fails on demand. */
import { expect } from '@jest/globals';
import { browserTest, setStage } from './support/browser.ts';
import { makeEnvironment, openConsole } from './support/environment.ts';

const stage = setStage();

const namesOf = async (): Promise<string[]> => {
  const { body } = await stage.server.call('GET', '/_mock/environments', { token: null });
  return body.environments.map(({ name }: { readonly name: string }) => name);
};

browserTest(
  'an environment can be created by a form, duplicated with its rows, found and deleted',
  async () => {
    const page = await stage.open('/_mock/#/development/environments');
    await page.getByText('New environment').click();
    await page.locator('[name=name]').fill('trial');
    await page.locator('[name=scenario]').fill('verify-flow');
    await page.locator('[name=clock]').fill('2030-01-01T00:00:00Z');
    await page.getByRole('button', { name: 'Create environment' }).click();
    await page.getByText('Environment trial created.').waitFor();
    const made = (await stage.server.call('GET', '/_mock/environments/trial', { token: null })).body;
    expect(made).toMatchObject({ scenario: 'verify-flow', clock: { mode: 'frozen' } });

    const account = { connected_accounts: [{ connector: 'mail', identifier: 'copied@acme.test' }] };
    await stage.server.call('PATCH', '/_mock/environments/trial/state', { token: null, body: account });
    await page.getByRole('button', { name: 'Duplicate trial' }).click();
    await page.getByText(/Environment trial-\w+ created/).waitFor();
    const copy = (await namesOf()).find((name) => name.startsWith('trial-')) ?? '';
    const path = `/_mock/environments/${copy}/resources/connected_accounts?query=copied`;
    expect((await stage.server.call('GET', path, { token: null })).body.total_size).toBe(1);

    await page.getByLabel('Search environments').first().fill('trial');
    await page.getByRole('link', { name: 'Open production' }).waitFor({ state: 'detached' });
    const remove = page.getByRole('button', { name: 'Delete trial', exact: true });
    page.once('dialog', (question) => question.dismiss());
    await remove.click();
    expect(await namesOf()).toContain('trial');
    page.once('dialog', (question) => question.accept());
    await remove.click();
    await page.getByText('Environment trial deleted.').waitFor();
    expect(await namesOf()).not.toContain('trial');
  },
);

browserTest('a refused call shows the broken rule, and a link to a call that works', async () => {
  const own = await makeEnvironment(stage.server);
  await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'ada@acme.test' });
  const page = await stage.open(own.console('overview'));
  await page.getByRole('region', { name: 'Failed calls' }).getByRole('button', { name: /POST/ }).click();
  const why = page.getByRole('region', { name: 'Why 409' });
  await why.getByText('a second create is 409 and changes nothing').first().waitFor();
  const rule = await why.getByRole('link', { name: 'A4' }).getAttribute('href');
  expect(rule).toBe('guide/rules#a4');
  const example = await why.getByRole('link', { name: /with example values/ }).getAttribute('href');
  expect(example).toBe(`docs#/${own.name}/createConnectedAccount`);
});

browserTest(
  'a ready-made fault makes the next call of an operation fail, and can be added again',
  async () => {
    const own = await makeEnvironment(stage.server);
    const connections = async (): Promise<number> => (await own.api('GET', '/api/v1/connections')).status;
    const page = await stage.open(own.console('faults'));
    const ready = page.getByRole('region', { name: 'Fail the next call' });
    await ready.getByRole('button').first().waitFor();
    expect(await ready.getByRole('button').allInnerTexts()).toEqual([
      ...['500', '503', '429', '401', 'Cut connection', 'Broken JSON', 'Wait 10 s'],
    ]);
    await ready.getByRole('combobox').selectOption('listConnections');
    await ready.getByRole('button', { name: '503' }).click();
    await page.getByRole('link', { name: '1 fault' }).waitFor(); // the badge in the bar
    const fault = page.getByRole('listitem').filter({ hasText: 'listConnections' });
    expect((await own.api('GET', '/api/v1/connected_accounts')).status).toBe(200);
    expect([await connections(), await connections()]).toEqual([503, 200]);
    await fault.getByText('used up', { exact: true }).waitFor();
    await page.getByRole('link', { name: '1 fault' }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Faults 0' }).waitFor();
    await fault.getByRole('button', { name: /^Add again/ }).click();
    await page.getByRole('heading', { name: 'Faults 1' }).waitFor();
    expect([await connections(), await connections()]).toEqual([503, 200]);
  },
);

browserTest(
  'a call can be pinned, and the next call shows the differences in request, reply and status',
  async () => {
    const own = await makeEnvironment(stage.server);
    await own.api('POST', '/api/v1/connected_accounts', { connector: 'mail', identifier: 'new@acme.test' });
    await own.api('POST', '/api/v1/connected_accounts', {
      connector: 'crm',
      identifier: 'new@acme.test',
      user_id: 7,
    });
    const page = await stage.open(own.console('journal/1'));
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: 'Pinned: open another call to compare', exact: true }).waitFor();
    await page.locator('tbody th button').first().click();
    const comparison = page.getByRole('region', { name: 'Compared with call 1 createConnectedAccount' });
    const lines = await comparison.locator('dl > div').allInnerTexts();
    const line = (name: string) =>
      lines.find((text) => text.startsWith(`${name}\n`))?.replaceAll(/\s+/g, ' ');
    expect(line('status')).toBe('status 201 400');
    expect(line('request body.connector')).toBe('request body.connector mail crm');
    expect(line('request body.user_id')).toBe('request body.user_id – 7');
    expect(line('request body.identifier')).toBeUndefined();
    expect(lines.some((text) => text.startsWith('response body.'))).toBe(true);
    await comparison.getByRole('button', { name: 'Unpin' }).click();
    await comparison.waitFor({ state: 'detached' });
  },
);

browserTest('the overview shows the numbers of rows, with links', async () => {
  const { own, page } = await openConsole(stage, 'overview');
  await page.getByRole('link', { name: '12 Accounts' }).waitFor();
  await own.control('PATCH', '/state', {
    connected_accounts: [{ connector: 'mail', identifier: 'x@y.test' }],
  });
  await page.getByRole('link', { name: '13 Accounts' }).click();
  await page.getByRole('heading', { name: 'Accounts' }).waitFor();
});
