import { expect, test } from '@jest/globals';
import { type Isolated, testServer } from '../support/server.ts';

const server = testServer();

const ADA = '/connected_accounts/ca_100000000000000001';

test('behaviour A8: expire, grant, revoke and disconnect change the status in every read', async () => {
  const { control, api } = await server.isolated();
  const status = async () => {
    const { body } = await api('GET', '/api/v1/connected_accounts/details?id=ca_100000000000000001');
    return body.connected_account.status;
  };
  const expired = await control('POST', `${ADA}/expire`);
  expect(expired.body.connected_account).toMatchObject({ id: 'ca_100000000000000001', status: 'EXPIRED' });
  expect(expired.text).not.toContain('authorization_details');
  expect(await status()).toBe('EXPIRED');
  await control('POST', `${ADA}/grant`);
  expect(await status()).toBe('ACTIVE');
  await control('POST', `${ADA}/revoke`);
  expect(await status()).toBe('EXPIRED');
  await control('POST', `${ADA}/disconnect`);
  expect(await status()).toBe('DISCONNECTED');
});

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
  const unknown = await control('POST', '/connected_accounts/mail%2Fnobody@acme.test/expire');
  expect([unknown.status, unknown.body.error.message]).toEqual([
    404,
    expect.stringContaining('mail/nobody@acme.test was not found'),
  ]);
  expect((await control('POST', '/memberships/acme/nobody@acme.test/accept')).status).toBe(404);
});

test('an unknown action or account is refused', async () => {
  const { control } = await server.isolated();
  const action = await control('POST', `${ADA}/expired`);
  expect(action.status).toBe(400);
  expect(action.body.error.hint).toBe('Did you mean "expire"?');
  expect((await control('POST', '/connected_accounts/ca_999/expire')).status).toBe(404);
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

test('a link is approved without a browser, and the user verified', async () => {
  const isolated = await server.isolated();
  const token = await makeLink(isolated);
  const { status, body } = await isolated.control('POST', `/links/${token}/approve`);
  expect(status).toBe(200);
  const redirect = new URL(body.redirect_url);
  expect(Object.fromEntries(redirect.searchParams)).toEqual({
    a: '1',
    state: 's1',
    auth_request_id: body.auth_request_id,
  });
  const verified = await isolated.api('POST', '/api/v1/connected_accounts/user/verify', {
    auth_request_id: body.auth_request_id,
    identifier: 'ada@acme.test',
  });
  expect(verified.status).toBe(200);
});

test('a link is denied without a browser, and cannot be used again', async () => {
  const isolated = await server.isolated();
  const token = await makeLink(isolated);
  const { body } = await isolated.control('POST', `/links/${token}/deny`);
  expect(body.redirect_url).toContain('error=access_denied');
  expect(body).not.toHaveProperty('auth_request_id');
  const again = await isolated.control('POST', `/links/${token}/approve`);
  expect([again.status, again.body.error.code]).toEqual([410, 'GONE']);
});

test('an expired link is 410, and a link of another environment is 404', async () => {
  const isolated = await server.isolated();
  const token = await makeLink(isolated);
  const other = await server.isolated();
  expect((await other.control('POST', `/links/${token}/approve`)).status).toBe(404);
  await isolated.control('POST', '/clock/advance', { by: '15m' });
  expect((await isolated.control('POST', `/links/${token}/approve`)).status).toBe(410);
});

const GRACE = '/memberships/org_100000000000000001/usr_100000000000000002';

test('a membership is accepted, deactivated and activated', async () => {
  const { control } = await server.isolated();
  const move = async (action: string) => {
    const { body } = await control('POST', `${GRACE}/${action}`);
    return body.membership.membership_status;
  };
  expect(await move('accept')).toBe('ACTIVE');
  expect(await move('deactivate')).toBe('INACTIVE');
  expect(await move('activate')).toBe('ACTIVE');
});

test('an invitation that is made to expire can no longer be accepted', async () => {
  const { control } = await server.isolated();
  const { body } = await control('POST', `${GRACE}/expire`);
  expect(body.membership.membership_status).toBe('INVITE_EXPIRED');
  const { status, body: refused } = await control('POST', `${GRACE}/accept`);
  expect(status).toBe(400);
  expect(refused.error.code).toBe('FAILED_PRECONDITION');
});

test('behaviour L1: a simulated sign-in is in the log', async () => {
  const { control, api } = await server.isolated({ clock: '2026-03-01T12:00:00Z' });
  const { status, body } = await control('POST', '/sign-ins', {
    email: 'ada@acme.test',
    outcome: 'success',
    connection_id: 'conn_100000000000000015',
  });
  expect(status).toBe(201);
  expect(body.authentication_request).toMatchObject({
    status: 'SUCCESS',
    timestamp: '2026-03-01T12:00:00.000Z',
  });
  const log = await api('GET', '/api/v1/logs/authentication/requests?page_size=1');
  expect(log.body.authRequests).toEqual([body.authentication_request]);
});

test('a sign-in by a connection that holds accounts is refused', async () => {
  const { control } = await server.isolated();
  const given = { email: 'ada@acme.test', outcome: 'success', connection_id: 'mail' };
  const { status, body } = await control('POST', '/sign-ins', given);
  expect([status, body.error.message]).toEqual([
    400,
    expect.stringContaining('mail is a connection of type OAUTH'),
  ]);
});

test('a sign-in needs an e-mail and a known outcome', async () => {
  const { control } = await server.isolated();
  const { status, body } = await control('POST', '/sign-ins', { outcome: 'succes' });
  expect(status).toBe(400);
  expect(body.error.message).toContain('email is missing.');
  expect(body.error.hint).toBe('Add it. Did you mean "success"?');
});
