/** Memberships of a scenario, with their invitations, and roles (behaviour M1, M2, M6, M7). */
import type { Moment } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { allRows, getRow, rowsBy } from '../../engine/core/table.ts';
import {
  described,
  extend,
  type FormOf,
  listSchema,
  type MemberSchema,
  NONE,
  nullable,
  oneOf,
  SWITCH,
  TEXT,
  TOKEN,
  type ValueOf,
} from '../../engine/scenario/schema.ts';
import {
  type ExportContext,
  type FormMembers,
  findNamed,
  nameOf,
  readable,
  type WrittenRow,
} from '../../engine/scenario/section.ts';
import { endText, NEVER, shift } from '../../engine/scenario/times.ts';
import { ORGANIZATION } from '../directory.ts';
import type { MembershipRow, State } from '../state.ts';
import { contract, type NounSection, type OpenNouns } from '../types.ts';
import {
  findMembership,
  type InvitedMembership,
  inviteStatus,
  isInvited,
  membershipStatus,
  storedMembershipStatus,
} from './operations.ts';
import {
  defaultRoleIds,
  effectivePermissions,
  findRole,
  ROLE,
  type RoleReference,
  withExtended,
} from './roles.ts';

const INVITE = extend(contract('Invite'), {
  organization_id: NONE,
  user_id: NONE,
  status: oneOf('pending', 'accepted', 'expired', 'revoked'),
  token: TOKEN,
  ended_tokens: listSchema(TOKEN),
});

const ROLE_NAME: MemberSchema<string | RoleReference> = {
  ...contract('RoleReference'),
  type: ['string', 'object'],
  description: 'A role, by id or by name.',
};

export const MEMBERSHIP = extend(contract('Membership'), {
  organization_id: ORGANIZATION.schema,
  name: described(TEXT, 'The name of the organization, in place of organization_id.'),
  roles: listSchema(ROLE_NAME),
  groups: described(listSchema(TEXT), 'Groups that the user belongs to through this organization.'),
  invite: nullable(INVITE, 'The invitation; null for a member who was never invited.'),
  remove: SWITCH,
});

/** A membership in a scenario. The user that contains it supplies `user_id`. */
type MembershipForm = ValueOf<typeof MEMBERSHIP> & { readonly user_id?: string };

export const membershipsSection: NounSection<'memberships', MembershipForm> = {
  name: 'memberships',
  noun: 'membership',
  example: '{ organization_id: acme }',
  idMember: 'organization_id',
  joined: ['invite'],
  anyName: ['roles'],
  references: { organization_id: ORGANIZATION },
  names: ({ organization_id, role_ids }) => [
    `organizations/${organization_id}`,
    ...role_ids.map((id) => `roles/${id}`),
  ],
  findPair: (state, { organization_id, name = '', user_id = '' }) => {
    const organization = ORGANIZATION.find(state, organization_id ?? name);
    const member = organization_id === undefined ? 'name' : 'organization_id';
    const row = organization && findMembership(state, organization.id, user_id);
    return { member, key: `the organization ${organization?.name}`, row };
  },
  schema: MEMBERSHIP,
  toRow: (open, written) => {
    const { form } = written;
    const organization = organizationOf(open, written);
    const role_ids = roleIds(open, written);
    if (!organization) return undefined;
    const stored_status = storedMembershipStatus(form.membership_status ?? 'ACTIVE');
    const isWaiting = stored_status === 'INVITED';
    const { created_at, invite } = invitation(open, form, isWaiting);
    // A user with an open invitation has not joined yet, so the times of joining are absent.
    const joined = isWaiting
      ? {}
      : defined({
          accepted_at: open.endOr(form.accepted_at, created_at),
          join_time: open.endOr(form.join_time, created_at),
        });
    const hasDeclined = stored_status === 'INACTIVE' && joined.accepted_at === undefined;
    return {
      organization_id: organization.id,
      user_id: form.user_id ?? '', // comes from the user's row
      role_ids,
      stored_status,
      created_at,
      ...joined,
      ...defined({ inviter_email: form.invite?.inviter_email ?? form.inviter_email }),
      metadata: form.metadata ?? {},
      provisioning_method: form.provisioning_method ?? (invite ? 'invitation' : 'direct_provision'),
      groups: form.groups ?? [],
      ...(invite && { invite: { ...invite, is_revoked: invite.is_revoked || hasDeclined } }),
    };
  },
  toForm: (state, membership, context) => {
    const { at, time } = context;
    const { user_id: _, role_ids, stored_status, invite, ...row } = membership;
    const stored = stored_status === 'INVITED' ? 'PENDING_INVITE' : stored_status;
    return {
      ...row,
      ...fixedMembers(state, membership),
      membership_status: at ? membershipStatus(membership, at) : stored,
      roles: role_ids.map((id) => nameOf(ROLE, state, id)),
      created_at: time(row.created_at),
      accepted_at: endText(time, row.accepted_at),
      join_time: endText(time, row.join_time),
      groups: [...row.groups],
      expires_at: invite && endText(time, invite.expires_at),
      invite: isInvited(membership) ? showInvite(membership, context) : null,
    };
  },
  derived: (state, membership, { settings, time, at }) => {
    const { stored_status, created_at, invite } = membership;
    const isWaiting = stored_status === 'INVITED';
    const joined = endText(time, isWaiting ? undefined : created_at);
    const end = invite && after(invite.created_at, settings.invite_ttl);
    return {
      ...fixedMembers(state, membership),
      membership_status: 'ACTIVE',
      roles: defaultRoleIds(state).map((id) => nameOf(ROLE, state, id)),
      accepted_at: joined,
      join_time: joined,
      metadata: {},
      provisioning_method: invite ? 'invitation' : 'direct_provision',
      groups: [],
      // An ended invitation that does not say when it ended has ended just now.
      expires_at:
        at && membershipStatus(membership, at) === 'INVITE_EXPIRED' ? undefined : endText(time, end),
      invite: invite ? { ...INVITE_DEFAULTS, created_at: time(created_at) } : isWaiting ? {} : null,
    };
  },
};

/** The organization, which is named by `organization_id` or by its name alone. */
const organizationOf = (open: OpenNouns, written: WrittenRow<MembershipForm>) => {
  const { organization_id, name } = written.form;
  if (organization_id !== undefined) return getRow(open.state.organizations, organization_id);
  if (name !== undefined) return findNamed(open, written, 'name', ORGANIZATION, name);
  const needs = 'a membership needs organization_id: the id or the name of an organization';
  return written.problem(undefined, needs);
};

/** What the organization and the roles decide. */
const fixedMembers = (state: State, { organization_id, role_ids }: MembershipRow) => {
  const { name, display_name } = getRow(state.organizations, organization_id) ?? {};
  return { name, display_name, permissions: effectivePermissions(state, role_ids) };
};

/** The ids of the membership's roles. If `roles` is absent, the id of the default role (behaviour M2). */
const roleIds = (open: OpenNouns, written: WrittenRow<MembershipForm>): readonly string[] => {
  const { roles } = written.form;
  if (roles === undefined) return defaultRoleIds(open.state);
  const ids = roles.flatMap((role, index) => {
    const { id, name, display_name } = typeof role === 'string' ? { id: role } : role;
    const named = id ?? name ?? findRole(open.state, defined({ display_name }))?.id ?? display_name;
    return findNamed(open, written, ['roles', index], ROLE, named)?.id ?? [];
  });
  return [...new Set(ids)];
};

/** The invitation and the creation time of a membership. Computes missing times from the times in `form`. */
const invitation = (open: OpenNouns, form: MembershipForm, isWaiting: boolean) => {
  const { now, settings, token } = open;
  const { invite } = form;
  const end = invite?.expires_at ?? form.expires_at;
  const isExpired = form.membership_status === 'INVITE_EXPIRED' && invite?.status !== 'revoked';
  const ended = isExpired
    ? open.endOr(end, usualEnd(open, invite?.created_at ?? form.created_at))
    : undefined;
  const lifetime = settings.invite_ttl ?? 0;
  const created_at = open.momentOr(form.created_at, ended === undefined ? now : shift(ended, -lifetime));
  if (invite === null || !(isWaiting || invite || end)) return { created_at };
  const made = open.momentOr(invite?.created_at, created_at);
  return {
    created_at,
    invite: {
      token: token(invite?.token),
      ended_tokens: invite?.ended_tokens ?? [],
      created_at: made,
      ...defined({
        expires_at: isExpired ? ended : open.endOr(end, after(made, settings.invite_ttl)),
        resent_at: open.endOr(invite?.resent_at),
      }),
      resent_count: invite?.resent_count ?? 0,
      is_revoked: invite?.status === 'revoked',
    },
  };
};

/** When an expired invitation ended that does not say so: after its lifetime if that is past, else now (behaviour M6). */
const usualEnd = (open: OpenNouns, created: string | undefined): Moment => {
  const { now, settings, instants } = open;
  const end = created === undefined ? undefined : after(open.momentOr(created, now), settings.invite_ttl);
  return end !== undefined && instants.every(({ hasEnded }) => hasEnded(end)) ? end : now;
};

const after = (moment: Moment, lifetime: number | null): Moment | undefined =>
  lifetime === null ? undefined : shift(moment, lifetime);

const INVITE_DEFAULTS = { ended_tokens: [], resent_at: NEVER, resent_count: 0 };

const showInvite = (
  membership: InvitedMembership,
  { at, time }: ExportContext,
): FormMembers<ValueOf<typeof INVITE>> => {
  const { token, ended_tokens, created_at, resent_at, resent_count, is_revoked } = membership.invite;
  return {
    token,
    ended_tokens: [...ended_tokens],
    created_at: time(created_at),
    resent_at: endText(time, resent_at),
    resent_count,
    status: is_revoked ? 'revoked' : at && inviteStatus(membership, at),
  };
};

const ROLE_NAMES: MemberSchema<string | readonly string[]> = {
  type: ['string', 'array'],
  minLength: 1,
  items: TEXT,
  description: 'Roles, by id or by name.',
};

const ROLE_FORM = extend(contract('Role'), {
  id: TOKEN,
  name: TEXT,
  permissions: listSchema(TEXT),
  extends: ROLE_NAMES,
  default: described(SWITCH, 'Members without roles get this role.'),
});

type RoleForm = FormOf<typeof ROLE_FORM>;

export const rolesSection: NounSection<'roles', RoleForm> = {
  name: 'roles',
  noun: 'role',
  example: '{ name: admin, permissions: [manage_users] }',
  keys: ['name'],
  names: (role) => role.extends.map((id) => `roles/${id}`),
  schema: ROLE_FORM,
  anyName: ['extends'],
  toRow: (open, { form: { id, name, ...more }, problem }) => {
    if (name === undefined) return problem(undefined, 'a role needs a name');
    return {
      id: open.id(id, 'role'),
      name,
      display_name: readable(name),
      permissions: [],
      default: false,
      ...more,
      extends: [], // filled in by `complete`, since a role can extend a later role
    };
  },
  complete: (open, rows) => {
    const written = rows('roles');
    for (const [id, each] of written) extendRole(open, id, each);
    const inCircle = rolesInCircles(open.state, written.keys());
    for (const [id, { form, problem }] of written) {
      if (inCircle.has(id)) problem('extends', `the role ${String(form.name)} extends itself`);
      const other = defaultsOf(open.state).find((role) => role.id !== id);
      if (other && getRow(open.state.roles, id)?.default)
        problem('default', `only one role can be the default, and ${other.name} is already the default`);
    }
    // If no role of the scenario sets `default`, the first role becomes the default.
    const [first] = allRows(open.state.roles);
    const isMentioned = [...written.values()].some(({ form }) => form.default !== undefined);
    if (first && !isMentioned && defaultsOf(open.state).length === 0)
      open.put('roles', { ...first, default: true });
  },
  toForm: (state, row) => ({
    ...row,
    permissions: [...row.permissions],
    extends: row.extends.map((id) => nameOf(ROLE, state, id)),
  }),
};

const defaultsOf = ({ roles: table }: State) => rowsBy(table, 'default', 'true');

const extendRole = (open: OpenNouns, id: string, written: WrittenRow): void => {
  const row = getRow(open.state.roles, id);
  const { extends: names = [] } = written.form as RoleForm; // the cast is safe: the schema check accepts only a role here
  const extended = [names].flat().map((name, index) => {
    const member = Array.isArray(names) ? ['extends', index] : 'extends';
    return findNamed(open, written, member, ROLE, name);
  });
  if (row) open.put('roles', { ...row, extends: extended.flatMap((role) => role?.id ?? []) });
};

/** Which roles' `extends` lead into a circle: what is left once every role that extends none of the rest is taken away. */
const rolesInCircles = (state: State, ids: Iterable<string>): ReadonlySet<string> => {
  const order = [...withExtended(state, ids)];
  const left = new Set(order);
  const isEnd = (id: string) => !getRow(state.roles, id)?.extends.some((other) => left.has(other));
  for (let before = Infinity; left.size < before; ) {
    before = left.size;
    // From one side, then from the other: roles mostly extend a role that is written just before or after them.
    for (const id of order.reverse()) if (isEnd(id)) left.delete(id);
  }
  return left;
};
