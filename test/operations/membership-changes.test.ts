/** Behaviour M3, M4: changing memberships and ending them. */
import { expect, test } from '@jest/globals';
import { getRow } from '../../src/core/table.ts';
import type { State } from '../../src/domain/state.ts';
import type { Input } from '../../src/openapi/types.ts';
import { call, type Options, refusal, stateOf } from '../support/core.ts';
import { ACME, directory, GLOBEX, invitedRow } from '../support/people.ts';
import { accountRow } from '../support/rows.ts';

type Create = Input<'createMembership'>;
const memberOf = (user: string, organization_id = ACME) => ({ organization_id, id: `usr_${user}` });

const create = (state: State, input: Partial<Create>, options?: Options) =>
  call(state, 'createMembership', { path: memberOf('barbara'), ...input }, options);
const update = (state: State, user: string, body: Input<'updateMembership'>['body'], options?: Options) =>
  call(state, 'updateMembership', { path: memberOf(user), body }, options);
const remove = (state: State, user: string, options?: Options) =>
  call(state, 'deleteMembership', { path: memberOf(user) }, options);

test('behaviour M3: metadata is replaced and roles stay when only metadata is sent', () => {
  const { status, body, changes } = update(directory(), 'ada', { metadata: { area: 'eu' } });
  expect(status).toBe(200);
  expect(body.user.memberships?.[0]).toMatchObject({ roles: [{ name: 'admin' }] });
  expect(body.user.memberships?.[0]?.metadata).toEqual({ area: 'eu' });
  expect(changes).toEqual([
    { type: 'membership.updated', resource: { organization_id: ACME, user_id: 'usr_ada' } },
  ]);
});

test('behaviour M3: roles are replaced and metadata stays when only roles are sent', () => {
  const { body } = update(directory(), 'ada', { roles: [{ name: 'member' }] });
  expect(body.user.memberships?.[0]).toMatchObject({
    permissions: ['read_projects'],
    metadata: { team: 'core' },
  });
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

test('behaviour M3: empty metadata removes all pairs', () => {
  expect(update(directory(), 'ada', { metadata: {} }).body.user.memberships?.[0]?.metadata).toEqual({});
});

test('behaviour M3: a user outside the organization is 404, and an unknown role is 400', () => {
  expect(refusal(() => update(directory(), 'barbara', {})).errorCode).toBe('NOT_FOUND');
  expect(refusal(() => update(directory(), 'ada', { roles: [{ id: 'role_x' }] })).errorCode).toBe(
    'INVALID_ARGUMENT',
  );
});

test('behaviour M4: DELETE answers {}, then 404, and removes the invite and the groups', () => {
  const { status, body, state, changes } = remove(directory(), 'ada');
  expect([status, body]).toEqual([200, {}]);
  expect(changes).toEqual([
    { type: 'membership.deleted', resource: { organization_id: ACME, user_id: 'usr_ada' }, from: 'ACTIVE' },
  ]);
  expect(refusal(() => remove(state, 'ada')).errorCode).toBe('NOT_FOUND');
  const { user } = create(state, { path: memberOf('ada', GLOBEX) }).body;
  expect(user.user_profile?.groups).toEqual([]);
  expect(user.memberships?.map(({ name }) => name)).toEqual(['globex']);
});

test('behaviour M4: a user who was removed can be added again with a new membership', () => {
  const { state } = remove(directory(), 'linus');
  const [membership] = create(state, { path: memberOf('linus') }).body.user.memberships ?? [];
  expect(membership).toMatchObject({
    membership_status: 'PENDING_INVITE',
    created_at: '2026-03-01T12:00:00.000Z',
  });
});

test('behaviour M4: the user record stays, unless the setting removes it with the last membership', () => {
  expect(getRow(remove(directory(), 'grace').state.users, 'usr_grace')).toBeDefined();
  const settings = { delete_user_with_last_membership: true };
  const gone = remove(directory(), 'grace', { settings });
  expect(getRow(gone.state.users, 'usr_grace')).toBeUndefined();
  expect(gone.changes).toContainEqual({ type: 'user.deleted', resource: { id: 'usr_grace' } });
});

test('behaviour M4: with that setting, a user with another membership stays', () => {
  const state = stateOf(
    { memberships: [invitedRow('grace', { token: 'other' }, { organization_id: GLOBEX })] },
    directory(),
  );
  const { state: next } = remove(state, 'grace', { settings: { delete_user_with_last_membership: true } });
  expect(getRow(next.users, 'usr_grace')).toBeDefined();
});

test('the accounts of a removed user do not change', () => {
  const account = accountRow({
    id: 'ca_1',
    connector: 'mail',
    identifier: 'grace@acme.test',
    user_id: 'usr_grace',
    organization_id: ACME,
  });
  const state = stateOf({ connected_accounts: [account] }, directory());
  const { state: next } = remove(state, 'grace', { settings: { delete_user_with_last_membership: true } });
  expect(getRow(next.connected_accounts, 'ca_1')).toBe(account);
});
