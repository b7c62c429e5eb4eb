/** Memberships and invitations (behaviour M1 to M8). */
import { calls, event, inferred, later, promised, refused, sees, table } from '../case.ts';
import { absent, aTime, empty, exactly, someText, whole } from '../matchers.ts';

const { createMembership: create, updateMembership: update, deleteMembership: remove, resendInvite: resend } = calls;
const { createMembershipByExternalId, updateMembershipByExternalId, deleteMembershipByExternalId } = calls;

export const NEW = { organization_id: '{organization}', id: '{user}' };
export const DIRECT = { ...NEW, send_invitation_email: false };
export const GONE = { organization_id: 'org_999999999999999999', id: 'usr_999999999999999999' };
const BY_ID = { create, update, remove, own: NEW, by: 'by user id', says: promised };
const BY_EXTERNAL_ID = { create: createMembershipByExternalId, update: updateMembershipByExternalId,
  remove: deleteMembershipByExternalId, own: { organization_id: '{organization}', external_id: '{external}' },
  by: 'by external id', says: inferred } as unknown as typeof BY_ID; // the same functions, for other names of the user

/** The user's membership in the organization. */
export const member = (membership: object) => ({ memberships: [{ organization_id: '{organization}', ...membership }] });
const is = (membership_status: string, more: object = {}) => ({ membership_status, ...more });
const status = (...parts: Parameters<typeof is>) => member(is(...parts));
export const isPending = { membership_status: 'PENDING_INVITE', accepted_at: absent, join_time: absent };
export const MEMBER = { organization_id: '{organization}', user_id: '{user}' };
const DOCS = { team: 'docs' };

/** The cases that both names of a user have. */
const byName = ({ create, update, remove, own, by, says }: typeof BY_ID) => ({
  create: [
    says('M1 M2 M5', `Creating a membership invites the user and gives a role; a second one answers 409 (${by})`,
      create({ ...own, metadata: { team: 'core' }, inviter_email: 'suite@conformance.test' }, member({ ...isPending,
        provisioning_method: 'invitation', metadata: { team: 'core' }, inviter_email: 'suite@conformance.test',
        created_at: '{now}', expires_at: '{now+15d}', roles: [{ id: someText, name: someText }] }),
        [event('membership.created > PENDING_INVITE', MEMBER)]),
      sees('outbox', { emails: exactly({ kind: 'invitation' }) }), create(own, 409)),
    inferred('M1 M5', `Creating a membership without an invitation makes the member ACTIVE at once (${by})`,
      create({ ...own, send_invitation_email: false }, status('ACTIVE', { provisioning_method: 'direct_provision',
        join_time: '{now}', accepted_at: '{now}', expires_at: absent })), sees('outbox', { emails: exactly() })),
  ],
  update: [
    says('M3 M5', `Updating a membership returns the updated user (${by})`,
      create({ ...own, send_invitation_email: false }), update({ ...own, metadata: DOCS }, member({ metadata: DOCS }),
        [event('membership.updated', MEMBER)])),
    inferred('M3 M5', `An update answers 404 without a membership, replaces the metadata, and keeps the roles for [] (${by})`,
      update(own, 404), create({ ...own, send_invitation_email: false, metadata: { team: 'core', desk: 'one' } }),
      update({ ...own, metadata: DOCS, roles: [] }, member({ metadata: whole(DOCS), roles: [{}] }))),
  ],
  remove: [
    says('M4 M5', `Removing a membership twice answers 404, and the membership can be created again (${by})`,
      create({ ...own, send_invitation_email: false }),
      remove(own, empty, [event('membership.deleted ACTIVE', MEMBER)]), remove(own, 404), create(own)),
  ],
});
const [byId, byExternalId] = [byName(BY_ID), byName(BY_EXTERNAL_ID)] as const;

export const MEMBERSHIPS = table([
  'createMembership',
  ...byId.create,
  inferred('M1', 'An unknown organization, user or external id answers 404, and an external id has its letter case',
    Object.entries(GONE).map(([name, id]) => create({ ...NEW, [name]: id }, refused('NOT_FOUND', id))),
    createMembershipByExternalId({ organization_id: '{organization}', external_id: '{external|upper}' }, 404)),
  inferred('M2 X3', 'An inviter_email is an address by RFC 5322',
    ['root@localhost', '"a b"@client.test', 'ada@[127.0.0.1]'].map((inviter_email) =>
      create({ ...GONE, inviter_email }, 404)),
    create({ ...GONE, inviter_email: 'a b@client.test' }, ['inviter_email'])),
  'createMembershipByExternalId', ...byExternalId.create,
  'updateMembership',
  ...byId.update,
  inferred('M3', 'Adding, changing or removing a membership moves update_time of its user',
    later('1h'), create(DIRECT, { update_time: '{now+1h}' }),
    later('1h'), update({ ...NEW, metadata: { team: 'x' } }, { update_time: '{now+2h}' }),
    later('1h'), remove(NEW, empty), sees('state', { users: [{ id: '{user}', update_time: '{now+3h}' }] })),
  'updateMembershipByExternalId', ...byExternalId.update,
  'deleteMembership',
  ...byId.remove,
  'deleteMembershipByExternalId', ...byExternalId.remove,
  'resendInvite',
  promised('M7', 'Resending a valid invitation returns it with resent_at and a resent_count of 1',
    create(NEW), resend(NEW, { ...MEMBER, status: 'pending', created_at: aTime, expires_at: aTime, resent_at: aTime,
      resent_count: 1 })),
  promised('M7', 'Resending answers 404 for a member who was never invited, an unknown user and organization',
    create(DIRECT), resend(NEW, 404), Object.entries(GONE).map(([name, id]) => resend({ ...NEW, [name]: id }, 404))),
]);
