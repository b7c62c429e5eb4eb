/** Memberships and invitations. Calls that name the user by id or by external id answer alike (behaviour M5). */
import { type Case, reading, test, writing } from '../case.ts';
import { textAt } from '../client.ts';
import { absent, aTime, daysAfter, empty, someText } from '../matchers.ts';
import { sampleOf, UNKNOWN } from '../samples.ts';
import type { Expected, Service } from '../service.ts';

const BY_ID = {
  create: 'createMembership',
  update: 'updateMembership',
  remove: 'deleteMembership',
  by: 'user named by id',
  pathOf: (service: Service) => ({ organization_id: service.organizationId, id: service.userId }),
  /**
   * The API's description documents these operations in full, and mentions the operations by external id only by name.
   */
  basis: 'promised',
} as const;

const BY_EXTERNAL_ID = {
  create: 'createMembershipByExternalId',
  update: 'updateMembershipByExternalId',
  remove: 'deleteMembershipByExternalId',
  by: 'user named by external id',
  pathOf: (service: Service) => ({
    organization_id: service.organizationId,
    external_id: service.externalId,
  }),
  basis: 'inferred',
} as const;

type Way = typeof BY_ID | typeof BY_EXTERNAL_ID;

/** Expects a success whose user has a membership in the run's organization with these members. */
const member = ({ organizationId: organization_id }: Service, more: object): Expected => ({
  body: { user: { memberships: [{ organization_id, ...more }] } },
});

/** Makes the run's user a member of the run's organization, without an invitation. */
const join = async (service: Service, { create, pathOf }: Way, body: object = {}) => {
  const path = pathOf(service);
  await service.call(create, { path, query: { send_invitation_email: false }, body });
  return path;
};

const creating = ({ create, by, pathOf, basis }: Way): readonly Case[] =>
  writing(
    create,
    test(`Creating a membership invites the user and gives a role (${by})`, (service) => {
      const body = { metadata: { team: 'core' }, inviter_email: 'suite@conformance.test' };
      const invited = { membership_status: 'PENDING_INVITE', provisioning_method: 'invitation' };
      const shown = { ...body, ...invited, created_at: aTime, expires_at: aTime, accepted_at: absent };
      const roles = [{ id: someText, name: someText }];
      return service.call(create, { path: pathOf(service), body }, member(service, { ...shown, roles }));
    })[basis]('M1', 'M2', 'M5'),
    test(`Creating a membership without an invitation makes the member ACTIVE at once (${by})`, (service) => {
      const call = { path: pathOf(service), query: { send_invitation_email: false }, body: {} };
      const times = { join_time: aTime, accepted_at: aTime };
      const active = { membership_status: 'ACTIVE', provisioning_method: 'direct_provision', ...times };
      return service.call(create, call, member(service, active));
    }).inferred('M1'),
    test(`Creating a second membership in the same organization answers 409 (${by})`, async (service) => {
      const call = { path: pathOf(service), body: {} };
      await service.call(create, call);
      await service.call(create, call, 409);
    }).inferred('M1'),
    test(`Creating a membership in an organization that does not exist answers 404 (${by})`, (service) => {
      const path = { ...pathOf(service), organization_id: UNKNOWN.organization };
      return service.misses(create, { path, body: {} });
    }).inferred('M1', 'I2'),
  );

const changing = (way: Way): readonly Case[] => {
  const { create, update, remove, by, pathOf, basis } = way;
  return [
    ...writing(
      update,
      test(`Updating a membership returns the updated user (${by})`, async (service) => {
        const path = await join(service, way);
        const body = { metadata: { team: 'docs' } };
        await service.call(update, { path, body }, member(service, body));
      })[basis]('M5'),
      test(`Updating a membership replaces its metadata; an empty list of roles keeps the roles (${by})`, async (service) => {
        const path = await join(service, way, { metadata: { team: 'core', desk: 'one' } });
        const body = { metadata: { team: 'docs' }, roles: [] };
        const metadata = { team: 'docs', desk: absent };
        await service.call(update, { path, body }, member(service, { metadata, roles: [{}] }));
      }).inferred('M3'),
      test(`Updating the membership of a user outside the organization answers 404 (${by})`, (service) =>
        service.misses(update, { path: pathOf(service), body: {} })).inferred('M3'),
    ),
    ...writing(
      remove,
      test(`A removed membership answers 404, and can be created again (${by})`, async (service) => {
        const path = await join(service, way);
        await service.call(remove, { path }, { body: empty });
        await service.misses(remove, { path });
        await service.call(create, { path, body: {} });
      })[basis]('M4'),
    ),
  ];
};

const REFUSING = reading(
  'createMembership',
  test('Creating a membership refuses a role that is not an object, and an invalid inviter_email', async (service) => {
    const sample = sampleOf('createMembership', service);
    await service.refuses('createMembership', { ...sample, body: { roles: ['admin'] } }, 'roles[0]');
    const body = { inviter_email: 'a b@client.test' };
    await service.refuses('createMembership', { ...sample, body }, 'inviter_email');
    for (const inviter_email of ['root@localhost', '"a b"@client.test', 'ada@[127.0.0.1]'])
      await service.misses('createMembership', { ...sample, body: { inviter_email } });
  }).inferred('M2', 'X3'),
);

const UNKNOWN_ROLE = writing(
  'createMembership',
  test('Creating a membership with a role that does not exist is refused', (service) => {
    const call = { path: BY_ID.pathOf(service), body: { roles: [{ name: 'conformance' }] } };
    return service.call('createMembership', call, 400);
  }).inferred('M2'),
);

/** Invites the run's user into the run's organization. */
const anInvitedMember = async (service: Service) => {
  const path = BY_ID.pathOf(service);
  await service.call('createMembership', { path, body: {} });
  return path;
};

const INVITING = writing(
  'resendInvite',
  test('Resending a valid invitation returns it with resent_at and a resent_count of 1', async (service) => {
    const path = await anInvitedMember(service);
    const invite = { organization_id: path.organization_id, user_id: path.id, status: 'pending' };
    const times = { created_at: aTime, expires_at: aTime, resent_at: aTime };
    const resent = { body: { invite: { ...invite, ...times, resent_count: 1 } } };
    await service.call('resendInvite', { path, body: {} }, resent);
  }).promised('M7'),
  test('Resending an invitation twice counts both, and it still expires 15 days after it was created', async (service) => {
    const path = await anInvitedMember(service);
    const { body } = await service.call('resendInvite', { path, body: {} });
    const expires_at = textAt(body, 'invite', 'expires_at');
    const made = textAt(body, 'invite', 'created_at');
    const again = { body: { invite: { resent_count: 2, expires_at } } };
    await service.call('resendInvite', { path, body: {} }, again);
    const in15Days = { body: { invite: { expires_at: daysAfter(made, 15) } } };
    await service.call('resendInvite', { path, body: {} }, in15Days);
  }).inferred('M1', 'M7'),
  test('Resending answers 404 for a member who was never invited', async (service) => {
    const path = await join(service, BY_ID);
    await service.misses('resendInvite', { path, body: {} });
  }).promised('M7'),
);

const UNINVITED = reading(
  'resendInvite',
  test('Resending answers 404 for a user or an organization that does not exist', async (service) => {
    const { organizationId: organization_id, userId: id } = service;
    await service.misses('resendInvite', { path: { organization_id, id: UNKNOWN.user }, body: {} });
    await service.misses('resendInvite', { path: { organization_id: UNKNOWN.organization, id }, body: {} });
  }).promised('M7'),
);

export const MEMBERSHIP_FLOWS: readonly Case[] = [
  ...[BY_ID, BY_EXTERNAL_ID].flatMap(creating),
  ...[BY_ID, BY_EXTERNAL_ID].flatMap(changing),
  ...REFUSING,
  ...UNKNOWN_ROLE,
  ...INVITING,
  ...UNINVITED,
];
