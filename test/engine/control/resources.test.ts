import { expect, test } from '@jest/globals';
import { testServer } from '../../support/server.ts';

const server = testServer();

const KINDS = {
  connected_accounts: 12,
  users: 6,
  memberships: 6,
  organizations: 2,
  roles: 2,
  connections: 17,
  custom_providers: 2,
  authorization_links: 0,
  verification_requests: 1,
  authentication_requests: 25,
  stubs: 0,
};

test('the overview and the list of each kind show the same number of rows', async () => {
  const { control } = await server.isolated();
  expect((await control('GET', '/resources')).body).toEqual(KINDS);
  for (const [kind, total_size] of Object.entries(KINDS)) {
    const { body } = await control('GET', `/resources/${kind}?page_size=200`);
    expect([kind, body.rows.length, body.total_size]).toEqual([kind, total_size, total_size]);
  }
});

test('no row is on two pages', async () => {
  const { control } = await server.isolated();
  const page = async (query: string) =>
    (await control('GET', `/resources/connections?page_size=10${query}`)).body;
  const first = await page('');
  const second = await page(`&page_token=${first.next_page_token}`);
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(17);
  expect([first.first, second.first]).toEqual([1, 11]);
  expect(second.next_page_token).toBe('');
});

test.each([
  ['connected_accounts', 'EXPIRED', ['ca_100000000000000002']],
  ['connected_accounts', 'ca_100000000000000006', ['ca_100000000000000006']],
  ['connected_accounts', 'LiNuS', ['ca_100000000000000005']],
  ['connected_accounts', 'mail%20pending_verification', ['ca_100000000000000004']],
  ['users', 'globex%20inactive', ['usr_100000000000000004']],
  ['users', 'barbara', ['usr_100000000000000005']],
  ['connections', 'draft', ['conn_100000000000000014']],
  ['custom_providers', 'wiki', ['prv_100000000000000001']],
])('a search finds %s by %s', async (kind, query, ids) => {
  const { control } = await server.isolated();
  const { body } = await control('GET', `/resources/${kind}?query=${query}`);
  expect(body.rows.map(({ id }: { id: string }) => id)).toEqual(ids);
});

test('a link to an account is listed, and approving the link makes the account ACTIVE', async () => {
  const { control } = await server.isolated();
  const id = 'ca_100000000000000002';
  const { status, body } = await control('POST', '/links', { id });
  expect(status).toBe(201);
  const listed = (await control('GET', '/resources/authorization_links')).body.rows;
  expect(listed).toMatchObject([{ status: 'OPEN', link: body.link, connected_account_id: id }]);
  await control('POST', `/links/${listed[0].token}/approve`);
  const { rows } = (await control('GET', `/resources/connected_accounts?query=${id}`)).body;
  expect(rows).toMatchObject([{ id, status: 'ACTIVE' }]);
});

test('a link is listed as expired from its very end, and as used once the user has decided', async () => {
  const { control } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  for (const id of ['ca_100000000000000001', 'ca_100000000000000002'])
    await control('POST', '/links', { id });
  const list = async () => (await control('GET', '/resources/authorization_links')).body.rows;
  const statuses = async () => (await list()).map(({ status }: { status: string }) => status);
  await control('POST', `/links/${(await list())[0].token}/deny`);
  await control('POST', '/clock/advance', { by: '14m59s999ms' });
  expect(await statuses()).toEqual(['USED', 'OPEN']);
  await control('POST', '/clock/advance', { by: '1ms' });
  expect(await statuses()).toEqual(['USED', 'EXPIRED']);
});

test('all scenarios are listed, sorted by name', async () => {
  const { body } = await server.call('GET', '/_mock/scenarios');
  const names = body.scenarios.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['default', 'empty', 'large', 'verify-flow']));
  expect(names).toEqual(names.toSorted());
});
