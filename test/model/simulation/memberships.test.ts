/** Behaviour M7, M8: what users can do with invitations, and what testers can do with memberships. */
import { expect, test } from '@jest/globals';
import { environmentKey } from '../../../src/core/ids.ts';
import { getRow } from '../../../src/core/table.ts';
import type { State } from '../../../src/model/domain/state.ts';
import {
  acceptInvitation,
  type MembershipMove,
  moveMembership,
  viewInvitation,
} from '../../../src/model/simulation/memberships.ts';
import { call, codeOf, HOUR, type Options, refusal, START, simulate, stateOf } from '../../support/core.ts';
import { ACME, directory, userRow } from '../../support/people.ts';

const KEY = environmentKey('env_100000000000000001');
const view = (state: State, token: string, options?: Options) =>
  simulate(state, viewInvitation, { token }, options).reply;
const accept = (state: State, token: string, options?: Options) =>
  simulate(state, acceptInvitation, { token }, options);
const resend = (state: State, user: string, options?: Options) =>
  call(state, 'resendInvite', { path: { organization_id: ACME, id: `usr_${user}` }, body: {} }, options);
const userOf = (state: State, user: string) =>
  call(state, 'updateMembership', { path: { organization_id: ACME, id: `usr_${user}` }, body: {} }).body.user;
const tokenIn = (link: string | undefined): string => link?.split('/').at(-1) ?? '';

test('behaviour M8: the e-mail address is verified once the user has joined, unless the row says otherwise', () => {
  const verified = (state: State, user: string) => userOf(state, user).user_profile?.email_verified;
  const users = ['ada', 'margaret', 'grace']; // ACTIVE, INACTIVE and PENDING_INVITE
  expect(users.map((user) => verified(directory(), user))).toEqual([true, true, false]);
  const { state } = accept(directory(), `token-grace${KEY}`);
  expect(verified(state, 'grace')).toBe(true);
  const wrong = userRow('grace', { user_profile: { id: 'usp_grace', email_verified: false } });
  const accepted = accept(stateOf({ users: [wrong] }, directory()), `token-grace${KEY}`).state;
  expect(verified(accepted, 'grace')).toBe(true);
  const path = { organization_id: ACME, id: 'usr_grace' };
  const left = call(state, 'deleteMembership', { path, body: {} }).state;
  expect(getRow(left.users, 'usr_grace')?.user_profile?.email_verified).toBe(true);
  const ada = getRow(state.users, 'usr_ada');
  const doubted = { id: 'usp_ada', email_verified: false };
  const said = stateOf({ users: ada ? [{ ...ada, user_profile: doubted }] : [] }, state);
  expect(verified(said, 'ada')).toBe(false);
});

test('behaviour M8: accepting an invitation makes the member ACTIVE, logs a SUCCESS and sets the last login time', () => {
  const { reply, state, changes } = accept(directory(), `token-grace${KEY}`, { now: START + HOUR });
  expect(view(directory(), `token-grace${KEY}`)).toEqual({ ...reply, pageState: 'open' });
  expect(reply).toEqual({
    pageState: 'accepted',
    email: 'grace@acme.test',
    organization: 'Acme Corporation',
    inviter_email: 'ada@acme.test',
    expires_at: '2026-03-13T12:00:00.000Z',
  });
  const now = '2026-03-01T13:00:00.000Z';
  const user = userOf(state, 'grace');
  expect(user.last_login_time).toBe(now);
  expect(user.memberships).toMatchObject([{ membership_status: 'ACTIVE', accepted_at: now, join_time: now }]);
  const { authRequests } = call(state, 'listAuthenticationRequests').body;
  expect(authRequests).toEqual([
    {
      auth_request_id: expect.stringMatching(/^[A-Za-z0-9_-]{43,}$/),
      status: 'SUCCESS',
      email: 'grace@acme.test',
      organization_id: ACME,
      environment_id: 'env_100000000000000001',
      workflow: 'INVITATION',
      timestamp: now,
    },
  ]);
  expect(changes).toMatchObject([
    { type: 'invite.accepted', from: 'PENDING_INVITE', to: 'ACTIVE' },
    { type: 'authentication_request.created', to: 'SUCCESS' },
  ]);
});

test('behaviour M7: a reminder has the same link; a new invitation replaces the old link', () => {
  expect(tokenIn(resend(directory(), 'grace').emails[0]?.link)).toBe(`token-grace${KEY}`);
  const renewed = resend(directory(), 'linus');
  expect(view(renewed.state, `token-linus${KEY}`)).toEqual({ pageState: 'replaced' });
  expect(accept(renewed.state, `token-linus${KEY}`).state).toBe(renewed.state);
  expect(accept(renewed.state, tokenIn(renewed.emails[0]?.link)).reply.pageState).toBe('accepted');
  const later = resend(renewed.state, 'linus', { now: START + 1_000 * HOUR });
  expect(view(later.state, `token-linus${KEY}`)).toEqual({ pageState: 'replaced' });
});

test.each([
  ['ada', 'used'],
  ['linus', 'expired'],
  ['revoked', 'revoked'],
  ['nobody', 'unknown'],
])('behaviour M8: the page of the invitation of %s shows nothing but that it is %s', (user, pageState) => {
  expect(view(directory(), `token-${user}${KEY}`)).toEqual({ pageState });
});

const move = (state: State, user: string, action: MembershipMove['action'], options?: Options) =>
  simulate(state, moveMembership, { organization_id: ACME, user_id: `usr_${user}`, action }, options);

test('behaviour M8: the action accept does the same as the invitation page', () => {
  const moved = move(directory(), 'grace', 'accept');
  const onPage = simulate(directory(), acceptInvitation, { token: 'token-grace' });
  expect(moved.reply).toMatchObject({ organization_id: ACME, membership_status: 'ACTIVE' });
  expect(moved.changes).toEqual(onPage.changes);
  const rowIn = ({ memberships }: State) => getRow(memberships, `${ACME}/usr_grace`);
  expect(rowIn(moved.state)).toEqual(rowIn(onPage.state));
  expect(getRow(moved.state.users, 'usr_grace')?.last_login_time).toBe(START);
});

test('behaviour M8: a user without a profile has none after accepting', () => {
  const { state } = accept(directory(), `token-noprofile${KEY}`);
  const user = userOf(state, 'noprofile');
  expect(user.memberships).toMatchObject([{ membership_status: 'ACTIVE' }]);
  expect(user).not.toHaveProperty('user_profile');
});

test('the action activate lets an invited member join now, and their invitation has been used', () => {
  const { reply, state } = move(directory(), 'grace', 'activate');
  const now = '2026-03-01T12:00:00.000Z';
  expect(reply).toMatchObject({ membership_status: 'ACTIVE', join_time: now, accepted_at: now });
  expect(view(state, `token-grace${KEY}`)).toEqual({ pageState: 'used' });
});

test('the action invite replaces an invitation, and takes back when the member joined', () => {
  for (const user of ['ada', 'linus']) {
    const { reply, state } = move(directory(), user, 'invite');
    expect(reply).toMatchObject({ membership_status: 'PENDING_INVITE' });
    for (const time of ['accepted_at', 'join_time']) expect(reply).not.toHaveProperty(time);
    expect(view(state, `token-${user}${KEY}`)).toEqual({ pageState: 'replaced' });
  }
  expect(move(directory(), 'margaret', 'invite').reply.membership_status).toBe('PENDING_INVITE'); // never invited before
});

test('the action expire makes a pending invitation expire at once; setting the clock back makes the invitation pending again', () => {
  const { reply, state, changes } = move(directory(), 'grace', 'expire', { now: START + HOUR });
  expect(reply).toMatchObject({
    membership_status: 'INVITE_EXPIRED',
    expires_at: '2026-03-01T13:00:00.000Z',
  });
  const resource = { organization_id: ACME, user_id: 'usr_grace' };
  const moved = { type: 'membership.updated', resource, from: 'PENDING_INVITE', to: 'INVITE_EXPIRED' };
  expect(changes).toEqual([moved]);
  expect(userOf(state, 'grace').memberships?.[0]?.membership_status).toBe('PENDING_INVITE');
});

test('deactivate makes a member INACTIVE, activate makes the member ACTIVE again, and neither changes the join time', () => {
  const out = move(directory(), 'ada', 'deactivate');
  expect(out.reply).toMatchObject({ membership_status: 'INACTIVE', join_time: '2026-02-27T12:00:00.000Z' });
  const back = move(out.state, 'ada', 'activate', { now: START + HOUR });
  const joined = '2026-02-27T12:00:00.000Z';
  expect(back.reply).toMatchObject({ membership_status: 'ACTIVE', join_time: joined, accepted_at: joined });
  expect(back.changes).toMatchObject([{ from: 'INACTIVE', to: 'ACTIVE' }]);
});

test('behaviour M7: the invitation of a deactivated member who accepted it stays accepted, so a resend is refused', () => {
  const { state } = move(directory(), 'ada', 'deactivate');
  const error = refusal(() => resend(state, 'ada'));
  expect(error).toMatchObject({ errorCode: 'FAILED_PRECONDITION' });
  expect(error.message).toContain('accepted');
});

test('deactivate revokes an open invitation', () => {
  const { state, reply } = move(directory(), 'grace', 'deactivate');
  expect(reply.membership_status).toBe('INACTIVE');
  expect(simulate(state, acceptInvitation, { token: 'token-grace' }).reply).toEqual({
    pageState: 'revoked',
  });
  expect(codeOf(() => move(state, 'grace', 'accept'))).toBe('FAILED_PRECONDITION');
});

test.each([
  ['linus', 'expire'],
  ['ada', 'activate'],
  ['margaret', 'deactivate'],
  ['grace', 'invite'],
] as const)('an action changes nothing if the membership already has the resulting status (%s, %s)', (user, action) => {
  const state = directory();
  const outcome = move(state, user, action);
  expect(outcome.state).toBe(state);
  expect(outcome.changes).toEqual([]);
});

test.each([
  ['ada', 'accept', 'ACTIVE'],
  ['linus', 'accept', 'INVITE_EXPIRED'],
  ['margaret', 'accept', 'INACTIVE'],
  ['ada', 'expire', 'ACTIVE'],
  ['margaret', 'expire', 'INACTIVE'],
] as const)('for %s, the action %s is refused while the membership is %s, and the error names this status', (user, action, status) => {
  const error = refusal(() => move(directory(), user, action));
  expect(error.errorCode).toBe('FAILED_PRECONDITION');
  expect(error.message).toContain(`the membership is ${status}.`);
});

test('an action on an unknown user, or on a user outside the organization, is refused', () => {
  expect(codeOf(() => move(directory(), 'barbara', 'activate'))).toBe('NOT_FOUND');
  expect(refusal(() => move(directory(), 'nobody', 'activate')).message).toContain('usr_nobody');
});
