/** Memberships of a scenario's users, with their invitations (behaviour M1, M2, M6, M7). */

import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../core/defined.ts';
import type { Moment } from '../../core/moment.ts';
import { getRow } from '../../core/table.ts';
import { findMembership, membershipStatus, storedMembershipStatus } from '../../domain/membership.ts';
import { defaultRoleIds, effectivePermissions, type RoleReference } from '../../domain/role.ts';
import type { InviteRow, MembershipRow, OrganizationRow } from '../../domain/rows.ts';
import type { State } from '../../domain/state.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { WrittenRow } from '../row-source.ts';
import { endOr, formatEnd, formatOptional, formatTime, momentOr, NEVER, shift } from '../times.ts';
import type { Writing } from '../writing.ts';
import {
  contract,
  described,
  extend,
  listOf,
  type Member,
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

const ROLE_NAME: Member<string | Schemas['RoleReference']> = {
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

type InviteForm = ValueOf<typeof INVITE>;
type MembershipForm = ValueOf<typeof MEMBERSHIP>;

/** A form with the user in whose row it is written. */
type OwnedForm = MembershipForm & { readonly user_id?: string };

export const memberships: Section<'memberships', OwnedForm> = {
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
  /** The invite is joined member by member too; what both can say is said by what is written later. */
  merge: (under, over) => {
    const { inviter_email, ...rest } = under;
    const base = over.invite?.inviter_email === undefined ? under : rest;
    if (!over.invite || !under.invite) return { ...base, ...over, ...takenBack(under, over) };
    return {
      ...base,
      ...over,
      invite: { ...under.invite, ...takenBack(under, over).invite, ...over.invite },
    };
  },
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
        inviter_email: form.inviter_email ?? form.invite?.inviter_email,
      }),
      metadata: form.metadata ?? {},
      provisioning_method: form.provisioning_method ?? derivedMethod(invite),
      groups: form.groups ?? [],
      ...(invite && { invite }),
    };
    checkPermissions(writing.state, written, role_ids);
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
        provisioning_method: derivedMethod(invite),
        groups: [],
        expires_at: status === 'INVITE_EXPIRED' ? undefined : formatEnd(end),
      },
    );
  },
};

/** A membership that waits for its invitation again has one that is not revoked any more. */
const takenBack = ({ invite }: MembershipForm, over: MembershipForm): Pick<MembershipForm, 'invite'> => {
  if (!invite || over.invite === null || over.membership_status !== 'PENDING_INVITE') return {};
  const { status: _revoked, ...kept } = invite;
  return { invite: kept };
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

const checkPermissions = (
  state: State,
  { form, problem }: WrittenRow<MembershipForm>,
  role_ids: readonly string[],
): void => {
  const permissions = effectivePermissions(state, role_ids);
  const said = form.permissions && [...form.permissions].sort();
  if (said && !isDeepStrictEqual(said, permissions))
    problem(
      'permissions',
      `are ${permissions.join(', ') || 'none'} by the roles; write that, or leave them out`,
    );
};

const derivedMethod = (invite: InviteRow | undefined): MembershipRow['provisioning_method'] =>
  invite ? 'invitation' : 'direct_provision';

/** Behaviour M2: the first present of id, name and display_name finds a role; where roles are left out, the default role. */
const roleIds = (writing: Writing, written: WrittenRow<MembershipForm>): readonly string[] => {
  const { roles } = written.form;
  if (roles === undefined) return defaultRoleIds(writing.state);
  const ids = roles.flatMap((reference, index) => {
    const { id, name, display_name }: RoleReference =
      typeof reference === 'string' ? { id: reference } : reference;
    const shown = [...writing.state.roles.rows.values()].find((role) => role.display_name === display_name);
    const found = refer(writing, written, ['roles', index], ROLE, id ?? name ?? shown?.id ?? display_name);
    return found?.id ?? [];
  });
  return [...new Set(ids)];
};

/** The invite, and when the membership was made: each follows from the other where only one is written. */
const invitation = (
  { clock, settings, token }: Writing,
  form: MembershipForm,
  isInvited: boolean,
): { readonly created_at: Moment; readonly invite?: InviteRow } => {
  const { invite_ttl: lifetime } = settings;
  const end = form.invite?.expires_at ?? form.expires_at;
  const isExpired = form.membership_status === 'INVITE_EXPIRED' && form.invite?.status !== 'revoked';
  const ended = endOr(end, clock.now);
  const created_at = momentOr(
    form.created_at,
    isExpired && ended !== undefined ? shift(ended, -(lifetime ?? 0)) : clock.now,
  );
  const hasInvite = form.invite !== null && (isInvited || form.invite !== undefined || end !== undefined);
  if (!hasInvite) return { created_at };
  const made = momentOr(form.invite?.created_at, created_at);
  const expires_at = endOr(end, isExpired ? clock.now : after(made, lifetime));
  const { ended_tokens = [], resent_at, resent_count = 0, status } = form.invite ?? {};
  const invite = {
    token: token(form.invite?.token),
    ended_tokens,
    created_at: made,
    ...defined({ expires_at, resent_at: endOr(resent_at) }),
    resent_count,
    is_revoked: status === 'revoked',
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
  const { membership_status: status = 'ACTIVE', invite } = form;
  const said = invite?.status;
  if (said !== undefined && said !== 'revoked' && said !== INVITE_STATUS[status])
    problem('invite', `its status is ${INVITE_STATUS[status]} while membership_status is ${status}`);
  if (row.stored_status === 'INVITED') {
    for (const member of ['accepted_at', 'join_time'] as const)
      if ((form[member] ?? NEVER) !== NEVER)
        problem(
          member,
          `${status} has no ${member}, since nobody has joined yet; write never, or membership_status ACTIVE or INACTIVE`,
        );
    if (isWritten('membership_status')) checkInvite(writing, written, status, row.invite);
  }
  if (status === 'INACTIVE' && row.invite && !row.invite.is_revoked && form.accepted_at === NEVER)
    problem(
      'accepted_at',
      'INACTIVE without having accepted goes with an invite that is revoked; write invite: { status: revoked }',
    );
};

const checkInvite = (
  { clock }: Writing,
  { problem }: WrittenRow<MembershipForm>,
  status: Schemas['MembershipStatus'],
  invite: InviteRow | undefined,
): void => {
  if (!invite || invite.is_revoked) {
    const fits = invite ? 'INVITE_EXPIRED' : 'PENDING_INVITE';
    const why = invite ? 'with a revoked' : 'without an';
    if (status !== fits) problem('invite', `${status} ${why} invite reads ${fits}`);
    return;
  }
  const hasEnded = invite.expires_at === undefined ? false : clock.hasPassed(invite.expires_at);
  if (status === 'PENDING_INVITE' && hasEnded === true)
    problem('expires_at', 'PENDING_INVITE needs an expires_at that is still ahead');
  if (status === 'INVITE_EXPIRED' && hasEnded === false)
    problem('expires_at', 'INVITE_EXPIRED needs an expires_at that has passed');
};

const showInvite = (invite: InviteRow, created_at: Moment): InviteForm => ({
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
