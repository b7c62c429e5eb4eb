import { expect, test } from '@jest/globals';
import { findByName, type NamedRows } from '../../src/domain/names.ts';
import { listed } from '../support/accounts.ts';
import { stateOf } from '../support/core.ts';
import { directory } from '../support/people.ts';
import { accountRow, connectionRow } from '../support/rows.ts';

test.each<[keyof NamedRows, string, string]>([
  ['organizations', 'acme', 'org_acme'],
  ['organizations', 'org_acme', 'org_acme'],
  ['roles', 'admin', 'role_admin'],
  ['users', 'ADA@acme.test', 'usr_ada'],
  ['users', 'usr_ada', 'usr_ada'],
])('of %s, "%s" names %s', (kind, text, id) => {
  expect(findByName(directory(), kind, text)?.id).toBe(id);
});

test.each<[keyof NamedRows, string, string]>([
  ['connections', 'MAIL', 'conn_mail'],
  ['connections', 'conn_mail', 'conn_mail'],
  ['connected_accounts', 'ca_1', 'ca_1'],
  ['connected_accounts', 'Mail/ada@acme.test', 'ca_1'],
  ['connected_accounts', 'conn_mail/ada@acme.test', 'ca_1'],
])('of %s, "%s" names %s', (kind, text, id) => {
  expect(findByName(listed, kind, text)?.id).toBe(id);
});

test('an identifier may hold slashes', () => {
  const state = stateOf({
    connected_accounts: [accountRow({ id: 'ca_1', connector: 'mail', identifier: 'a/b/c' })],
  });
  expect(findByName(state, 'connected_accounts', 'mail/a/b/c')?.id).toBe('ca_1');
});

test('an id wins over a natural key', () => {
  const byId = connectionRow({ key_id: 'mail', type: 'OAUTH', id: 'calendar' });
  const byKey = connectionRow({ key_id: 'calendar', type: 'OAUTH' });
  expect(findByName(stateOf({ connections: [byKey, byId] }), 'connections', 'calendar')).toEqual(byId);
});

test.each<[keyof NamedRows, string]>([
  ['organizations', 'ACME'],
  ['connected_accounts', 'mail/Ada@acme.test'],
  ['connected_accounts', 'mail'],
])('of %s, "%s" names no row', (kind, text) => {
  expect(findByName(listed, kind, text)).toBeUndefined();
});
