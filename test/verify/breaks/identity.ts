/** Connections, custom providers, users and what is done with them, with one promise broken. */
import type { PromiseId } from '../../../src/verify/promises.ts';
import { type Break, drop, each, ignoreQuery, on, replace, restate, restatus, set } from './break.ts';

const MEMBERSHIP = 'user.memberships.*';
const LOGS = 'listAuthenticationRequests';
const RESEND = 'resendInvite';

const resent = (from: number): readonly Break[] => [restatus(RESEND, from, 200)];

const emptyOutbox: Break = {
  alter: ({ url, body }) => {
    if (url.endsWith('/outbox')) body.emails = [];
  },
};

/** Held to a limit neither way. */
const unlimited: readonly Break[] = [restate(400, 200), restate(200, 400)];

/** Another id in every reply. */
const renamed = (place: string): Break =>
  each(place, (held) => {
    moved += 1;
    held.id = `usr_10000000000000000${moved % 10}`;
  });

let moved = 0;

export const IDENTITY_BREAKS: Partial<Record<PromiseId, readonly Break[]>> = {
  'connection.no_mcp_server': [replace('connections.*', 'mcp_server_url', '', 'https://tools.test')],
  'connections.200': [drop('', 'connections')],
  'provider.https_only': [
    restatus('createCustomProvider', 400, 201),
    restatus('updateCustomProvider', 400, 200),
  ],
  'provider.response_only': [
    on('createCustomProvider', ({ asked, body }) => {
      Object.assign(body.provider, asked.body);
    }),
  ],
  'custom_providers.201': [drop('', 'provider', 'createCustomProvider')],
  'custom_providers.400': [restatus('createCustomProvider', 400, 201)],
  'custom_providers.invalid_proxy_url': [restatus('createCustomProvider', 400, 201)],
  'custom_providers.partial': [set('provider', 'metadata', {}, 'updateCustomProvider')],
  'custom_providers.200': [drop('', 'provider', 'updateCustomProvider')],
  'custom_providers.by_identifier': [
    restatus('updateCustomProvider', 200, 404),
    restatus('deleteCustomProvider', 200, 404),
  ],
  'user.valid_email': [restate(400, 200)],
  'user.email_unique': [restate(400, 200)],
  'user.id_stays': [renamed('user')],
  'profile.id_stays': [renamed('user.user_profile')],
  'profile.bcp_47': unlimited,
  'profile.e_164': unlimited,
  'profile.longest_given_name': unlimited,
  'profile.longest_family_name': unlimited,
  'profile.longest_preferred_username': unlimited,
  'profile.phone_number_optional': [set('user.user_profile', 'phone_number', '+15550100001')],
  'metadata.custom_attributes': unlimited,
  'membership.permissions_inherited': [set(MEMBERSHIP, 'permissions', ['manage_users', 'write_tasks'])],
  'states.reinvited': [replace(MEMBERSHIP, 'membership_status', 'PENDING_INVITE', 'INVITE_EXPIRED')],
  'states.reinvitation_sent': [emptyOutbox],
  'states.reinvitation_counted': [set('invite', 'resent_count', 0)],
  'states.reminded': [
    each('invite', (invite) => {
      moved += 1;
      invite.expires_at = new Date(moved).toISOString();
    }),
  ],
  'states.reminder_sent': [emptyOutbox],
  'states.reminder_counted': [set('invite', 'resent_count', 0)],
  'states.removed': [restatus('updateMembership', 404, 200)],
  'invitations.200': [drop('', 'invite')],
  'invitations.new_expiry': [
    on('any', ({ body }) => {
      for (const held of [body?.invite, body?.user?.memberships?.[0]])
        if (held) held.expires_at = '2001-01-01T00:00:00.000Z';
    }),
  ],
  'invitations.resent_count': [set('invite', 'resent_count', 0)],
  'invitations.empty_body': [restatus(RESEND, 200, 400)],
  'invitations.invalid_user_id': resent(400),
  'invitations.invalid_organization_id': resent(400),
  'invitations.full_stack_off': resent(400),
  'invitations.no_profile': resent(400),
  'invitations.accepted': resent(400),
  'invitations.no_expiry_time': resent(400),
  'invitations.user_not_found': resent(404),
  'invitations.organization_not_found': resent(404),
  'invitations.membership_not_found': resent(404),
  'invitations.invitation_not_found': resent(404),
  'memberships.inviter_email': [
    drop(MEMBERSHIP, 'inviter_email', 'createMembership'),
    restatus('createMembership', 400, 404),
  ],
  'memberships.metadata': [drop(MEMBERSHIP, 'metadata', 'createMembership')],
  'memberships.role_by_name': [restatus('createMembership', 201, 400)],
  'memberships.role_by_id': [restatus('updateMembership', 200, 400)],
  'memberships.role_by_display_name': [restatus('updateMembership', 200, 400)],
  'memberships.201': [drop('', 'user', 'createMembership')],
  'memberships.changed_metadata': [set(MEMBERSHIP, 'metadata', {}, 'updateMembership')],
  'memberships.changed_roles': [set(MEMBERSHIP, 'roles', [], 'updateMembership')],
  'memberships.200': [drop('', 'user', 'updateMembership')],
  'memberships.deleted': [set('', 'deleted', true, 'deleteMembership')],
  'memberships.irreversible': [restatus('deleteMembership', 404, 200)],
  'memberships.by_external_id': [restatus('createMembershipByExternalId', 201, 404)],
  'memberships.external_inviter_email': [
    drop(MEMBERSHIP, 'inviter_email', 'createMembershipByExternalId'),
    restatus('createMembershipByExternalId', 400, 404),
  ],
  'logs.newest_first': [
    on(LOGS, ({ body }) => {
      body.authRequests?.reverse();
    }),
  ],
  'logs.none': [
    on(LOGS, ({ body }) => {
      body.authRequests?.push({});
    }),
  ],
  'logs.page_token': [ignoreQuery(LOGS, 'page_token')],
  'logs.next_page_token': [drop('', 'next_page_token', LOGS)],
  'logs.last_page': [replace('', 'next_page_token', '', 'more')],
  'logs.prev_page_token': [drop('', 'prev_page_token', LOGS)],
  'logs.first_page': [replace('', 'prev_page_token', '', 'more')],
  'logs.total_size': [drop('', 'total_size', LOGS)],
  'logs.email': [ignoreQuery(LOGS, 'email')],
  'logs.status': [ignoreQuery(LOGS, 'status')],
  'logs.any_case': [
    on(LOGS, (reply) => {
      if (/status=[a-z]/.test(reply.url)) reply.status = 400;
    }),
  ],
  'logs.time': [ignoreQuery(LOGS, 'start_time'), ignoreQuery(LOGS, 'end_time')],
  'logs.resource_id': [ignoreQuery(LOGS, 'resource_id')],
  'logs.client_id': [ignoreQuery(LOGS, 'client_id')],
  'logs.malformed_page_token': [restatus(LOGS, 400, 200)],
  'logs.unknown_status': [restatus(LOGS, 400, 200)],
};
