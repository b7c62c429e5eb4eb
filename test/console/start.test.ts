/** The first view of the console: what connects an application. */
import { expect, test } from '@jest/globals';
import { openPage } from '../support/page.ts';
import { listeningServer } from '../support/server.ts';

const server = await listeningServer();
const rows = {
  connections: [
    { key_id: 'mail', type: 'OAUTH' },
    { key_id: 'crm', type: 'TRUSTED_IDP' },
  ],
  connected_accounts: [
    { connector: 'mail', identifier: 'active', status: 'ACTIVE', token_expires_at: '+2d' },
    { connector: 'mail', identifier: 'refreshed', status: 'ACTIVE', token_expires_at: '-1d' },
    { connector: 'mail', identifier: 'cut', status: 'DISCONNECTED', token_expires_at: '+3d' },
    { connector: 'mail', identifier: 'pending', status: 'PENDING_AUTH' },
    { connector: 'mail', identifier: 'far', status: 'ACTIVE', token_expires_at: '+31d' },
    { connector: 'mail', identifier: 'edge', status: 'ACTIVE', token_expires_at: '+30d' },
    { connector: 'crm', identifier: 'none' },
  ],
};
const own = await server.isolated({
  name: 'own',
  clock: '2026-03-01T12:00:00Z',
  scenario: { environments: { own: rows } },
});
const page = await openPage(`${server.mock.url}/_mock/#/own`);

test('an application is connected with the credentials of the environment', async () => {
  const { client_id, client_secret, access_token } = (await own.control('GET', '')).body;
  await page.press('Copy as .env');
  await page.press('Copy a call');
  await page.press('Copy Token');
  expect(page.copied).toEqual([
    [
      `CA_MOCK_URL=${server.mock.url}`,
      `CA_MOCK_CLIENT_ID=${client_id}`,
      `CA_MOCK_CLIENT_SECRET=${client_secret}`,
      `CA_MOCK_ACCESS_TOKEN=${access_token}`,
    ].join('\n'),
    `curl -X GET '${server.mock.url}/api/v1/connected_accounts' \\\n  -H 'Authorization: Bearer ${access_token}'`,
    access_token,
  ]);
});

test('the page of an account that waits is offered first; the user can choose another that has a page', async () => {
  const names = page.find('Account').childNodes.map(({ text }) => text.split(' ')[2]);
  expect(names).toEqual(['active', 'refreshed', 'cut', 'pending', 'far', 'edge']);
  const link = async () => (await own.control('GET', '/resources/authorization_links')).body.rows.at(-1);
  await page.press('Open its page');
  expect(await link()).toMatchObject({ identifier: 'cut', link: page.opened.at(-1) });
  await own.control('POST', `/links/${(await link()).token}/deny`);
  const { rows: found } = (await own.control('GET', '/resources/connected_accounts?query=pending')).body;
  await page.write('Account', found[0].id, 'change');
  await page.press('Open its page');
  expect(page.sent().at(-1)).toBe(`POST environments/own/links {"id":"${found[0].id}"}`);
  await own.control(
    'POST',
    `/links/${(await own.control('GET', '/resources/authorization_links?query=pending')).body.rows[0].token}/deny`,
  );
});
