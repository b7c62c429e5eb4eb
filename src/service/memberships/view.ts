/** How the console shows memberships, roles, and the e-mails that invite. */
import { getRow } from '../../engine/core/table.ts';
import type { NounView } from '../section.ts';
import { createMembership } from './operations.ts';
import { type MembershipRow, membershipKey, type RoleRow } from './row.ts';

export const membershipView: NounView<MembershipRow> = {
  ...{ label: 'Organizations and roles', name: 'user', status: 'membership_status' },
  about: ['organization_id', 'roles'],
  tones: { ACTIVE: 'good', PENDING_INVITE: 'warn', INVITE_EXPIRED: 'bad', INACTIVE: 'quiet' },
  fields: [
    { name: 'user_id', label: 'User', pick: 'users', required: true, onlyNew: true },
    { name: 'organization_id', label: 'Organization', pick: 'organizations', required: true, onlyNew: true },
    { name: 'roles', pick: 'roles', many: true },
    {
      name: 'send_invitation_email',
      label: 'Invitation by e-mail',
      pick: ['true', 'false'],
      onlyNew: true,
    },
  ],
  more: ({ users }, { user_id }) => ({ user: getRow(users, user_id)?.email, user_id }),
  page: ({ invite, stored_status }) =>
    invite && stored_status === 'INVITED' ? `/invitations/${invite.token}` : undefined,
  end: ({ users }, { invite, stored_status, user_id }) =>
    invite?.expires_at === undefined || stored_status !== 'INVITED' || invite.is_revoked
      ? undefined
      : { what: 'invitation', of: getRow(users, user_id)?.email ?? '', at: invite.expires_at },
  create: (state, { user_id, organization_id, roles, send_invitation_email, ...rest }, env) => {
    const path = { organization_id: String(organization_id), id: String(user_id) };
    const body = { ...rest, roles: [roles ?? []].flat().map((id) => ({ id: String(id) })) };
    const query = typeof send_invitation_email === 'boolean' ? { send_invitation_email } : {};
    const { status: _status, body: _body, ...effects } = createMembership(state, { path, query, body }, env);
    return { reply: { id: membershipKey(path.organization_id, path.id) }, ...effects };
  },
};

export const roleView: NounView<RoleRow> = {
  ...{ label: 'Roles', group: 'People', name: 'name', about: ['display_name'] },
  columns: ['permissions', 'default', 'extends'],
  fields: [
    { name: 'name', required: true },
    { name: 'permissions', many: true },
    { name: 'extends', pick: 'roles', many: true },
    { name: 'default', pick: ['true', 'false'] },
  ],
  shows: ['memberships'],
};

export const emailView: NounView<object> = {
  ...{ label: 'E-mails', one: 'e-mail', group: 'People', name: 'subject', about: ['to'] },
  columns: ['kind', 'time'],
};
