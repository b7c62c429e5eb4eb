import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../support/server.ts';

const server = testServer();

test('accounts, members and connections can be named by their natural keys', async () => {
  const { control } = await server.isolated();
  const account = await control('POST', '/connected_accounts/MAIL%2Fada@acme.test/expire');
  expect(account.body.connected_account).toMatchObject({ id: 'ca_100000000000000001', status: 'EXPIRED' });
  const member = await control('POST', '/memberships/acme/Grace@acme.test/accept');
  expect(member.body.membership).toMatchObject({ membership_status: 'ACTIVE' });
  const link = await control('POST', '/links', { id: 'calendar/ada@acme.test' });
  expect([link.status, link.body.link]).toEqual([201, expect.stringContaining('/magicLink/')]);
  const attempt = { email: 'ada@acme.test', connection_id: 'acme-oidc', outcome: 'success' };
  expect((await control('POST', '/sign-ins', attempt)).body.authentication_request).toMatchObject({
    connection_id: 'conn_100000000000000015',
  });
});

const makeLink = async ({ api }: Isolated): Promise<string> => {
  const { body } = await api('POST', '/api/v1/connected_accounts/magic_link', {
    connector: 'chat',
    identifier: 'ada@acme.test',
    user_verify_url: 'https://app.test/verify?a=1',
    state: 's1',
  });
  return body.link.split('/').at(-1);
};

test('a link is denied without a browser, once, by its own environment, and until it expires', async () => {
  const isolated = await server.isolated();
  const [token, late] = [await makeLink(isolated), await makeLink(isolated)];
  const other = await server.isolated();
  expect((await other.control('POST', `/links/${token}/approve`)).status).toBe(404);
  const { body } = await isolated.control('POST', `/links/${token}/deny`);
  expect(body.redirect_url).toContain('error=access_denied');
  expect(body).not.toHaveProperty('auth_request_id');
  await isolated.control('POST', '/clock/advance', { by: '15m' });
  for (const ended of [token, late]) {
    const { status, body: answer } = await isolated.control('POST', `/links/${ended}/approve`);
    expect([status, answer.error.code]).toEqual([410, 'GONE']);
  }
});
