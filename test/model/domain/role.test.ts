import { expect, test } from '@jest/globals';
import { effectivePermissions, type RoleReference, resolveRoles } from '../../../src/model/domain/role.ts';
import { refusal, refusedFields, stateOf } from '../../support/core.ts';
import { directory, roleRow } from '../../support/people.ts';

test.each<[string, RoleReference]>([
  ['id', { id: 'role_admin' }],
  ['name', { name: 'admin' }],
  ['display_name', { display_name: 'ADMIN' }],
  ['all three, as a reply shows a role', { id: 'role_admin', name: 'admin', display_name: 'ADMIN' }],
])('behaviour M2: a role is found by %s', (_how, reference) => {
  expect(resolveRoles(directory(), [reference])).toEqual(['role_admin']);
});

test('behaviour M2: the first of id, name and display_name decides, and a member that disagrees is 400', () => {
  for (const role of [
    { id: 'role_admin', name: 'member' },
    { id: 'role_admin', display_name: 'MEMBER' },
    { name: 'admin', display_name: 'MEMBER' },
  ])
    expect(refusedFields(() => resolveRoles(directory(), [role]))).toEqual(['roles[0]']);
});

test('behaviour M2: one error names every unknown role and lists the existing roles', () => {
  const roles = [{ name: 'owner' }, { name: 'admin' }, { id: 'role_0' }, {}];
  const error = refusal(() => resolveRoles(directory(), roles));
  expect(error.extras.violations?.map(({ field }) => field)).toEqual(['roles[0]', 'roles[2]', 'roles[3]']);
  expect(error.message).toContain('name "owner"');
  expect(error.message).toContain('member (role_member, "MEMBER"), admin (role_admin, "ADMIN")');
});

test('a role that is named twice is stored once, in the order of the names', () => {
  const references = [{ name: 'admin' }, { name: 'member' }, { id: 'role_admin' }];
  expect(resolveRoles(directory(), references)).toEqual(['role_admin', 'role_member']);
});

test('behaviour M2: permissions are the sorted union over a role and all that it extends, even in a circle', () => {
  const names = ['a', 'b', 'c'];
  const roles = names.map((name, index) =>
    roleRow({ name, permissions: [`do_${name}`, 'all'], extends: [`role_${names[(index + 1) % 3]}`] }),
  );
  expect(effectivePermissions(stateOf({ roles }), ['role_b'])).toEqual(['all', 'do_a', 'do_b', 'do_c']);
});
