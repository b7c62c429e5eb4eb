/** Memberships of a scenario's users, with their invitations (behaviour M1, M2, M6, M7). */

import type { Moment } from '../../core/moment.ts';
import { defined } from '../../core/object.ts';
import { allRows, getRow } from '../../core/table.ts';
import { findMembership, membershipStatus, storedMembershipStatus } from '../../domain/membership.ts';
import { defaultRoleIds, effectivePermissions, findRole, type RoleReference } from '../../domain/role.ts';
import type { InviteRow, MembershipRow, OrganizationRow } from '../../domain/rows.ts';
import type { WrittenRow } from '../row-source.ts';
import { endOr, formatEnd, formatOptional, formatTime, momentOr, NEVER, shift } from '../times.ts';
import type { Writing } from '../writing.ts';
import {
  contract,
  described,
  extend,
  listOf,
  type MemberSchema,
  NONE,
  nullable,
  oneOf,
  SWITCH,
  TEXT,
  TOKEN,
  type ValueOf,
} from './members.ts';
import { ORGANIZATION, ROLE, refer } from './references.ts';
import { requireAgreement, type Section, withoutDerived } from './section.ts';

const INVITE = extend(contract('Invite'), {
  organization_id: NONE,
  user_id: NONE,
  status: oneOf('pending', 'accepted', 'expired', 'revoked'),
  token: TOKEN,
  ended_tokens: listOf(TOKEN),
});

const ROLE_NAME: MemberSchema<string | RoleReference> = {
  ...contract('RoleReference'),
  type: ['string', 'object'],
  description: 'A role, by id or by name.',
};

export const MEMBERSHIP = extend(contract('Membership'), {
  organization_id: ORGANIZATION.schema,
  name: described(TEXT, 'The organization, by name; instead of organization_id.'),
  roles: listOf(ROLE_NAME),
  groups: described(listOf(TEXT), 'Groups the user is in through this organization.'),
  invite: nullable(INVITE, 'The invitation; null for a member that never had one.'),
  remove: SWITCH,
});

/** With the user in whose row it is written. */
type MembershipForm = ValueOf<typeof MEMBERSHIP> & { readonly user_id?: string };

export const memberships: Section<'memberships', MembershipForm> = {
  name: 'memberships',
  noun: 'membership',
  title: ({ organization_id, user_id }) => `of ${user_id} in ${organization_id}`,
  idMember: 'organization_id',
  keys: [],
  references: { organization_id: ORGANIZATION },
  findPair: (state, { organization_id, name = '', user_id = '' }) => {
    const organization = ORGANIZATION.find(state, organization_id ?? name);
    const member = organization_id === undefined ? 'name' : 'organization_id';
    const row = organization && findMembership(state, organization.id, user_id);
    return { member, key: `the organization ${organization?.name}`, row };
  },
  schema: MEMBERSHIP,
  joined: ['invite'],
  toRow: (writing, written) => {
    const { form } = written;
    const organization = requireOrganization(writing, written);
    const role_ids = roleIds(writing, written);
    if (!organization) return undefined;
    const stored_status = storedMembershipStatus(form.membership_status ?? 'ACTIVE');
    const { created_at, invite } = invitation(writing, form, stored_status === 'INVITED');
    const joined = stored_status === 'INVITED' ? undefined : created_at;
    const row: MembershipRow = {
      organization_id: organization.id,
      user_id: form.user_id ?? '', // given by the user's row
      role_ids,
      stored_status,
      created_at,
      ...defined({
        accepted_at: endOr(form.accepted_at, joined),
        join_time: endOr(form.join_time, joined),
        inviter_email: form.invite?.inviter_email ?? form.inviter_email,
      }),
      metadata: form.metadata ?? {},
      provisioning_method: form.provisioning_method ?? (invite ? 'invitation' : 'direct_provision'),
      groups: form.groups ?? [],
      ...(invite && { invite }),
    };
    requireAgreement(written, 'permissions', effectivePermissions(writing.state, role_ids), 'by the roles');
    checkStatus(writing, written, row);
    return row;
  },
  toForm: (state, membership, { settings, at }) => {
    const { user_id: _, role_ids, stored_status, invite, ...row } = membership;
    const isInvited = stored_status === 'INVITED';
    const status = at ? membershipStatus(membership, at) : isInvited ? 'PENDING_INVITE' : stored_status;
    const joined = formatEnd(isInvited ? undefined : row.created_at);
    const end = invite && after(invite.created_at, settings.invite_ttl);
    return withoutDerived(
      {
        ...row,
        membership_status: status,
        roles: role_ids.map((id) => ROLE.nameOf(state, id)),
        created_at: formatTime(row.created_at),
        accepted_at: formatEnd(row.accepted_at),
        join_time: formatEnd(row.join_time),
        groups: [...row.groups],
        expires_at: invite && formatEnd(invite.expires_at, at),
        invite: invite ? showInvite(invite, row.created_at) : isInvited ? null : undefined,
      },
      {
        membership_status: 'ACTIVE',
        roles: defaultRoleIds(state).map((id) => ROLE.nameOf(state, id)),
        accepted_at: joined,
        join_time: joined,
        metadata: {},
        provisioning_method: invite ? 'invitation' : 'direct_provision',
        groups: [],
        expires_at: status === 'INVITE_EXPIRED' ? undefined : formatEnd(end),
      },
    );
  },
};

const requireOrganization = (
  writing: Writing,
  written: WrittenRow<MembershipForm>,
): OrganizationRow | undefined => {
  const { organization_id, name } = written.form;
  if (organization_id === undefined && name === undefined)
    written.problem(undefined, 'a membership needs organization_id: the id or the name of an organization');
  const organization =
    organization_id === undefined
      ? refer(writing, written, 'name', ORGANIZATION, name)
      : getRow(writing.state.organizations, organization_id);
  if (organization) {
    requireAgreement(written, 'name', organization.name, 'by organization_id');
    requireAgreement(written, 'display_name', organization.display_name, 'by the organization');
  }
  return organization;
};

/** Behaviour M2: a role by any of its names; where roles are left out, the default role. */
const roleIds = (writing: Writing, written: WrittenRow<MembershipForm>): readonly string[] => {
  const { roles } = written.form;
  if (roles === undefined) return defaultRoleIds(writing.state);
  const all = [...allRows(writing.state.roles)];
  const ids = roles.flatMap((role, index) => {
    const { id, name, display_name } = typeof role === 'string' ? { id: role } : role;
    const found = id ?? name ?? findRole(all, { display_name })?.id ?? display_name;
    return refer(writing, written, ['roles', index], ROLE, found)?.id ?? [];
  });
  return [...new Set(ids)];
};

/** The invite, and when the membership was made: each follows from the other where only one is written. */
const invitation = (
  { clock, settings, token }: Writing,
  form: MembershipForm,
  isInvited: boolean,
): { readonly created_at: Moment; readonly invite?: InviteRow } => {
  const { invite: said } = form;
  const end = said?.expires_at ?? form.expires_at;
  const isExpired = form.membership_status === 'INVITE_EXPIRED' && said?.status !== 'revoked';
  const ended = isExpired ? endOr(end, clock.now) : undefined;
  const lifetime = settings.invite_ttl ?? 0;
  const created_at = momentOr(form.created_at, ended === undefined ? clock.now : shift(ended, -lifetime));
  if (said === null || !(isInvited || said || end)) return { created_at };
  const made = momentOr(said?.created_at, created_at);
  const expires_at = isExpired ? ended : endOr(end, after(made, settings.invite_ttl));
  const invite = {
    token: token(said?.token),
    ended_tokens: said?.ended_tokens ?? [],
    created_at: made,
    ...defined({ expires_at, resent_at: endOr(said?.resent_at) }),
    resent_count: said?.resent_count ?? 0,
    is_revoked: said?.status === 'revoked',
  };
  return { created_at, invite };
};

const after = (moment: Moment, lifetime: number | null): Moment | undefined =>
  lifetime === null ? undefined : shift(moment, lifetime);

const INVITE_STATUS = {
  ACTIVE: 'accepted',
  INACTIVE: 'accepted',
  PENDING_INVITE: 'pending',
  INVITE_EXPIRED: 'expired',
} as const;

/** A status follows from the invite and from dates; one that is written must agree with them (behaviour M6). */
const checkStatus = (writing: Writing, written: WrittenRow<MembershipForm>, row: MembershipRow): void => {
  const { form, problem, isWritten } = written;
  const { membership_status: status = 'ACTIVE' } = form;
  const said = form.invite?.status ?? 'revoked';
  if (said !== 'revoked' && said !== INVITE_STATUS[status])
    problem('invite', `its status is ${INVITE_STATUS[status]} while membership_status is ${status}`);
  if (status === 'INACTIVE' && row.invite?.is_revoked === false && form.accepted_at === NEVER)
    problem('accepted_at', 'INACTIVE without having accepted goes with an invite that is revoked; revoke it');
  if (row.stored_status !== 'INVITED') return;
  for (const member of ['accepted_at', 'join_time'] as const)
    if ((form[member] ?? NEVER) !== NEVER)
      problem(member, `${status} has no ${member}; write never, or membership_status ACTIVE or INACTIVE`);
  if (isWritten('membership_status')) checkInvite(writing, written, row);
};

const checkInvite = (
  { clock }: Writing,
  { form: { membership_status: status }, problem }: WrittenRow<MembershipForm>,
  { invite }: MembershipRow,
): void => {
  const isOver = invite?.is_revoked || clock.hasPassed(invite?.expires_at);
  if (isOver === undefined || isOver === (status === 'INVITE_EXPIRED')) return;
  if (!invite) problem('invite', `${status} without an invite reads PENDING_INVITE`);
  else if (invite.is_revoked)
    problem('invite', `${status} with a revoked invite reads INVITE_EXPIRED; write status: pending`);
  else
    problem('expires_at', `${status} needs an expires_at that ${isOver ? 'is still ahead' : 'has passed'}`);
};

const showInvite = (invite: InviteRow, created_at: Moment) => ({
  token: invite.token,
  ...withoutDerived(
    {
      ended_tokens: [...invite.ended_tokens],
      created_at: formatTime(invite.created_at),
      resent_at: formatOptional(invite.resent_at),
      resent_count: invite.resent_count,
      status: invite.is_revoked ? ('revoked' as const) : undefined,
    },
    { ended_tokens: [], created_at: formatTime(created_at), resent_count: 0 },
  ),
});
