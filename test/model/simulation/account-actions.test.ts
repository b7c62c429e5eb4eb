import { expect, test } from '@jest/globals';
import type { State } from '../../../src/model/domain/state.ts';
import { actOnAccount } from '../../../src/model/simulation/account-actions.ts';
import { ACTIONS, API_KEY, connectors, consent, create, OAUTH, statusOf } from '../../support/accounts.ts';
import { call, codeOf, HOUR, type Options, START, simulate } from '../../support/core.ts';

const act = (state: State, id: string, action: (typeof ACTIONS)[number], options?: Options) =>
  simulate(state, actOnAccount, { id, action }, options);

const KINDS = [
  ['mail', OAUTH],
  ['mail', undefined],
  ['crm', API_KEY],
  ['workspace', { vendorb_dwd: { subject: 'boss@acme.test' } }],
  ['warehouse', { trusted_idp: { db_user: 'ada' } }],
  ['weather', undefined],
] as const;

test.each(
  KINDS,
)('behaviour A8: expire makes an account of %s with the credentials %j EXPIRED at once, and denies its refresh', (connector, sent) => {
  const { state, id, account } = create(connectors, connector, sent);
  const { reply, state: next, changes } = act(state, id, 'expire');
  expect(reply).toMatchObject({ status: 'EXPIRED', token_expires_at: '2026-03-01T12:00:00.000Z' });
  expect(changes).toMatchObject([{ resource: { id }, from: account.status, to: 'EXPIRED' }]);
  const { body } = call(next, 'getConnectedAccountAuth', { query: { id } });
  expect(body.connected_account).not.toHaveProperty('authorization_details');
  expect(statusOf(next, id, { now: START - 1 })).toBe(account.status);
  expect(act(act(state, id, 'disconnect').state, id, 'expire').reply.status).toBe('EXPIRED');
});

test.each([
  ['crm', API_KEY],
  ['weather', undefined],
] as const)('behaviour A8: grant undoes expire or disconnect for an account of %s, which has no token to refresh', (connector, sent) => {
  const { state, id } = create(connectors, connector, sent);
  for (const action of ['expire', 'disconnect'] as const) {
    const { reply } = act(act(state, id, action).state, id, 'grant');
    expect(reply.status).toBe('ACTIVE');
    expect(reply).not.toHaveProperty('token_expires_at');
  }
});

test('behaviour A8: grant takes a disconnected account without credentials back to PENDING_AUTH', () => {
  const { state, id } = create(connectors, 'crm');
  expect(act(act(state, id, 'disconnect').state, id, 'grant').reply.status).toBe('PENDING_AUTH');
});

test('behaviour A8: grant makes an expired account refreshable, and leaves a disconnected one with a token to refresh as it is', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const expired = act(act(state, id, 'expire').state, id, 'grant');
  expect(expired.reply).toMatchObject({ status: 'ACTIVE', token_expires_at: '2026-03-01T12:00:00.000Z' });
  expect(act(act(state, id, 'disconnect').state, id, 'grant').reply.status).toBe('DISCONNECTED');
});

test.each([
  'expire',
  'disconnect',
] as const)('behaviour V3: a new consent after %s awaits verification', (action) => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const opened = consent(act(state, id, action).state, {
    user_verify_url: 'https://app.acme.test/done',
  }).state;
  expect(statusOf(opened, id)).toBe('PENDING_VERIFICATION');
});

test('behaviour A8: pend takes away the credentials with their end, so the account does not expire later', () => {
  const { state, id } = create(connectors, 'workspace', { vendorb_dwd: { subject: 'boss@acme.test' } });
  const { reply, state: next } = act(state, id, 'pend');
  expect(reply).not.toHaveProperty('token_expires_at');
  expect(statusOf(next, id, { now: START + 2 * HOUR })).toBe('PENDING_AUTH');
});

test.each([
  ['disconnect', 'DISCONNECTED'],
  ['expire', 'EXPIRED'],
  ['pend', 'PENDING_AUTH'],
] as const)('behaviour A8: %s makes an account %s at once, and ends its open verification request', (action, status) => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const opened = consent(state, { user_verify_url: 'https://app.acme.test/done' }).state;
  expect(statusOf(opened, id)).toBe('PENDING_VERIFICATION');
  const { reply, state: next } = act(opened, id, action);
  expect(reply.status).toBe(status);
  expect(next.verification_requests.rows.size).toBe(0);
});

test('behaviour A7, A8: after revoke, the same credentials again change nothing while the account reads ACTIVE, and bring it back later', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const body = { id, connected_account: { authorization_details: { ...OAUTH } } };
  const revoked = act(state, id, 'revoke').state;
  const again = call(revoked, 'updateConnectedAccount', { body });
  expect([again.state, again.changes]).toEqual([revoked, []]);
  const expired = act(revoked, id, 'expire').state;
  const back = call(expired, 'updateConnectedAccount', { body });
  expect(back.body.connected_account.status).toBe('ACTIVE');
});

test('no action returns credentials or changes updated_at, and an action on an unknown account is refused as NOT_FOUND', () => {
  for (const action of ACTIONS) {
    const { state, id, account } = create(connectors, 'mail', OAUTH);
    const { reply } = act(state, id, action, { now: START + HOUR });
    expect(reply).not.toHaveProperty('authorization_details');
    expect(reply.updated_at).toBe(account.updated_at);
    expect(codeOf(() => act(state, 'ca_9', action))).toBe('NOT_FOUND');
  }
});
