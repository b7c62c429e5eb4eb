import { expect, test } from '@jest/globals';
import { rowsBy } from '../../../src/core/table.ts';
import type { State } from '../../../src/model/domain/state.ts';
import { call, DAY, HOUR, type Options, refusal, START } from '../../support/core.ts';
import { ACME, directory } from '../../support/people.ts';

const resend = (state: State, user: string, options?: Options, organization_id = ACME) =>
  call(state, 'resendInvite', { path: { organization_id, id: `usr_${user}` }, body: {} }, options);
const statusOf = (state: State, user: string, options?: Options) =>
  call(state, 'updateMembership', { path: { organization_id: ACME, id: `usr_${user}` }, body: {} }, options)
    .body.user.memberships?.[0]?.membership_status;

test('behaviour M7: resending a valid invitation keeps its link and expiry, and sets resent_at and resent_count', () => {
  const { status, body, state, emails, changes } = resend(directory(), 'grace', { now: START + HOUR });
  expect(status).toBe(200);
  expect(body.invite).toEqual({
    organization_id: ACME,
    user_id: 'usr_grace',
    inviter_email: 'ada@acme.test',
    status: 'pending',
    created_at: '2026-02-26T12:00:00.000Z',
    expires_at: '2026-03-13T12:00:00.000Z',
    resent_at: '2026-03-01T13:00:00.000Z',
    resent_count: 1,
  });
  const words = { subject: 'Reminder: you are invited to join Acme Corporation' };
  const link = expect.stringContaining('/invitations/token-grace');
  expect(emails).toEqual([{ to: 'grace@acme.test', kind: 'reminder', link, ...words }]);
  const resource = { organization_id: ACME, user_id: 'usr_grace' };
  const kept = { from: 'PENDING_INVITE', to: 'PENDING_INVITE' };
  expect(changes).toEqual([{ type: 'invite.resent', resource, ...kept }]);
  expect(resend(state, 'grace').body.invite.resent_count).toBe(2);
});

test('behaviour M7: resending an expired invitation makes a new invitation with a new expiry, a new link and the next resent_count', () => {
  const { body, state, emails, changes } = resend(directory(), 'linus');
  expect(body.invite).toMatchObject({
    status: 'pending',
    created_at: '2026-03-01T12:00:00.000Z',
    expires_at: '2026-03-16T12:00:00.000Z',
    resent_at: '2026-03-01T12:00:00.000Z',
    resent_count: 3,
  });
  expect(emails).toMatchObject([{ kind: 'invitation', link: expect.not.stringContaining('token-linus') }]);
  expect(changes).toMatchObject([{ from: 'INVITE_EXPIRED', to: 'PENDING_INVITE' }]);
  expect(statusOf(state, 'linus')).toBe('PENDING_INVITE');
  expect(rowsBy(state.memberships, 'invite_token', 'token-linus')).toEqual([
    {
      ...rowsBy(directory().memberships, 'user_id', 'usr_linus')[0],
      invite: {
        token: expect.any(String),
        ended_tokens: ['token-linus'],
        created_at: START,
        expires_at: START + 15 * DAY,
        resent_at: START,
        resent_count: 3,
        is_revoked: false,
      },
    },
  ]);
});

test.each([
  [START + 12 * DAY - 1, 'PENDING_INVITE', 'reminder'],
  [START + 12 * DAY, 'INVITE_EXPIRED', 'invitation'],
])('behaviour M6, M7, T9: at the time %d, the membership reads %s, and resending the invitation sends an e-mail of the kind %s', (now, status, kind) => {
  expect(statusOf(directory(), 'grace', { now })).toBe(status);
  expect(resend(directory(), 'grace', { now }).emails).toMatchObject([{ kind }]);
});

const MAIL_ONLY_FAILS = { email_delivery: 'fail' } as const;
const NO_TTL = { ...MAIL_ONLY_FAILS, invite_ttl: null } as const;
const EVERYTHING_OFF = { ...NO_TTL, full_stack_authentication: false } as const;

test.each([
  ['an unknown user', 'nobody', 'org_none', EVERYTHING_OFF, 'NOT_FOUND', 'user usr_nobody'],
  ['an unknown organization', 'barbara', 'org_none', EVERYTHING_OFF, 'NOT_FOUND', 'organization org_none'],
  ['no membership', 'barbara', ACME, EVERYTHING_OFF, 'NOT_FOUND', 'membership'],
  ['full-stack authentication off', 'noprofile', ACME, EVERYTHING_OFF, 'FAILED_PRECONDITION', 'full_stack'],
  ['no user profile', 'noprofile', ACME, NO_TTL, 'FAILED_PRECONDITION', 'user_profile'],
  ['no invite', 'margaret', ACME, NO_TTL, 'NOT_FOUND', 'invitation'],
  ['a revoked invite', 'revoked', ACME, NO_TTL, 'NOT_FOUND', 'revoked'],
  ['an accepted invite', 'ada', ACME, NO_TTL, 'FAILED_PRECONDITION', 'accepted'],
  ['no expiry time, valid invite', 'grace', ACME, NO_TTL, 'FAILED_PRECONDITION', 'invite_ttl'],
  ['no expiry time, expired invite', 'linus', ACME, NO_TTL, 'FAILED_PRECONDITION', 'invite_ttl'],
  ['failing mail, valid invite', 'grace', ACME, MAIL_ONLY_FAILS, 'INTERNAL_ERROR', 'mail'],
  ['failing mail, expired invite', 'linus', ACME, MAIL_ONLY_FAILS, 'INTERNAL_ERROR', 'mail'],
] as const)('behaviour M7: of several reasons to refuse a resend, the first in the order of the rule is reported: %s', (_what, user, organization, settings, errorCode, words) => {
  const error = refusal(() => resend(directory(), user, { settings }, organization));
  expect(error.errorCode).toBe(errorCode);
  expect(error.message).toContain(words);
});
