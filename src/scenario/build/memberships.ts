/** Memberships of a scenario, with their invitations (behaviour M1, M2, M6, M7). */
import { defined } from '../../core/defined.ts';
import type { Moment } from '../../core/moment.ts';
import type { InviteRow } from '../../domain/invite.ts';
import type { MembershipRow } from '../../domain/membership.ts';
import type { OrganizationRow } from '../../domain/organization.ts';
import type { RoleReference, RoleRow } from '../../domain/role.ts';
import { type Draft, isKnown } from '../draft.ts';
import { endOr, isPast, momentOr, NOW, shift } from '../times.ts';
import type { MembershipForm } from '../written.ts';
import { type Build, fault, lacking, requireAgreement, tokenOr } from './build.ts';
import type { Built } from './organizations.ts';
import type { BuiltUsers } from './users.ts';

interface Around {
  readonly organizations: Built<OrganizationRow>;
  readonly roles: Built<RoleRow>;
}

export const buildMemberships = (build: Build, users: BuiltUsers, around: Around): readonly MembershipRow[] =>
  users.drafts.flatMap(({ draft: { memberships = [] }, user }) => {
    const seen = new Set<string>();
    return memberships.flatMap((draft) => {
      const organization = requireOrganizationOf(build, draft, around);
      const role_ids = roleIds(draft, draft.form.roles ?? [], around.roles);
      if (!organization) return [];
      if (seen.has(organization.id))
        fault(build, draft, undefined, `${user.email} is a member of ${organization.name} already`);
      seen.add(organization.id);
      return membershipRow(build, draft, {
        user_id: user.id,
        organization_id: organization.id,
        role_ids,
      });
    });
  });

const requireOrganizationOf = (
  build: Build,
  draft: Draft<MembershipForm>,
  { organizations: { register } }: Around,
): OrganizationRow | undefined => {
  const { organization_id, name } = draft.form;
  if (organization_id === undefined && name === undefined)
    lacking(
      build,
      draft,
      ['organization_id', 'name'],
      'a membership needs organization_id: the id or the name of an organization',
    );
  const organization =
    organization_id === undefined
      ? register.refer(draft, 'name', name)
      : register.refer(draft, 'organization_id', organization_id);
  if (organization && register.isKnown(organization, 'name', 'display_name')) {
    requireAgreement(build, draft, 'name', organization.name, 'by organization_id');
    requireAgreement(build, draft, 'display_name', organization.display_name, 'by the organization');
  }
  return organization;
};

const membershipRow = (
  build: Build,
  draft: Draft<MembershipForm>,
  references: Pick<MembershipRow, 'organization_id' | 'user_id' | 'role_ids'>,
): MembershipRow => {
  const { form } = draft;
  const { membership_status: status = 'ACTIVE' } = form;
  const isInvited = status === 'PENDING_INVITE' || status === 'INVITE_EXPIRED';
  const { created_at, invite } = invitation(build, draft, isInvited);
  const joined = isInvited ? undefined : created_at;
  return {
    ...references,
    standing: isInvited ? 'INVITED' : status,
    created_at,
    ...defined({
      accepted_at: endOr(form.accepted_at, joined),
      join_time: endOr(form.join_time, joined),
      inviter_email: form.inviter_email ?? form.invite?.inviter_email,
    }),
    metadata: form.metadata ?? {},
    provisioning_method: form.provisioning_method ?? (invite ? 'invitation' : 'direct_provision'),
    groups: form.groups ?? [],
    ...(invite && { invite }),
  };
};

/** The invite, and when the membership was made: each follows from the other where only one is written. */
const invitation = (
  build: Build,
  draft: Draft<MembershipForm>,
  isInvited: boolean,
): { readonly created_at: Moment; readonly invite?: InviteRow } => {
  const { form } = draft;
  const { invite_ttl: lifetime } = build.settings;
  const end = form.invite?.expires_at ?? form.expires_at;
  const isExpired = form.membership_status === 'INVITE_EXPIRED' && form.invite?.status !== 'revoked';
  const ended = endOr(end, NOW);
  const created_at = momentOr(
    form.created_at,
    isExpired && ended !== undefined ? shift(ended, -(lifetime ?? 0)) : NOW,
  );
  const hasInvite = form.invite !== null && (isInvited || form.invite !== undefined || end !== undefined);
  if (!hasInvite) {
    if (isExpired) fault(build, draft, 'invite', 'INVITE_EXPIRED without an invite reads PENDING_INVITE');
    return { created_at };
  }
  const made = momentOr(form.invite?.created_at, created_at);
  const expires_at = endOr(end, isExpired ? NOW : lifetime === null ? undefined : shift(made, lifetime));
  checkStatus(build, draft, expires_at);
  const { token, ended_tokens = [], resent_at, resent_count = 0, status } = form.invite ?? {};
  const invite = {
    token: tokenOr(build, token),
    ended_tokens,
    created_at: made,
    ...defined({ expires_at, resent_at: endOr(resent_at) }),
    resent_count,
    is_revoked: status === 'revoked',
  };
  return { created_at, invite };
};

const INVITE_STATUS = {
  ACTIVE: 'accepted',
  INACTIVE: 'accepted',
  PENDING_INVITE: 'pending',
  INVITE_EXPIRED: 'expired',
} as const;

/** Behaviour M6: the status follows from the dates, so the one that is written must be the one they give. */
const checkStatus = (build: Build, draft: Draft<MembershipForm>, end: Moment | undefined): void => {
  if (!isKnown(draft, 'membership_status', 'invite', 'expires_at', 'created_at')) return;
  const { membership_status: status = 'ACTIVE', invite } = draft.form;
  if (invite?.status !== undefined && invite.status !== 'revoked' && invite.status !== INVITE_STATUS[status])
    fault(
      build,
      draft,
      'invite',
      `its status is ${INVITE_STATUS[status]} while membership_status is ${status}`,
    );
  const isDerived = draft.form.expires_at === undefined && invite?.expires_at === undefined;
  if (invite?.status === 'revoked' || !build.isFresh || (isDerived && !build.isInviteTtlKnown)) return;
  const hasEnded = end !== undefined && isPast(end);
  if (status === 'PENDING_INVITE' && hasEnded === true)
    fault(build, draft, 'expires_at', 'PENDING_INVITE needs an expires_at that is still ahead');
  if (status === 'INVITE_EXPIRED' && hasEnded === false)
    fault(build, draft, 'expires_at', 'INVITE_EXPIRED needs an expires_at that has passed');
};

/** Behaviour M2: the first present of id, name and display_name finds a role; none named, the default role. */
const roleIds = (
  draft: Draft<MembershipForm>,
  references: readonly (string | RoleReference)[],
  { rows, register }: Built<RoleRow>,
): readonly string[] => {
  if (references.length === 0 && draft.form.roles === undefined)
    return rows.filter((role) => role.default).map((role) => role.id);
  const ids = references.flatMap((reference, index) => {
    const { id, name, display_name } = typeof reference === 'string' ? { id: reference } : reference;
    const shown = rows.find((role) => role.display_name === display_name)?.name;
    return register.refer(draft, ['roles', index], id ?? name ?? shown ?? display_name)?.id ?? [];
  });
  return [...new Set(ids)];
};
