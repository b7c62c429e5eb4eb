import { expect, test } from '@jest/globals';
import { environmentKey } from '../../src/core/ids.ts';
import type { State } from '../../src/domain/state.ts';
import { acceptInvitation, viewInvitation } from '../../src/simulation/memberships.ts';
import { call, DAY, HOUR, type Options, START, simulate } from '../support/core.ts';
import { ACME, directory } from '../support/people.ts';

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

test('behaviour M8: accepting makes the member ACTIVE now, logs a SUCCESS and sets the last login', () => {
  const { reply, state, changes } = accept(directory(), `token-grace${KEY}`, { now: START + HOUR });
  expect(reply).toMatchObject({ pageState: 'accepted', organization: 'Acme Corporation' });
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

test('an expired invitation cannot be accepted, but is open again when the clock is set back', () => {
  const expired = accept(directory(), `token-grace${KEY}`, { now: START + 12 * DAY });
  expect(expired.reply).toEqual({ pageState: 'expired' });
  expect(view(expired.state, `token-grace${KEY}`, { now: START }).pageState).toBe('open');
});

test('behaviour M7: a reminder has the same link; a new invitation replaces the old link', () => {
  expect(tokenIn(resend(directory(), 'grace').emails[0]?.link)).toBe(`token-grace${KEY}`);
  const renewed = resend(directory(), 'linus');
  expect(view(renewed.state, `token-linus${KEY}`)).toEqual({ pageState: 'replaced' });
  expect(accept(renewed.state, `token-linus${KEY}`).state).toBe(renewed.state);
  expect(accept(renewed.state, tokenIn(renewed.emails[0]?.link)).reply.pageState).toBe('accepted');
});

test('the page refuses an unknown token, a token of another environment, and the token of a removed member', () => {
  expect(view(directory(), `nothing${KEY}`)).toEqual({ pageState: 'unknown' });
  expect(view(directory(), `token-grace${environmentKey('env_2')}`).pageState).toBe('unknown');
  const { state } = call(directory(), 'deleteMembership', {
    path: { organization_id: ACME, id: 'usr_grace' },
  });
  expect(view(state, `token-grace${KEY}`).pageState).toBe('unknown');
});
