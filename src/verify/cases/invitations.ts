/** Sending invitations again, and what an invitation shows. */
import type { Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { anInvitedMember } from '../given.ts';
import { textAt } from '../http.ts';
import { anInteger, aText, aTime, including, not, someText } from '../pattern.ts';
import { MEMBERS, NO_PROFILE, SAMPLES, STRANGER, UNKNOWN } from '../samples.ts';

const resending = (api: Api, path: Readonly<Record<string, string>>) =>
  api.call('resendInvite', { path, body: {} });

/** A member whose invitation was sent again once. */
const aRemindedMember = async (api: Api) => {
  const path = await anInvitedMember(api);
  const body = await api.obtain('resendInvite', { path, body: {} });
  return { path, expiresAt: textAt(body, 'invite', 'expires_at') };
};

const isMailed = async (api: Api, to: string, kind: string) =>
  api.demand('the outbox', await api.mock.outbox(), including({ to, kind }));

const REMINDING = group({ about: 'resendInvite', needs: ['write', 'organization', 'user'] }, [
  promised('A valid invitation is sent once more and counted', ['M7'], async (api) => {
    const path = await anInvitedMember(api);
    await resending(api, path).shows({
      organization_id: path.organization_id,
      user_id: path.id,
      status: 'pending',
      resent_count: 1,
      resent_at: someText,
    });
  }),
  inferred('A reminder keeps the end of the invitation and counts on', ['M7'], async (api) => {
    const { path, expiresAt } = await aRemindedMember(api);
    await resending(api, path).shows({ resent_count: 2, expires_at: expiresAt });
  }),
]);

const FAILED_PRECONDITION = { error: 'FAILED_PRECONDITION' } as const;

/** Members of the default scenario, in every status. */
const AMONG_DEFAULTS = group({ about: 'resendInvite', needs: ['write', 'control'] }, [
  promised('An invitation has its fields', [], (api) =>
    resending(api, MEMBERS.PENDING_INVITE).shows({
      organization_id: MEMBERS.PENDING_INVITE.organization_id,
      user_id: MEMBERS.PENDING_INVITE.id,
      inviter_email: aText(/@/),
      status: 'pending',
      created_at: aTime,
      expires_at: aTime,
      resent_at: aTime,
      resent_count: anInteger,
    }),
  ),
  promised('A resend of a valid invitation mails a reminder', [], async (api) => {
    await resending(api, MEMBERS.PENDING_INVITE).succeeds();
    await isMailed(api, 'grace@acme.test', 'reminder');
  }),
  promised('An expired invitation is replaced by a new one with a new end', ['M7'], async (api) => {
    const call = { path: MEMBERS.INVITE_EXPIRED, body: {} };
    await api.send(call).shows({ status: 'pending', resent_count: 1, expires_at: someText });
    await api
      .call('updateMembership', call)
      .shows({ memberships: [{ membership_status: 'PENDING_INVITE' }] });
  }),
  promised('A resend of an expired invitation answers with a new end', [], async (api) => {
    const call = { path: MEMBERS.INVITE_EXPIRED, body: {} };
    const before = await api.obtain('updateMembership', call);
    await api.send(call).shows({ expires_at: not(textAt(before, 'user', 'memberships', 0, 'expires_at')) });
  }),
  promised('A resend of an expired invitation mails a new one', [], async (api) => {
    await resending(api, MEMBERS.INVITE_EXPIRED).succeeds();
    await isMailed(api, 'linus@acme.test', 'invitation');
  }),
  inferred('The new invitation ends 15 days on, and carries the count', ['M7'], async (api) => {
    const { path, expiresAt } = await aRemindedMember(api);
    await api.mock.advance('15d');
    await resending(api, path).shows({ resent_count: 2, expires_at: not(expiresAt) });
  }),
  promised('An invitation that was accepted is not sent again', ['M7'], (api) =>
    resending(api, MEMBERS.ACTIVE).answers(400, FAILED_PRECONDITION),
  ),
  promised('A user without a profile gets no invitation again', ['M7'], (api) =>
    resending(api, NO_PROFILE).answers(400, FAILED_PRECONDITION),
  ),
  promised('A member that never had an invitation has none to send', ['M7'], (api) =>
    resending(api, MEMBERS.INACTIVE).isMissing(),
  ),
  inferred('An invitation that was revoked is as good as none', ['M7'], async (api) => {
    const { organization_id, id } = MEMBERS.PENDING_INVITE;
    await api.mock.memberships.deactivate(organization_id, id);
    await resending(api, MEMBERS.PENDING_INVITE).isMissing();
  }),
  promised('A user that is no member has no invitation', ['M7'], (api) =>
    resending(api, STRANGER).isMissing(),
  ),
]);

const BY_SETTINGS = group({ about: 'resendInvite', needs: ['write', 'control'] }, [
  promised('With full-stack authentication off nothing is sent', ['M7'], async (api) => {
    await api.mock.patchSettings({ full_stack_authentication: false });
    await resending(api, MEMBERS.PENDING_INVITE).answers(400, FAILED_PRECONDITION);
  }),
  promised('Without an expiry time in the settings nothing is sent', ['M7'], async (api) => {
    await api.mock.patchSettings({ invite_ttl: null });
    await resending(api, MEMBERS.PENDING_INVITE).answers(400, FAILED_PRECONDITION);
  }),
  promised('A mail that cannot be delivered is an internal failure', ['M7'], async (api) => {
    await api.mock.patchSettings({ email_delivery: 'fail' });
    await resending(api, MEMBERS.PENDING_INVITE).answers(500);
  }),
  inferred('A failure to send changes nothing', ['M7'], async (api) => {
    await api.mock.patchSettings({ email_delivery: 'fail' });
    await resending(api, MEMBERS.PENDING_INVITE).answers(500);
    await api.mock.patchSettings({ email_delivery: 'ok' });
    await resending(api, MEMBERS.PENDING_INVITE).shows({ resent_count: 1 });
  }),
  inferred('What does not exist is said before what is switched off', ['M7'], async (api) => {
    await api.mock.patchSettings({ full_stack_authentication: false, email_delivery: 'fail' });
    await resending(api, STRANGER).isMissing();
    await resending(api, MEMBERS.ACTIVE).answers(400, FAILED_PRECONDITION);
  }),
]);

const UNKNOWN_MEMBERS = [
  ...group({ about: 'resendInvite' }, [
    promised('A user or an organization that does not exist is not found', ['M7'], (api) =>
      api.send(SAMPLES.resendInvite).isMissing(),
    ),
    promised('Ids that are malformed are refused before anything is looked up', ['I2'], async (api) => {
      await resending(api, { organization_id: 'acme', id: UNKNOWN.user }).isRefused('organization_id');
      await resending(api, { organization_id: UNKNOWN.organization, id: 'ada' }).isRefused('id');
    }),
  ]),
  ...group({ about: 'resendInvite', needs: ['organization'] }, [
    promised('A user that does not exist has no invitation', ['M7'], (api) =>
      resending(api, { organization_id: api.organizationId, id: UNKNOWN.user }).isMissing(),
    ),
  ]),
  ...group({ about: 'resendInvite', needs: ['user'] }, [
    promised('An organization that does not exist has no invitations', ['M7'], (api) =>
      resending(api, { organization_id: UNKNOWN.organization, id: api.userId }).isMissing(),
    ),
  ]),
];

export const INVITATION_CASES: readonly Case[] = [
  REMINDING,
  AMONG_DEFAULTS,
  BY_SETTINGS,
  UNKNOWN_MEMBERS,
].flat();
