import { expect, test } from '@jest/globals';
import { getRow } from '../../src/core/table.ts';
import type { State } from '../../src/domain/state.ts';
import { acceptInvitation, type MembershipMove, moveMembership } from '../../src/simulation/memberships.ts';
import { call, HOUR, type Options, refusal, START, simulate } from '../support/core.ts';
import { ACME, directory } from '../support/people.ts';

const move = (state: State, user: string, action: MembershipMove['action'], options?: Options) =>
  simulate(state, moveMembership, { organization_id: ACME, user_id: `usr_${user}`, action }, options);

test('behaviour M8: the action accept does the same as the invitation page', () => {
  const moved = move(directory(), 'grace', 'accept');
  const onPage = simulate(directory(), acceptInvitation, { token: 'token-grace' });
  expect(moved.reply).toMatchObject({
    organization_id: ACME,
    membership_status: 'ACTIVE',
    join_time: '2026-03-01T12:00:00.000Z',
  });
  expect(moved.changes).toEqual(onPage.changes);
  expect(getRow(moved.state.memberships, `${ACME}/usr_grace`)).toEqual(
    getRow(onPage.state.memberships, `${ACME}/usr_grace`),
  );
  expect(getRow(moved.state.users, 'usr_grace')?.last_login_time).toBe(START);
});

test('expire makes a pending invitation expire now; setting the clock back opens it again', () => {
  const { reply, state, changes } = move(directory(), 'grace', 'expire', { now: START + HOUR });
  expect(reply).toMatchObject({
    membership_status: 'INVITE_EXPIRED',
    expires_at: '2026-03-01T13:00:00.000Z',
  });
  expect(changes).toEqual([
    {
      type: 'membership.updated',
      resource: { organization_id: ACME, user_id: 'usr_grace' },
      from: 'PENDING_INVITE',
      to: 'INVITE_EXPIRED',
    },
  ]);
  const body = {};
  const path = { organization_id: ACME, id: 'usr_grace' };
  const before = call(state, 'updateMembership', { path, body }, { now: START }).body.user;
  expect(before.memberships?.[0]?.membership_status).toBe('PENDING_INVITE');
});

test('deactivate makes a member INACTIVE, activate makes them ACTIVE again, and the join time stays', () => {
  const out = move(directory(), 'ada', 'deactivate');
  expect(out.reply).toMatchObject({ membership_status: 'INACTIVE', join_time: '2026-02-27T12:00:00.000Z' });
  const back = move(out.state, 'ada', 'activate', { now: START + HOUR });
  expect(back.reply).toMatchObject({ membership_status: 'ACTIVE', join_time: '2026-02-27T12:00:00.000Z' });
  expect(back.changes).toMatchObject([{ from: 'INACTIVE', to: 'ACTIVE' }]);
});

test('deactivate revokes an open invitation', () => {
  const { state, reply } = move(directory(), 'grace', 'deactivate');
  expect(reply.membership_status).toBe('INACTIVE');
  expect(simulate(state, acceptInvitation, { token: 'token-grace' }).reply).toEqual({
    pageState: 'revoked',
  });
  expect(refusal(() => move(state, 'grace', 'accept')).errorCode).toBe('FAILED_PRECONDITION');
});

test.each([
  ['linus', 'expire'],
  ['ada', 'activate'],
  ['margaret', 'deactivate'],
] as const)('an action that leads to the present status changes nothing (%s, %s)', (user, action) => {
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
] as const)('%s cannot %s while %s, and the error says so', (user, action, status) => {
  const error = refusal(() => move(directory(), user, action));
  expect(error.errorCode).toBe('FAILED_PRECONDITION');
  expect(error.message).toContain(`(${status})`);
});

test('a user outside the organization is 404', () => {
  expect(refusal(() => move(directory(), 'barbara', 'activate')).errorCode).toBe('NOT_FOUND');
  expect(refusal(() => move(directory(), 'nobody', 'activate')).message).toContain('usr_nobody');
});
