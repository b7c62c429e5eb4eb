/** Behaviour A7, A9: updating and deleting accounts. */
import { expect, test } from '@jest/globals';
import { actOnAccount } from '../../../src/model/simulation/account-actions.ts';
import { API_KEY, connectors, consent, create, details, OAUTH, statusOf } from '../../support/accounts.ts';
import { call, codeOf, HOUR, MINUTE, refusedFields, START, simulate } from '../../support/core.ts';

const NOW = '2026-03-01T12:00:00.000Z';

const update = (state: typeof connectors, body: object, now = START) =>
  call(state, 'updateConnectedAccount', { body }, { now });

test('behaviour A7: api_config merges member by member at its top level, and the status stays', () => {
  const { state, id } = create(connectors, 'mail', undefined, {
    connected_account: { api_config: { folder: 'inbox', limits: { a: 1, b: 2 } } },
  });
  const sent = { api_config: { limits: { a: 3 }, lang: 'en' } };
  const { body, changes } = update(state, { id, connected_account: sent }, START + MINUTE);
  expect(body.connected_account).toMatchObject({
    status: 'PENDING_AUTH',
    api_config: { folder: 'inbox', limits: { a: 3 }, lang: 'en' },
    updated_at: '2026-03-01T12:01:00.000Z',
  });
  expect(body.connected_account.api_config).toHaveProperty('limits', { a: 3 });
  expect(changes).toEqual([{ type: 'connected_account.updated', resource: { id } }]);
});

test('behaviour A7: credential members that are sent replace the old members, and the others stay', () => {
  const held = { ...OAUTH?.oauth_token, domain: 'acme', scopes: ['mail.send'] };
  const { state, id } = create(connectors, 'mail', { oauth_token: held });
  const sent = { access_token: 'access-2', scopes: [] };
  const { body } = update(state, { id, connected_account: { authorization_details: { oauth_token: sent } } });
  expect(body.connected_account.authorization_details).toEqual({ oauth_token: { ...held, ...sent } });
  const unfit = { id, connected_account: { authorization_details: API_KEY } };
  expect(refusedFields(() => update(state, unfit))).toEqual([
    'connected_account.authorization_details.static_auth',
  ]);
  const crm = create(connectors, 'crm', API_KEY);
  const static_auth = { details: { token: 't-2' } };
  const replaced = update(crm.state, {
    id: crm.id,
    connected_account: { authorization_details: { static_auth } },
  });
  expect(replaced.body.connected_account.authorization_details).toEqual({ static_auth });
});

const ENDED = ['disconnect', 'expire'] as const;
const ENDS = [...ENDED, 'revoke'] as const;

test.each(
  ENDS,
)('behaviour A7: after %s, usable credentials make an account ACTIVE without an expiry', (action) => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const moved = simulate(state, actOnAccount, { id, action }).state;
  const sent = { authorization_details: { oauth_token: { access_token: 'access-2' } } };
  const { body, state: next } = update(moved, { id, connected_account: sent });
  expect(body.connected_account.status).toBe('ACTIVE');
  expect(body.connected_account).not.toHaveProperty('token_expires_at');
  expect(statusOf(next, id, { now: START + 1_000 * HOUR })).toBe('ACTIVE');
});

const REFRESH = { authorization_details: { oauth_token: { refresh_token: 'refresh-2' } } };

test.each(
  ENDED,
)('behaviour A7: after %s, sending only a refresh token makes an account ACTIVE, and /auth returns a new access token', (action) => {
  const { state, id } = create(connectors, 'mail', { oauth_token: { access_token: 'access-1' } });
  const ended = simulate(state, actOnAccount, { id, action }).state;
  const revived = update(ended, { id, connected_account: REFRESH });
  expect(revived.body.connected_account.status).toBe('ACTIVE');
  expect(update(revived.state, { id, connected_account: REFRESH }).state).toBe(revived.state);
  const { connected_account } = call(revived.state, 'getConnectedAccountAuth', { query: { id } }).body;
  expect(connected_account).toMatchObject({
    token_expires_at: '2026-03-01T13:00:00.000Z',
    authorization_details: { oauth_token: { refresh_token: 'refresh-2' } },
  });
  expect(connected_account.authorization_details?.oauth_token?.access_token).not.toBe('access-1');
});

test.each(
  ENDED,
)('behaviour A7: after %s, a refresh token alone also ends what the user had still to verify', (action) => {
  const { state, id } = create(connectors, 'mail', { oauth_token: { access_token: 'access-1' } });
  const ended = simulate(state, actOnAccount, { id, action }).state;
  const open = consent(ended, { user_verify_url: 'https://app.test/verify' }).state;
  expect(statusOf(open, id)).toBe('PENDING_VERIFICATION');
  expect(update(open, { id, connected_account: REFRESH }).body.connected_account.status).toBe('ACTIVE');
});

test('behaviour A7: a refresh token with which an account was created stays when the access token follows', () => {
  const { state, id } = create(connectors, 'mail', REFRESH.authorization_details);
  const access = { authorization_details: { oauth_token: { access_token: 'access-2' } } };
  const { body } = update(state, { id, connected_account: access });
  const oauth_token = { access_token: 'access-2', refresh_token: 'refresh-2' };
  expect(body.connected_account.authorization_details).toEqual({ oauth_token });
});

test('behaviour A8: after revoke, a new refresh token lets the provider refresh again', () => {
  const { state } = consent(connectors);
  const pair = { connector: 'mail', identifier: 'ada@acme.test' };
  const { id } = call(state, 'getConnectedAccountDetails', { query: pair }).body.connected_account;
  const revoked = simulate(state, actOnAccount, { id, action: 'revoke' }).state;
  expect(statusOf(revoked, id, { now: START + HOUR })).toBe('EXPIRED');
  const { state: next } = update(revoked, { id, connected_account: REFRESH });
  expect(statusOf(next, id, { now: START + HOUR })).toBe('ACTIVE');
});

test('behaviour A7, A8: sending only a refresh token leaves an account in PENDING_AUTH, and /auth does not return the token', () => {
  const { state, id } = create(connectors, 'mail');
  const { state: next, body } = update(state, { id, connected_account: REFRESH });
  expect(body.connected_account.status).toBe('PENDING_AUTH');
  const auth = call(next, 'getConnectedAccountAuth', { query: { id } });
  expect(auth.body.connected_account).not.toHaveProperty('authorization_details');
  expect(auth.state).toBe(next);
});

test('behaviour A7: an update that changes nothing does not move updated_at', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  for (const connected_account of [undefined, {}, { api_config: {} }, { authorization_details: OAUTH }]) {
    const answer = update(state, { id, ...(connected_account && { connected_account }) }, START + MINUTE);
    expect(answer.body.connected_account.updated_at).toBe(NOW);
    expect(answer.state).toBe(state);
    expect(answer.changes).toEqual([]);
  }
});

test('behaviour V6: an update with usable credentials ends the open requests of the account', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const { state: consented, auth_request_id } = consent(state, { user_verify_url: 'https://app.test/cb' });
  const answer = update(consented, { id, connected_account: { authorization_details: OAUTH } });
  expect(answer.changes).toMatchObject([{ from: 'PENDING_VERIFICATION', to: 'ACTIVE' }]);
  const waiting = consent(create(connectors, 'mail').state, { user_verify_url: 'https://app.test/cb' }).state;
  const pair = { connector: 'mail', identifier: 'ada@acme.test' };
  const kept = update(waiting, { ...pair, connected_account: REFRESH }).body.connected_account; // not usable
  expect(kept.status).toBe('PENDING_VERIFICATION');
  const verify = { body: { auth_request_id, identifier: 'ada@acme.test' } };
  expect(codeOf(() => call(answer.state, 'verifyConnectedAccountUser', verify))).toBe('NOT_FOUND');
});

test('behaviour A9: a deleted account is gone with its links and requests, and a new account in its place gets a new id', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const { state: consented } = consent(state, { user_verify_url: 'https://app.test/cb' });
  const { status, body, state: next, changes } = call(consented, 'deleteConnectedAccount', { body: { id } });
  expect({ status, body }).toEqual({ status: 200, body: {} });
  expect(changes).toEqual([
    { type: 'connected_account.deleted', resource: { id }, from: 'PENDING_VERIFICATION' },
  ]);
  expect(codeOf(() => details(next, id))).toBe('NOT_FOUND');
  expect([next.authorization_links.rows.size, next.verification_requests.rows.size]).toEqual([0, 0]);
  expect(create(next, 'mail').id).not.toBe(id);
});

test.each([
  ['mail', OAUTH],
  ['crm', API_KEY],
  ['workspace', { vendorb_dwd: { subject: 'boss@acme.test' } }],
  ['warehouse', { trusted_idp: { db_user: 'ada' } }],
] as const)('behaviour A7: sending the same credentials of %s again changes nothing, unless the account has ended', (connector, sent) => {
  const { state, id, account } = create(connectors, connector, sent);
  const body = { id, connected_account: { authorization_details: sent } };
  const again = update(state, body, START + MINUTE);
  expect(again.state).toBe(state);
  expect(again.body.connected_account).toEqual(account);
  for (const action of ENDED) {
    const ended = simulate(state, actOnAccount, { id, action }).state;
    expect(update(ended, body, START + MINUTE).body.connected_account.status).toBe('ACTIVE');
  }
});
