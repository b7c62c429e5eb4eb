/** Memberships in time: roles, invitations that end, and acceptance. */
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { including, someText, timeAfter } from '../pattern.ts';
import type { Context } from '../session.ts';

const DAY = 86_400_000;

/** The membership of the run's organization, whatever others the user has. */
const membershipOf = ({ organizationId }: Context, more: object) => ({
  user: { memberships: including({ organization_id: organizationId, ...more }) },
});

const byId = ({ organizationId, userId }: Context) => ({ organization_id: organizationId, id: userId });

/** A create that answers about roles of the default scenario. */
const withRoles = (roles: readonly object[]) => (context: Context) => ({
  path: byId(context),
  body: { roles },
});

const roleRefusal = (name: string, roles: readonly object[]): Case =>
  define({
    name,
    operationId: 'createMembership',
    basis: 'inferred',
    cites: ['M2'],
    needs: ['write', 'control'],
    send: withRoles(roles),
    status: 400,
  });

export const MEMBERSHIP_STATE_CASES = [
  define({
    name: 'An invitation ends 15 days after it was made',
    operationId: 'createMembership',
    basis: 'inferred',
    cites: ['M1'],
    needs: ['write', 'organization', 'user'],
    send: (context) => ({ path: byId(context), body: {} }),
    status: 201,
    afterwards: [
      {
        operationId: 'resendInvite',
        send: (context) => ({ path: byId(context), body: {} }),
        status: 200,
      },
      {
        operationId: 'resendInvite',
        send: (context) => ({ path: byId(context), body: {} }),
        status: 200,
        body: ({ last }) => ({
          invite: { expires_at: timeAfter(textAt(last.body, 'invite', 'created_at'), 15 * DAY) },
        }),
      },
    ],
  }),
  define({
    name: 'A role is found by name, by id or by display name, and brings what it extends',
    operationId: 'createMembership',
    basis: 'promised',
    cites: [
      'memberships.role_by_name',
      'memberships.role_by_id',
      'memberships.role_by_display_name',
      'memberships.changed_roles',
      'M2',
    ],
    needs: ['write', 'control'],
    send: withRoles([{ name: 'admin' }]),
    status: 201,
    body: (context) =>
      membershipOf(context, {
        roles: [{ name: 'admin' }],
        permissions: ['manage_users', 'read_projects', 'write_tasks'],
      }),
    afterwards: [
      {
        operationId: 'updateMembership',
        send: (context) => ({ path: byId(context), body: { roles: [{ id: 'role_100000000000000001' }] } }),
        status: 200,
        body: (context) =>
          membershipOf(context, { roles: [{ name: 'member' }], permissions: ['read_projects'] }),
      },
      {
        operationId: 'updateMembership',
        send: (context) => ({ path: byId(context), body: { roles: [{ display_name: 'Admin' }] } }),
        status: 200,
        body: (context) => membershipOf(context, { roles: [{ name: 'admin' }] }),
      },
    ],
  }),
  define({
    name: 'Without roles a member has the default role',
    operationId: 'createMembership',
    basis: 'inferred',
    cites: ['M2'],
    needs: ['write', 'control'],
    send: (context) => ({ path: byId(context), body: {} }),
    status: 201,
    body: (context) => membershipOf(context, { roles: [{ name: 'member' }] }),
  }),
  roleRefusal('A role that does not exist is refused', [{ name: 'conformance' }]),
  roleRefusal('A role whose name and id disagree is refused', [
    { id: 'role_100000000000000001', name: 'admin' },
  ]),
  define({
    name: 'A pending invitation that nobody answers is INVITE_EXPIRED after 15 days',
    operationId: 'updateMembership',
    basis: 'inferred',
    cites: ['M6', 'T9'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      await session.obtain('createMembership', { path: byId(session), body: {} }, 201);
      await session.control.advance('15d');
    },
    send: (context) => ({ path: byId(context), body: {} }),
    status: 200,
    body: (context) => membershipOf(context, { membership_status: 'INVITE_EXPIRED' }),
  }),
  define({
    name: 'An invitation that is accepted makes the member ACTIVE',
    operationId: 'updateMembership',
    basis: 'inferred',
    cites: ['M8'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      await session.obtain('createMembership', { path: byId(session), body: {} }, 201);
      await session.control.act(`memberships/${session.organizationId}/${session.userId}/accept`);
    },
    send: (context) => ({ path: byId(context), body: {} }),
    status: 200,
    body: (context) =>
      membershipOf(context, { membership_status: 'ACTIVE', accepted_at: someText, join_time: someText }),
  }),
];
