/** Memberships, by user id and by external id: both take the same bodies and answer alike (behaviour M5). */
import type { Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { textAt } from '../http.ts';
import { absent, empty, including, someText, timeAfter } from '../pattern.ts';
import { MEMBERS, UNKNOWN } from '../samples.ts';

/** The membership of the run's organization, whatever others the user has. */
const membershipOf = ({ organizationId }: Api, more: object) => ({
  memberships: including({ organization_id: organizationId, ...more }),
});

const BY_ID = {
  create: 'createMembership',
  update: 'updateMembership',
  remove: 'deleteMembership',
  by: 'by id',
  needs: ['write', 'organization', 'user'],
  pathOf: (api: Api) => ({ organization_id: api.organizationId, id: api.userId }),
  unknown: { id: UNKNOWN.user },
  /** The description shows these operations; the others it mentions. */
  says: promised,
} as const;

const BY_EXTERNAL_ID = {
  create: 'createMembershipByExternalId',
  update: 'updateMembershipByExternalId',
  remove: 'deleteMembershipByExternalId',
  by: 'by external id',
  needs: ['write', 'organization', 'externalId'],
  pathOf: (api: Api) => ({ organization_id: api.organizationId, external_id: api.externalId }),
  unknown: { external_id: UNKNOWN.externalId },
  says: inferred,
} as const;

type Family = typeof BY_ID | typeof BY_EXTERNAL_ID;

/** The user of the run becomes a member, at once. @returns how calls name the member */
const aMember = async (api: Api, { create, pathOf }: Family, body: object = {}) => {
  const path = pathOf(api);
  await api.obtain(create, { path, query: { send_invitation_email: false }, body });
  return path;
};

/** A member that does not exist, of an organization that does not either. */
const noOne = ({ unknown }: Family) => ({ organization_id: UNKNOWN.organization, ...unknown });

const creating = (family: Family): readonly Case[] => [
  ...group({ about: family.create, needs: family.needs }, [
    family.says(
      `A user becomes a member, ${family.by}, and is answered with the membership`,
      ['M5'],
      (api) => {
        const body = { metadata: { team: 'core' }, inviter_email: 'suite@conformance.test' };
        return api.send({ path: family.pathOf(api), body }).shows(membershipOf(api, body));
      },
    ),
    inferred(
      `An invitation is sent unless it is said otherwise, ${family.by}: PENDING_INVITE for 15 days`,
      ['M1', 'M2'],
      (api) =>
        api.send({ path: family.pathOf(api), query: { send_invitation_email: true }, body: {} }).shows(
          membershipOf(api, {
            membership_status: 'PENDING_INVITE',
            provisioning_method: 'invitation',
            expires_at: someText,
            accepted_at: absent,
            roles: including({}),
          }),
        ),
    ),
    inferred(`Without an invitation the member is ACTIVE at once, ${family.by}`, ['M1'], (api) =>
      api.send({ path: family.pathOf(api), query: { send_invitation_email: false }, body: {} }).shows(
        membershipOf(api, {
          membership_status: 'ACTIVE',
          provisioning_method: 'direct_provision',
          join_time: someText,
          accepted_at: someText,
        }),
      ),
    ),
    inferred(`A second membership in one organization conflicts, ${family.by}`, ['M1'], async (api) => {
      const path = await aMember(api, family);
      await api.send({ path, body: {} }).answers(409);
    }),
    inferred(
      `An organization or a user that does not exist is not found, ${family.by}`,
      ['M1', 'I2'],
      async (api) => {
        const path = family.pathOf(api);
        await api.send({ path: { ...path, organization_id: UNKNOWN.organization }, body: {} }).isMissing();
        await api.send({ path: { ...path, ...family.unknown }, body: {} }).isMissing();
      },
    ),
  ]),
  ...group({ about: family.create }, [
    promised(`An inviter_email that is no e-mail address is refused, ${family.by}`, [], (api) =>
      api.send({ path: noOne(family), body: { inviter_email: 'nobody' } }).isRefused('inviter_email'),
    ),
    inferred(`A role that is a plain text, ${family.by}, is refused`, ['M2'], (api) =>
      api.send({ path: noOne(family), body: { roles: ['admin'] } }).isRefused('roles[0]'),
    ),
  ]),
];

const changing = (family: Family): readonly Case[] => [
  ...group({ about: family.update, needs: family.needs }, [
    inferred(
      `Metadata is replaced and roles stay when only metadata is sent, ${family.by}`,
      ['M3'],
      async (api) => {
        const path = await aMember(api, family, { metadata: { team: 'core', desk: 'one' } });
        await api
          .send({ path, body: { metadata: { team: 'docs' }, roles: [] } })
          .shows(membershipOf(api, { metadata: { team: 'docs', desk: absent }, roles: including({}) }));
      },
    ),
    family.says(`An update answers with the updated user, ${family.by}`, ['M5'], async (api) => {
      const path = await aMember(api, family);
      const body = { metadata: { team: 'docs' } };
      await api.send({ path, body }).shows(membershipOf(api, body));
    }),
    inferred(`An update of a user that is no member is not found, ${family.by}`, ['M3'], (api) =>
      api.send({ path: family.pathOf(api), body: {} }).isMissing(),
    ),
  ]),
  ...group({ about: family.update }, [
    promised(
      `Metadata with a key that is too short is refused, ${family.by}, and the key is named`,
      ['X1'],
      (api) =>
        api
          .send({ path: noOne(family), body: { metadata: { ab: 'short', fine: 'long enough' } } })
          .isRefused('metadata.ab'),
    ),
  ]),
  ...group({ about: family.remove, needs: family.needs }, [
    family.says(`A removed member is gone, and can be added again, ${family.by}`, ['M4'], async (api) => {
      const path = await aMember(api, family);
      await api.send({ path }).succeeds(empty);
      await api.send({ path }).isMissing();
      await api.call(family.create, { path, body: {} }).succeeds();
    }),
    inferred(`Removing a user that is no member is not found, ${family.by}`, ['M4'], (api) =>
      api.send({ path: family.pathOf(api) }).isMissing(),
    ),
  ]),
];

const pathOf = BY_ID.pathOf;
const DAY = 86_400_000;

const INVITING = [
  ...group({ about: 'createMembership', needs: BY_ID.needs }, [
    inferred('An invitation ends 15 days after it was made', ['M1'], async (api) => {
      const call = { path: pathOf(api), body: {} };
      await api.send(call).succeeds();
      const { body } = await api.call('resendInvite', call).succeeds();
      const end = timeAfter(textAt(body, 'invite', 'created_at'), 15 * DAY);
      await api.call('resendInvite', call).shows({ expires_at: end });
    }),
  ]),
  ...group({ about: 'createMembership', needs: ['write', 'control'] }, [
    inferred('With full-stack authentication off a new member gets no e-mail', ['M1'], async (api) => {
      await api.mock.patchSettings({ full_stack_authentication: false });
      await api.mock.clearOutbox();
      await api.send({ path: pathOf(api), body: {} }).succeeds();
      api.demand('the outbox', await api.mock.outbox(), []);
    }),
  ]),
  ...group({ about: 'updateMembership', needs: ['write', 'control'] }, [
    inferred(
      'A pending invitation that is not answered is INVITE_EXPIRED after 15 days',
      ['M6', 'T9'],
      async (api) => {
        const call = { path: pathOf(api), body: {} };
        await api.obtain('createMembership', call);
        await api.mock.advance('15d');
        await api.send(call).shows(membershipOf(api, { membership_status: 'INVITE_EXPIRED' }));
      },
    ),
    inferred('An invitation that is accepted makes the member ACTIVE', ['M8'], async (api) => {
      const call = { path: pathOf(api), body: {} };
      await api.obtain('createMembership', call);
      await api.mock.memberships.accept(api.organizationId, api.userId);
      const member = { membership_status: 'ACTIVE', accepted_at: someText, join_time: someText };
      await api.send(call).shows(membershipOf(api, member));
    }),
  ]),
];

/** Roles of the default scenario. */
const ROLES = group({ about: 'createMembership', needs: ['write', 'control'] }, [
  promised(
    'A role is found by name, by id or by display name, and brings what it extends',
    ['M2'],
    async (api) => {
      const path = pathOf(api);
      await api.send({ path, body: { roles: [{ name: 'admin' }] } }).shows(
        membershipOf(api, {
          roles: [{ name: 'admin' }],
          permissions: ['manage_users', 'read_projects', 'write_tasks'],
        }),
      );
      await api
        .call('updateMembership', { path, body: { roles: [{ id: 'role_100000000000000001' }] } })
        .shows(membershipOf(api, { roles: [{ name: 'member' }], permissions: ['read_projects'] }));
      await api
        .call('updateMembership', { path, body: { roles: [{ display_name: 'Admin' }] } })
        .shows(membershipOf(api, { roles: [{ name: 'admin' }] }));
    },
  ),
  inferred('Without roles a member has the default role', ['M2'], (api) =>
    api.send({ path: pathOf(api), body: {} }).shows(membershipOf(api, { roles: [{ name: 'member' }] })),
  ),
  inferred('A role that does not exist is refused', ['M2'], (api) =>
    api.send({ path: pathOf(api), body: { roles: [{ name: 'conformance' }] } }).isRefused(),
  ),
  inferred('A role whose name and id disagree is refused', ['M2'], (api) => {
    const roles = [{ id: 'role_100000000000000001', name: 'admin' }];
    return api.send({ path: pathOf(api), body: { roles } }).isRefused();
  }),
]);

const REMOVING = group(
  { about: 'deleteMembership', needs: ['write', 'control'] },
  Object.entries(MEMBERS).map(([status, path]) =>
    promised(`A member that is ${status} can be removed`, [], async (api) => {
      await api.send({ path }).succeeds();
      await api.call('updateMembership', { path, body: {} }).isMissing();
    }),
  ),
);

export const MEMBERSHIP_CASES: readonly Case[] = [
  ...[BY_ID, BY_EXTERNAL_ID].flatMap(creating),
  ...[BY_ID, BY_EXTERNAL_ID].flatMap(changing),
  ...INVITING,
  ...ROLES,
  ...REMOVING,
];
