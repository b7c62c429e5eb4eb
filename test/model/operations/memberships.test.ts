/** Behaviour M1 to M5: creating, changing and deleting memberships, and naming users by external id. */
import { expect, test } from '@jest/globals';
import type { InputFor } from '../../../src/contract/types.ts';
import { getRow } from '../../../src/core/table.ts';
import type { State } from '../../../src/model/domain/state.ts';
import { call, codeOf, DAY, HOUR, type Options, refusal, START, stateOf } from '../../support/core.ts';
import { ACME, directory, GLOBEX, invitedRow } from '../../support/people.ts';

const NOON = '2026-03-01T12:00:00.000Z';
type Create = InputFor<'createMembership'>;
const memberOf = (user: string, organization_id = ACME) => ({ organization_id, id: `usr_${user}` });

const create = (state: State, input: Partial<Create>, options?: Options) =>
  call(state, 'createMembership', { path: memberOf('barbara'), ...input }, options);
const update = (state: State, user: string, body: InputFor<'updateMembership'>['body'], options?: Options) =>
  call(state, 'updateMembership', { path: memberOf(user), body }, options);

const remove = (state: State, user: string, options?: Options) =>
  call(state, 'deleteMembership', { path: memberOf(user) }, options);

test('behaviour M1: with send_invitation_email=false the user is an ACTIVE member at once, without an e-mail', () => {
  const { body, emails } = create(directory(), { query: { send_invitation_email: false } });
  expect(body.user.memberships?.[0]).toMatchObject({
    membership_status: 'ACTIVE',
    provisioning_method: 'direct_provision',
    join_time: NOON,
    accepted_at: NOON,
  });
  expect(body.user.memberships?.[0]).not.toHaveProperty('expires_at');
  expect(emails).toEqual([]);
});

test('behaviour M1: an invitation is mailed to the user, with the name of the organization as people know it', () => {
  const { emails } = create(directory(), {});
  const link = expect.stringMatching(/^http:\/\/mock\.local\/invitations\/[\w-]{54}$/);
  const subject = 'You are invited to join Acme Corporation';
  expect(emails).toEqual([{ to: 'barbara@acme.test', kind: 'invitation', subject, link }]);
});

test('behaviour M1: the membership gets inviter, roles and metadata from the body', () => {
  const body = { inviter_email: 'ada@acme.test', roles: [{ name: 'admin' }], metadata: { team: 'core' } };
  for (const send_invitation_email of [true, false]) {
    const { user } = create(directory(), { body, query: { send_invitation_email } }).body;
    const permissions = ['manage_users', 'read_projects', 'write_tasks'];
    expect(user.memberships?.[0]).toMatchObject({ ...body, permissions });
  }
});

test('behaviour M2: a new member without roles, or with an empty list, gets the default role', () => {
  for (const body of [{}, { roles: [] }]) {
    const { user } = create(directory(), { body }).body;
    expect(user.memberships?.[0]?.roles).toMatchObject([{ name: 'member' }]);
  }
});

const MEMBERS = ['ada', 'grace', 'linus', 'margaret', 'revoked'];

test.each(
  MEMBERS,
)('behaviour M1: adding a user who is a member already, in any status, is a 409 (%s)', (user) => {
  const error = refusal(() => create(directory(), { path: memberOf(user) }));
  expect(error.errorCode).toBe('RESOURCE_ALREADY_EXISTS');
  expect(error.message).toContain(`usr_${user}`);
});

test('behaviour M1: an unknown organization, user or external id is 404', () => {
  const missing = (path: Create['path']) => refusal(() => create(directory(), { path })).message;
  expect(missing(memberOf('barbara', 'org_none'))).toContain('org_none');
  expect(missing(memberOf('nobody'))).toContain('usr_nobody');
  const path = { organization_id: ACME, external_id: 'EXT-BARBARA' };
  expect(codeOf(() => call(directory(), 'createMembershipByExternalId', { path }))).toBe('NOT_FOUND');
});

test('behaviour T4: an unknown role is reported before an unknown organization', () => {
  const input = { path: memberOf('barbara', 'org_none'), body: { roles: [{ name: 'owner' }] } };
  expect(codeOf(() => create(directory(), input))).toBe('INVALID_ARGUMENT');
});

test('behaviour M1, M7: if e-mail fails, so does an invitation, but not a direct membership or an invitation without full-stack authentication', () => {
  const settings = { email_delivery: 'fail' } as const;
  expect(codeOf(() => create(directory(), {}, { settings }))).toBe('INTERNAL_ERROR');
  expect(create(directory(), { query: { send_invitation_email: false } }, { settings }).status).toBe(201);
  const off = { settings: { ...settings, full_stack_authentication: false } };
  const { status, body, emails } = create(directory(), {}, off);
  expect([status, emails]).toEqual([201, []]);
  expect(body.user.memberships?.[0]).toMatchObject({ membership_status: 'PENDING_INVITE' });
});

test('behaviour M5: calls by external id get the same answers as calls by id', () => {
  const path = { organization_id: ACME, external_id: 'ext-barbara' };
  const byId = create(directory(), {});
  const created = call(directory(), 'createMembershipByExternalId', { path });
  expect(created).toEqual({ ...byId, state: expect.anything() });
  const body = { metadata: { team: 'docs' } };
  const updated = call(created.state, 'updateMembershipByExternalId', { path, body });
  expect(updated.body).toEqual(update(byId.state, 'barbara', body).body);
  const deleted = call(updated.state, 'deleteMembershipByExternalId', { path });
  expect([deleted.status, deleted.body]).toEqual([200, {}]);
  expect(codeOf(() => call(deleted.state, 'deleteMembershipByExternalId', { path }))).toBe('NOT_FOUND');
});

test.each<[InputFor<'updateMembership'>['body'], string, object]>([
  [{ metadata: { area: 'eu' } }, 'admin', { area: 'eu' }],
  [{ roles: [{ name: 'member' }] }, 'member', { team: 'core' }],
])('behaviour M3: an update with %j replaces only what it sends', (sent, role, metadata) => {
  const { status, body, changes } = update(directory(), 'ada', sent);
  expect(status).toBe(200);
  expect(body.user.memberships?.[0]?.roles).toMatchObject([{ name: role }]);
  expect(body.user.memberships?.[0]?.metadata).toEqual(metadata);
  expect(changes).toEqual([
    { type: 'membership.updated', resource: { organization_id: ACME, user_id: 'usr_ada' } },
  ]);
});

test('behaviour M3: an empty roles array, an empty body and the same values change nothing', () => {
  const state = directory();
  const same = { roles: [{ name: 'admin' }], metadata: { team: 'core' } };
  for (const body of [{ roles: [] }, {}, same]) {
    const outcome = update(state, 'ada', body);
    expect(outcome.state).toBe(state);
    expect(outcome.changes).toEqual([]);
    expect(outcome.body.user.memberships?.[0]?.roles).toMatchObject([{ name: 'admin' }]);
  }
});

test('behaviour M3: an update is a 404 for a user outside the organization, and a 400 for an unknown role', () => {
  expect(codeOf(() => update(directory(), 'barbara', {}))).toBe('NOT_FOUND');
  expect(codeOf(() => update(directory(), 'ada', { roles: [{ id: 'role_x' }] }))).toBe('INVALID_ARGUMENT');
});

test('behaviour M4: DELETE answers {} and removes the membership and its groups, and a second DELETE is a 404', () => {
  const { status, body, state, changes } = remove(directory(), 'ada');
  expect([status, body]).toEqual([200, {}]);
  expect(changes).toEqual([
    { type: 'membership.deleted', resource: { organization_id: ACME, user_id: 'usr_ada' }, from: 'ACTIVE' },
  ]);
  expect(codeOf(() => remove(state, 'ada'))).toBe('NOT_FOUND');
  const { user } = create(state, { path: memberOf('ada', GLOBEX) }).body;
  expect(user.user_profile?.groups).toEqual([]);
  expect(user.memberships?.map(({ name }) => name)).toEqual(['globex']);
});

test('adding, changing or removing a membership moves update_time of its user', () => {
  const options = { now: START + HOUR };
  const one = { update_time: '2026-03-01T13:00:00.000Z' };
  expect(create(directory(), {}, options).body.user).toMatchObject(one);
  expect(update(directory(), 'ada', { metadata: {} }, options).body.user).toMatchObject(one);
  const { users } = remove(directory(), 'ada', options).state;
  expect(getRow(users, 'usr_ada')?.update_time).toBe(START + HOUR);
});

test('behaviour M1: with the setting invite_ttl null, an invitation never expires', () => {
  const settings = { invite_ttl: null };
  const { state, body } = create(directory(), {}, { settings });
  expect(body.user.memberships?.[0]).not.toHaveProperty('expires_at');
  const { user } = update(state, 'barbara', {}, { settings, now: START + 10_000 * DAY }).body;
  expect(user.memberships).toMatchObject([{ membership_status: 'PENDING_INVITE' }]);
});

test('behaviour M4: the user record stays, unless a setting removes the user with the last membership', () => {
  expect(getRow(remove(directory(), 'grace').state.users, 'usr_grace')).toBeDefined();
  const settings = { delete_user_with_last_membership: true };
  const gone = remove(directory(), 'grace', { settings });
  expect(getRow(gone.state.users, 'usr_grace')).toBeUndefined();
  expect(gone.changes).toContainEqual({ type: 'user.deleted', resource: { id: 'usr_grace' } });
  const elsewhere = invitedRow('grace', { token: 'other' }, { organization_id: GLOBEX });
  const kept = remove(stateOf({ memberships: [elsewhere] }, directory()), 'grace', { settings });
  expect(getRow(kept.state.users, 'usr_grace')).toBeDefined();
});
