/** Memberships of a scenario, with their invitations (behaviour M1, M2, M6, M7). */
import { defined } from '../../core/defined.ts';
import type { RoleReference } from '../../domain/role.ts';
import type { MembershipRow, OrganizationRow, RoleRow } from '../../domain/rows.ts';
import type { Draft } from '../draft.ts';
import { endOr } from '../times.ts';
import type { MembershipForm } from '../written.ts';
import { type Build, fault, lacking, requireAgreement } from './build.ts';
import { invitation } from './invitations.ts';
import { checkMembershipStatus } from './membership-status.ts';
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
  checkMembershipStatus(build, draft, invite);
  const joined = isInvited ? undefined : created_at;
  return {
    ...references,
    stored_status: isInvited ? 'INVITED' : status,
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
