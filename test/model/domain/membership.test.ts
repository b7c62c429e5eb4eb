import { expect, test } from '@jest/globals';
import { fromStart } from '../../../src/core/moment.ts';
import { presentUser } from '../../../src/model/domain/membership.ts';
import type { State } from '../../../src/model/domain/state.ts';
import { stateOf, withEnv } from '../../support/core.ts';
import { directory, userRow } from '../../support/people.ts';

const show = (state: State, id: string) => withEnv((env) => presentUser(state, id, env));

test('a user is shown with memberships, roles, effective permissions and times, as the contract names them', () => {
  expect(show(directory(), 'usr_ada')).toEqual({
    id: 'usr_ada',
    email: 'ada@acme.test',
    external_id: 'ext-ada',
    create_time: '2026-01-30T12:00:00.000Z',
    update_time: '2026-01-30T12:00:00.000Z',
    metadata: {},
    memberships: [
      {
        organization_id: 'org_acme',
        name: 'acme',
        display_name: 'Acme Corporation',
        membership_status: 'ACTIVE',
        provisioning_method: 'invitation',
        inviter_email: 'ada@acme.test',
        created_at: '2026-02-26T12:00:00.000Z',
        accepted_at: '2026-02-27T12:00:00.000Z',
        join_time: '2026-02-27T12:00:00.000Z',
        expires_at: '2026-03-13T12:00:00.000Z',
        roles: [{ id: 'role_admin', name: 'admin', display_name: 'ADMIN' }],
        permissions: ['manage_users', 'read_projects', 'write_tasks'],
        metadata: { team: 'core' },
      },
    ],
    user_profile: { id: 'usp_ada', email_verified: true, groups: ['engineering'] },
  });
});

test('an external identity is shown with the times that it has', () => {
  const times = { created_time: fromStart(0), last_login_time: fromStart(1), last_synced_time: fromStart(2) };
  const external_identities = [times, { is_social: true }];
  const user = userRow('ada', { user_profile: { id: 'usp_ada', external_identities } });
  const { user_profile } = show(stateOf({ users: [user] }, directory()), 'usr_ada');
  expect(user_profile?.external_identities).toEqual([
    {
      created_time: '2026-03-01T12:00:00.000Z',
      last_login_time: '2026-03-01T12:00:00.001Z',
      last_synced_time: '2026-03-01T12:00:00.002Z',
    },
    { is_social: true },
  ]);
});

test('behaviour M4: a user has the groups of the profile and of the memberships, each once', () => {
  const user = userRow('ada', { user_profile: { id: 'usp_ada', groups: ['staff', 'engineering'] } });
  const { user_profile } = show(stateOf({ users: [user] }, directory()), 'usr_ada');
  expect(user_profile?.groups).toEqual(['staff', 'engineering']);
});
