/** Cases about memberships and invitations. */
import { type Api, textAt } from '../api.ts';
import { type Case, reading, test, writing } from '../case.ts';
import { absent, aTime, daysAfter, empty, someText } from '../matchers.ts';
import { sampleOf, UNKNOWN } from '../samples.ts';
import type { Expected } from '../service.ts';

const BY_ID = {
  create: 'createMembership',
  update: 'updateMembership',
  remove: 'deleteMembership',
  by: 'by user id',
  pathOf: (api: Api) => ({ organization_id: api.given('organizationId'), id: api.given('userId') }),
  basis: 'promised',
} as const;

const BY_EXTERNAL_ID = {
  create: 'createMembershipByExternalId',
  update: 'updateMembershipByExternalId',
  remove: 'deleteMembershipByExternalId',
  by: 'by external id',
  pathOf: (api: Api) => ({
    organization_id: api.given('organizationId'),
    external_id: api.given('externalId'),
  }),
  basis: 'inferred', // because the API's description does not explain these operations
} as const;

type Way = typeof BY_ID | typeof BY_EXTERNAL_ID;

/** A successful answer whose user has this membership in the organization of `--organization-id`. */
const member = (api: Api, membership: object): Expected => ({
  body: { user: { memberships: [{ organization_id: api.given('organizationId'), ...membership }] } },
});

/** Makes the user a member of the organization of `--organization-id`, without an invitation. */
const join = async (api: Api, { create, pathOf }: Way, body: object = {}) => {
  const path = pathOf(api);
  await api.call(create, { path, query: { send_invitation_email: false }, body });
  return path;
};

const creating = ({ create, by, pathOf, basis }: Way): readonly Case[] =>
  writing(
    create,
    test(`Creating a membership invites the user and gives a role (${by})`, (api) => {
      const body = { metadata: { team: 'core' }, inviter_email: 'suite@conformance.test' };
      const invited = { membership_status: 'PENDING_INVITE', provisioning_method: 'invitation' };
      const shown = { ...body, ...invited, created_at: aTime, expires_at: aTime, accepted_at: absent };
      const roles = [{ id: someText, name: someText }];
      return api.call(create, { path: pathOf(api), body }, member(api, { ...shown, roles }));
    })[basis]('M1', 'M2', 'M5'),
    test(`Creating a membership without an invitation makes the member ACTIVE at once (${by})`, (api) => {
      const call = { path: pathOf(api), query: { send_invitation_email: false }, body: {} };
      const times = { join_time: aTime, accepted_at: aTime };
      const active = { membership_status: 'ACTIVE', provisioning_method: 'direct_provision', ...times };
      return api.call(create, call, member(api, active));
    }).inferred('M1'),
    test(`Creating a second membership in the same organization answers 409 (${by})`, async (api) => {
      const call = { path: pathOf(api), body: {} };
      await api.call(create, call);
      await api.call(create, call, 409);
    }).inferred('M1'),
  );

const changing = (way: Way): readonly Case[] => {
  const { create, update, remove, by, pathOf, basis } = way;
  return [
    ...writing(
      update,
      test(`Updating a membership returns the updated user (${by})`, async (api) => {
        const path = await join(api, way);
        const body = { metadata: { team: 'docs' } };
        await api.call(update, { path, body }, member(api, body));
      })[basis]('M5'),
      test(`Updating a membership replaces its metadata; an empty list of roles keeps the roles (${by})`, async (api) => {
        const path = await join(api, way, { metadata: { team: 'core', desk: 'one' } });
        const body = { metadata: { team: 'docs' }, roles: [] };
        const metadata = { team: 'docs', desk: absent };
        await api.call(update, { path, body }, member(api, { metadata, roles: [{}] }));
      }).inferred('M3'),
      test(`Updating the membership of a user outside the organization answers 404 (${by})`, (api) =>
        api.call(update, { path: pathOf(api), body: {} }, 404)).inferred('M3'),
    ),
    ...writing(
      remove,
      test(`Removing a membership twice answers 404, and the membership can be created again (${by})`, async (api) => {
        const path = await join(api, way);
        await api.call(remove, { path }, { body: empty });
        await api.call(remove, { path }, 404);
        await api.call(create, { path, body: {} });
      })[basis]('M4'),
    ),
  ];
};

const REFUSING = reading(
  'createMembership',
  test('Creating a membership with an invalid inviter_email is refused', async (api) => {
    const sample = sampleOf('createMembership', api);
    const body = { inviter_email: 'a b@client.test' };
    await api.refuses('createMembership', { ...sample, body }, 'inviter_email');
    for (const inviter_email of ['root@localhost', '"a b"@client.test', 'ada@[127.0.0.1]'])
      await api.call('createMembership', { ...sample, body: { inviter_email } }, 404);
  }).inferred('M2', 'X3'),
);

const UNKNOWN_ROLE = writing(
  'createMembership',
  test('Creating a membership with a role that does not exist is refused', (api) => {
    const call = { path: BY_ID.pathOf(api), body: { roles: [{ name: 'conformance' }] } };
    return api.call('createMembership', call, 400);
  }).inferred('M2'),
);

/** Invites the user of `--user-id` into the organization of `--organization-id`. */
const anInvitedMember = async (api: Api) => {
  const path = BY_ID.pathOf(api);
  await api.call('createMembership', { path, body: {} });
  return path;
};

const INVITING = writing(
  'resendInvite',
  test('Resending a valid invitation returns it with resent_at and a resent_count of 1', async (api) => {
    const path = await anInvitedMember(api);
    const invite = { organization_id: path.organization_id, user_id: path.id, status: 'pending' };
    const times = { created_at: aTime, expires_at: aTime, resent_at: aTime };
    const resent = { body: { invite: { ...invite, ...times, resent_count: 1 } } };
    await api.call('resendInvite', { path, body: {} }, resent);
  }).promised('M7'),
  test('An invitation that is resent twice has a resent_count of 2, and still expires 15 days after it was created', async (api) => {
    const path = await anInvitedMember(api);
    const { body } = await api.call('resendInvite', { path, body: {} });
    const expires_at = daysAfter(textAt(body, 'invite', 'created_at'), 15);
    const again = { body: { invite: { resent_count: 2, expires_at } } };
    await api.call('resendInvite', { path, body: {} }, again);
  }).inferred('M1', 'M7'),
  test('Resending an invitation answers 404 for a member who was never invited', async (api) => {
    const path = await join(api, BY_ID);
    await api.call('resendInvite', { path, body: {} }, 404);
  }).promised('M7'),
);

const UNINVITED = reading(
  'resendInvite',
  test('Resending an invitation answers 404 for a user or an organization that does not exist', async (api) => {
    const [organization_id, id] = [api.given('organizationId'), api.given('userId')];
    await api.call('resendInvite', { path: { organization_id, id: UNKNOWN.user }, body: {} }, 404);
    await api.call('resendInvite', { path: { organization_id: UNKNOWN.organization, id }, body: {} }, 404);
  }).promised('M7'),
);

const BOTH_WAYS = [BY_ID, BY_EXTERNAL_ID].flatMap((way) => [creating(way), changing(way)]);

export const MEMBERSHIP_FLOWS = [...BOTH_WAYS, REFUSING, UNKNOWN_ROLE, INVITING, UNINVITED].flat();
