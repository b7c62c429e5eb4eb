/** Sending invitations again. */
import { aMember, type Member } from '../arrange.ts';
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { MEMBERS, NO_PROFILE, STRANGER } from '../default-rows.ts';
import { not, someText } from '../pattern.ts';
import type { PromiseId } from '../promises.ts';
import { SAMPLES, UNKNOWN } from '../samples.ts';
import type { Session } from '../session.ts';

const resend = (path: Member) => () => ({ path: { ...path }, body: {} });

const refusedBySetting = (name: string, promise: PromiseId, settings: object, status: 400 | 500): Case =>
  define({
    name,
    operationId: 'resendInvite',
    basis: 'promised',
    cites: [promise, 'M7'],
    needs: ['write', 'control'],
    arrange: ({ control }) => control.change({ ...settings }),
    send: resend(MEMBERS.PENDING_INVITE),
    status,
    ...(status === 400 && { error: 'FAILED_PRECONDITION' as const }),
  });

const firstResend = async (session: Session) => {
  const path = await aMember(true)(session);
  const body = await session.obtain('resendInvite', { path: { ...path }, body: {} });
  return { path, expiresAt: textAt(body, 'invite', 'expires_at') };
};

export const INVITATION_CASES = [
  define({
    name: 'A valid invitation is sent once more and counted',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: [
      'invitations.200',
      'invitations.resent_count',
      'invitations.empty_body',
      'states.reminder_counted',
      'M7',
    ],
    needs: ['write', 'organization', 'user'],
    arrange: aMember(true),
    send: ({ given }) => ({ path: { ...given }, body: {} }),
    status: 200,
    body: ({ given }) => ({
      invite: {
        organization_id: given.organization_id,
        user_id: given.id,
        status: 'pending',
        resent_count: 1,
        resent_at: someText,
      },
    }),
  }),
  define({
    name: 'A reminder keeps the end of the invitation and counts on',
    operationId: 'resendInvite',
    basis: 'inferred',
    cites: ['states.reminded', 'states.reminder_counted', 'M7'],
    needs: ['write', 'organization', 'user'],
    arrange: firstResend,
    send: ({ given }) => ({ path: { ...given.path }, body: {} }),
    status: 200,
    body: ({ given }) => ({ invite: { resent_count: 2, expires_at: given.expiresAt } }),
  }),
  define({
    name: 'An expired invitation is replaced by a new one with a new end',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['states.reinvited', 'states.reinvitation_counted', 'M7'],
    needs: ['write', 'control'],
    send: resend(MEMBERS.INVITE_EXPIRED),
    status: 200,
    body: { invite: { status: 'pending', resent_count: 1, expires_at: someText } },
    afterwards: [
      {
        operationId: 'updateMembership',
        send: resend(MEMBERS.INVITE_EXPIRED),
        status: 200,
        body: { user: { memberships: [{ membership_status: 'PENDING_INVITE' }] } },
      },
    ],
  }),
  define({
    name: 'The new invitation ends 15 days on, and carries the count',
    operationId: 'resendInvite',
    basis: 'inferred',
    cites: ['M7'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      const given = await firstResend(session);
      await session.control.advance('15d');
      return given;
    },
    send: ({ given }) => ({ path: { ...given.path }, body: {} }),
    status: 200,
    body: ({ given }) => ({ invite: { resent_count: 2, expires_at: not(given.expiresAt) } }),
  }),
  define({
    name: 'An invitation that was accepted is not sent again',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.accepted', 'M7'],
    needs: ['write', 'control'],
    send: resend(MEMBERS.ACTIVE),
    status: 400,
    error: 'FAILED_PRECONDITION',
  }),
  define({
    name: 'A user without a profile gets no invitation again',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.no_profile', 'M7'],
    needs: ['write', 'control'],
    send: resend(NO_PROFILE),
    status: 400,
    error: 'FAILED_PRECONDITION',
  }),
  refusedBySetting(
    'With full-stack authentication off nothing is sent',
    'invitations.full_stack_off',
    { full_stack_authentication: false },
    400,
  ),
  refusedBySetting(
    'Without an expiry time in the settings nothing is sent',
    'invitations.no_expiry_time',
    { invite_ttl: null },
    400,
  ),
  refusedBySetting(
    'A mail that cannot be delivered is an internal failure',
    'invitations.500',
    { email_delivery: 'fail' },
    500,
  ),
  define({
    name: 'A failure to send changes nothing',
    operationId: 'resendInvite',
    basis: 'inferred',
    cites: ['M7'],
    needs: ['write', 'control'],
    arrange: async ({ control, call }) => {
      await control.change({ email_delivery: 'fail' });
      await call('resendInvite', resend(MEMBERS.PENDING_INVITE)());
      await control.change({ email_delivery: 'ok' });
    },
    send: resend(MEMBERS.PENDING_INVITE),
    status: 200,
    body: { invite: { resent_count: 1 } },
  }),
  define({
    name: 'A member that never had an invitation has none to send',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.invitation_not_found', 'M7'],
    needs: ['write', 'control'],
    send: resend(MEMBERS.INACTIVE),
    status: 404,
  }),
  define({
    name: 'An invitation that was revoked is as good as none',
    operationId: 'resendInvite',
    basis: 'inferred',
    cites: ['M7'],
    needs: ['write', 'control'],
    arrange: ({ control }) =>
      control.act(
        `memberships/${MEMBERS.PENDING_INVITE.organization_id}/${MEMBERS.PENDING_INVITE.id}/deactivate`,
      ),
    send: resend(MEMBERS.PENDING_INVITE),
    status: 404,
  }),
  define({
    name: 'A user that is no member has no invitation',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.membership_not_found', 'M7'],
    needs: ['write', 'control'],
    send: resend(STRANGER),
    status: 404,
  }),
  define({
    name: 'A user or an organization that does not exist is not found',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['errors.404', 'M7'],
    send: () => SAMPLES.resendInvite,
    status: 404,
  }),
  define({
    name: 'A user that does not exist has no invitation',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.user_not_found', 'M7'],
    needs: ['organization'],
    send: ({ organizationId }) => ({ path: { organization_id: organizationId, id: UNKNOWN.user }, body: {} }),
    status: 404,
  }),
  define({
    name: 'An organization that does not exist has no invitations',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.organization_not_found', 'M7'],
    needs: ['user'],
    send: ({ userId }) => ({ path: { organization_id: UNKNOWN.organization, id: userId }, body: {} }),
    status: 404,
  }),
  define({
    name: 'Ids that are malformed are refused before anything is looked up',
    operationId: 'resendInvite',
    basis: 'promised',
    cites: ['invitations.invalid_organization_id', 'invitations.invalid_user_id', 'I2'],
    send: () => ({ path: { organization_id: 'acme', id: UNKNOWN.user }, body: {} }),
    status: 400,
    violates: 'organization_id',
    afterwards: [
      {
        send: () => ({ path: { organization_id: UNKNOWN.organization, id: 'ada' }, body: {} }),
        status: 400,
        violates: 'id',
      },
    ],
  }),
  define({
    name: 'What does not exist is said before what is switched off',
    operationId: 'resendInvite',
    basis: 'inferred',
    cites: ['M7'],
    needs: ['write', 'control'],
    arrange: ({ control }) => control.change({ full_stack_authentication: false, email_delivery: 'fail' }),
    send: resend(STRANGER),
    status: 404,
    afterwards: [{ send: resend(MEMBERS.ACTIVE), status: 400, error: 'FAILED_PRECONDITION' }],
  }),
];
