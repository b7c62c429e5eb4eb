/** PATCH either sets a status that reads then return, or refuses it. It does not change other members. */
import { expect, test } from '@jest/globals';
import { absolute, fromStart, instantAt } from '../../../src/engine/core/moment.ts';
import { allRows } from '../../../src/engine/core/table.ts';
import { exportEnvironment } from '../../../src/engine/scenario/export.ts';
import { accountStatus } from '../../../src/service/accounts/rules.ts';
import { findUserByEmail } from '../../../src/service/directory/rules.ts';
import { findMembership, membershipStatus } from '../../../src/service/memberships/rules.ts';
import { mergeState, packaged, problemsOf, replaceState } from './files.ts';

const START = 1_800_000_000_000;
const AT_START = instantAt(START, START);
const LATER = instantAt(START + 20 * 86_400_000, START);

const development = packaged('default');

/** Writes a row of an account by PATCH. Returns the account with its new status. */
const accountAfter = (form: object, at = AT_START) => {
  const { state } = mergeState(development, { connected_accounts: [form] }, at);
  const row = [...allRows(state.connected_accounts)].find(
    ({ id, identifier }) => id === Reflect.get(form, 'id') || identifier === Reflect.get(form, 'identifier'),
  );
  return row && { ...row, status: accountStatus(state, row, at) };
};

/** Writes a user's membership in acme by PATCH. Returns the membership with its new status. */
const memberAfter = (email: string, membership: object, at = AT_START) => {
  const body = { users: [{ email, memberships: [{ organization_id: 'acme', ...membership }] }] };
  const { state } = mergeState(development, body, at);
  const row = findMembership(state, 'org_100000000000000001', findUserByEmail(state, email)?.id ?? '');
  return row && { ...row, membership_status: membershipStatus(row, at) };
};

const refusalOf = (body: object): string[] => problemsOf(() => mergeState(development, body, AT_START));

const CALENDAR = 'ca_100000000000000002'; // an EXPIRED account
const WAITING = 'ca_100000000000000004'; // a PENDING_VERIFICATION account

test('behaviour A8: PATCH can give an expired account another status', () => {
  expect(accountAfter({ id: CALENDAR, status: 'DISCONNECTED' })?.status).toBe('DISCONNECTED');
  expect(accountAfter({ id: CALENDAR, status: 'ACTIVE', token_expires_at: 'never' })?.status).toBe('ACTIVE');
  expect(accountAfter({ id: CALENDAR, api_config: { folder: 'inbox' } })?.status).toBe('EXPIRED');
  expect(accountAfter({ id: CALENDAR, token_expires_at: '+1h' })?.status).toBe('ACTIVE');
});

test.each([
  [CALENDAR, 'ACTIVE', 'EXPIRED'],
  ['ca_100000000000000001', 'EXPIRED', 'ACTIVE'],
  [WAITING, 'ACTIVE', 'PENDING_VERIFICATION'],
])('behaviour A8: PATCH refuses to set the account %s to %s, since the account would still read %s', (id, status, read) => {
  expect(refusalOf({ connected_accounts: [{ id, status }] })).toEqual([
    `connected_accounts[0].status: would read ${read} after loading, because of other members; write that value, or change those members`,
  ]);
});

test('behaviour M6: PATCH of the status alone makes a pending member ACTIVE or INACTIVE', () => {
  expect(memberAfter('grace@acme.test', { membership_status: 'ACTIVE' })).toMatchObject({
    membership_status: 'ACTIVE',
    accepted_at: fromStart(-3 * 86_400_000),
    join_time: fromStart(-3 * 86_400_000),
    invite: { is_revoked: false },
  });
  expect(memberAfter('grace@acme.test', { membership_status: 'INACTIVE' })?.membership_status).toBe(
    'INACTIVE',
  );
});

test('behaviour M6: PATCH of the expiry time makes a membership pending or expired; PENDING_INVITE without a new time is refused', () => {
  for (const end of [{ expires_at: '+1d' }, { invite: { expires_at: '+1d' } }])
    expect(memberAfter('linus@acme.test', end)?.membership_status).toBe('PENDING_INVITE');
  expect(memberAfter('grace@acme.test', { expires_at: '-1d' })?.membership_status).toBe('INVITE_EXPIRED');
  const memberships = [{ organization_id: 'acme', membership_status: 'PENDING_INVITE' }];
  expect(refusalOf({ users: [{ email: 'linus@acme.test', memberships }] })).toEqual([
    'users[0].memberships[0].membership_status: would read INVITE_EXPIRED after loading, because of other members; write that value, or change those members',
  ]);
});

test('PATCH replaces the inviter, whether given in the membership or in its invite', () => {
  const inviter_email = 'boss@acme.test';
  expect(memberAfter('grace@acme.test', { inviter_email })?.inviter_email).toBe(inviter_email);
  expect(memberAfter('grace@acme.test', { invite: { inviter_email } })?.inviter_email).toBe(inviter_email);
});

test('PATCH of one member of an invite keeps the others, such as the token of its link', () => {
  const before = memberAfter('grace@acme.test', {})?.invite;
  const after = memberAfter('grace@acme.test', { invite: { resent_count: 3 } })?.invite;
  expect([before?.token, after]).toEqual([expect.any(String), { ...before, resent_count: 3 }]);
});

test('behaviour E6: a row that PATCH or PUT writes without a time gets the current time, not the start of the environment', () => {
  const barbara = 'barbara@free.test';
  expect(memberAfter(barbara, { membership_status: 'PENDING_INVITE' }, LATER)?.membership_status).toBe(
    'PENDING_INVITE',
  );
  const account = { connector: 'mail', identifier: 'new', status: 'PENDING_VERIFICATION' };
  expect(accountAfter(account, LATER)?.status).toBe('PENDING_VERIFICATION');
  const expired = { connector: 'mail', identifier: 'new', status: 'EXPIRED', updated_at: '-2d' };
  expect(accountAfter(expired, LATER)).toMatchObject({
    token_expires_at: absolute(LATER.now),
    updated_at: absolute(LATER.now - 2 * 86_400_000), // a distance from now
  });
  const { state } = replaceState(development, { users: [{ email: 'new@acme.test' }] }, LATER);
  const replaced = exportEnvironment({ ...development, state }, LATER);
  expect(replaced).toHaveProperty('users.0.create_time', new Date(LATER.now).toISOString());
});
