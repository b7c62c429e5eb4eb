/** Memberships, by user id and by external id: both take the same bodies and answer alike (behaviour M5). */
import { type Case, define } from '../case.ts';
import { absent, empty, including, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';
import type { Context, Session } from '../session.ts';

/** How the two families of operations name a user. */
const FAMILIES = [
  {
    create: 'createMembership',
    update: 'updateMembership',
    remove: 'deleteMembership',
    by: 'by id',
    needs: ['write', 'organization', 'user'],
    path: (context: Context) => ({ organization_id: context.organizationId, id: context.userId }),
    unknown: { id: UNKNOWN.user },
    isShown: true,
    created: ['memberships.metadata', 'memberships.inviter_email', 'memberships.201'],
    inviter: 'memberships.inviter_email',
    updated: ['memberships.200', 'memberships.changed_metadata'],
    removed: ['memberships.deleted', 'memberships.irreversible'],
  },
  {
    create: 'createMembershipByExternalId',
    update: 'updateMembershipByExternalId',
    remove: 'deleteMembershipByExternalId',
    by: 'by external id',
    needs: ['write', 'organization', 'externalId'],
    path: (context: Context) => ({
      organization_id: context.organizationId,
      external_id: context.externalId,
    }),
    unknown: { external_id: UNKNOWN.externalId },
    isShown: false,
    created: ['memberships.by_external_id', 'memberships.external_inviter_email'],
    inviter: 'memberships.external_inviter_email',
    updated: ['M5'],
    removed: [],
  },
] as const;

type Family = (typeof FAMILIES)[number];

/** The membership of the run's organization, whatever others the user has. */
const membershipOf = ({ organizationId }: Context, more: object) => ({
  user: { memberships: including({ organization_id: organizationId, ...more }) },
});

const joined =
  (family: Family, body: object = {}) =>
  async (session: Session) => {
    const path = family.path(session);
    await session.obtain(family.create, { path, query: { send_invitation_email: false }, body }, 201);
    return path;
  };

const creating = (family: Family): Case[] => [
  define({
    name: `A user becomes a member, ${family.by}, and is answered with the membership`,
    operationId: family.create,
    basis: family.isShown ? 'promised' : 'inferred',
    cites: [...family.created, 'M5'],
    needs: family.needs,
    send: (context) => ({
      path: family.path(context),
      body: { metadata: { team: 'core' }, inviter_email: 'suite@conformance.test' },
    }),
    status: 201,
    body: (context) =>
      membershipOf(context, { metadata: { team: 'core' }, inviter_email: 'suite@conformance.test' }),
  }),
  define({
    name: `An invitation is sent unless it is told otherwise, ${family.by}: PENDING_INVITE for 15 days`,
    operationId: family.create,
    basis: 'inferred',
    cites: ['M1', 'M2'],
    needs: family.needs,
    send: (context) => ({ path: family.path(context), query: { send_invitation_email: true }, body: {} }),
    status: 201,
    body: (context) =>
      membershipOf(context, {
        membership_status: 'PENDING_INVITE',
        provisioning_method: 'invitation',
        expires_at: someText,
        accepted_at: absent,
        roles: including({}),
      }),
  }),
  define({
    name: `Without an invitation the member is ACTIVE at once, ${family.by}`,
    operationId: family.create,
    basis: 'inferred',
    cites: ['M1'],
    needs: family.needs,
    send: (context) => ({ path: family.path(context), query: { send_invitation_email: false }, body: {} }),
    status: 201,
    body: (context) =>
      membershipOf(context, {
        membership_status: 'ACTIVE',
        provisioning_method: 'direct_provision',
        join_time: someText,
        accepted_at: someText,
      }),
  }),
  define({
    name: `A second membership in one organization conflicts, ${family.by}`,
    operationId: family.create,
    basis: 'inferred',
    cites: ['M1'],
    needs: family.needs,
    arrange: joined(family),
    send: (context) => ({ path: family.path(context), body: {} }),
    status: 409,
  }),
  define({
    name: `An organization or a user that does not exist is not found, ${family.by}`,
    operationId: family.create,
    basis: 'inferred',
    cites: ['M1', 'I2'],
    needs: family.needs,
    send: (context) => ({
      path: { ...family.path(context), organization_id: UNKNOWN.organization },
      body: {},
    }),
    status: 404,
    afterwards: [
      {
        send: (context) => ({ path: { ...family.path(context), ...family.unknown }, body: {} }),
        status: 404,
      },
    ],
  }),
  define({
    name: `An inviter_email that is no e-mail address is refused, ${family.by}`,
    operationId: family.create,
    basis: 'promised',
    cites: [family.inviter],
    send: () => ({
      path: { organization_id: UNKNOWN.organization, ...family.unknown },
      body: { inviter_email: 'nobody' },
    }),
    status: 400,
    violates: 'inviter_email',
  }),
  define({
    name: `A role that is a plain text, ${family.by}, is refused`,
    operationId: family.create,
    basis: 'inferred',
    cites: ['M2'],
    send: () => ({
      path: { organization_id: UNKNOWN.organization, ...family.unknown },
      body: { roles: ['admin'] },
    }),
    status: 400,
    violates: 'roles[0]',
  }),
];

const changing = (family: Family): Case[] => [
  define({
    name: `Metadata is replaced and roles stay when only metadata is sent, ${family.by}`,
    operationId: family.update,
    basis: 'inferred',
    cites: ['M3'],
    needs: family.needs,
    arrange: joined(family, { metadata: { team: 'core', desk: 'one' } }),
    send: ({ given }) => ({ path: given, body: { metadata: { team: 'docs' }, roles: [] } }),
    status: 200,
    body: (scope) => membershipOf(scope, { metadata: { team: 'docs', desk: absent }, roles: including({}) }),
  }),
  define({
    name: `An update answers with the updated user, ${family.by}`,
    operationId: family.update,
    basis: family.isShown ? 'promised' : 'inferred',
    cites: family.updated,
    needs: family.needs,
    arrange: joined(family),
    send: ({ given }) => ({ path: given, body: { metadata: { team: 'docs' } } }),
    status: 200,
    body: (scope) => membershipOf(scope, { metadata: { team: 'docs' } }),
  }),
  define({
    name: `An update of a user that is no member is not found, ${family.by}`,
    operationId: family.update,
    basis: 'inferred',
    cites: ['M3'],
    needs: family.needs,
    send: (context) => ({ path: family.path(context), body: {} }),
    status: 404,
  }),
  define({
    name: `Metadata with a key that is too short is refused, ${family.by}, and the key is named`,
    operationId: family.update,
    basis: 'promised',
    cites: ['metadata.shortest_key', 'X1'],
    send: () => ({
      path: { organization_id: UNKNOWN.organization, ...family.unknown },
      body: { metadata: { ab: 'short', fine: 'long enough' } },
    }),
    status: 400,
    violates: 'metadata.ab',
  }),
  define({
    name: `A removed member is gone, and can be added again, ${family.by}`,
    operationId: family.remove,
    basis: family.isShown ? 'promised' : 'inferred',
    cites: [...family.removed, 'M4'],
    needs: family.needs,
    arrange: joined(family),
    send: ({ given }) => ({ path: given }),
    status: 200,
    body: empty,
    afterwards: [
      { send: ({ given }) => ({ path: given }), status: 404 },
      { operationId: family.create, send: ({ given }) => ({ path: given, body: {} }), status: 201 },
    ],
  }),
  define({
    name: `Removing a user that is no member is not found, ${family.by}`,
    operationId: family.remove,
    basis: 'inferred',
    cites: ['M4'],
    needs: family.needs,
    send: (context) => ({ path: family.path(context) }),
    status: 404,
  }),
];

export const MEMBERSHIP_CASES = [...FAMILIES.flatMap(creating), ...FAMILIES.flatMap(changing)];
