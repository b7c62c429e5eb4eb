import { expect, test } from '@jest/globals';
import { ACCOUNT, CONNECTION, ORGANIZATION, ROLE, USER } from '../../../src/service/references.ts';
import { stateOf } from '../../support/core.ts';
import { directory } from '../../support/people.ts';
import { accountRow, connectionRow } from '../../support/rows.ts';

const state = stateOf(
  {
    connections: ['mail', 'calendar'].map((key_id) => connectionRow({ key_id, type: 'OAUTH' })),
    connected_accounts: [
      accountRow({ id: 'ca_1', connector: 'mail', identifier: 'ada@acme.test' }),
      accountRow({ id: 'ca_2', connector: 'mail', identifier: 'a/b/c' }),
    ],
  },
  directory(),
);

const KINDS = {
  organizations: ORGANIZATION,
  roles: ROLE,
  users: USER,
  connections: CONNECTION,
  connected_accounts: ACCOUNT,
};

test.each<[keyof typeof KINDS, string, string | undefined]>([
  ['organizations', 'acme', 'org_acme'],
  ['organizations', 'org_acme', 'org_acme'],
  ['organizations', 'ACME', undefined],
  ['roles', 'admin', 'role_admin'],
  ['users', 'ADA@acme.test', 'usr_ada'],
  ['users', 'usr_ada', 'usr_ada'],
  ['connections', 'MAIL', 'conn_mail'],
  ['connections', 'conn_mail', 'conn_mail'],
  ['connected_accounts', 'ca_1', 'ca_1'],
  ['connected_accounts', 'Mail/ada@acme.test', 'ca_1'],
  ['connected_accounts', 'conn_mail/ada@acme.test', 'ca_1'],
  ['connected_accounts', 'mail/a/b/c', 'ca_2'],
  ['connected_accounts', 'mail/Ada@acme.test', undefined],
  ['connected_accounts', 'mail', undefined],
  ['connected_accounts', 'nowhere/ada@acme.test', undefined],
])('among %s, "%s" is the name of %s', (kind, text, id) => {
  expect(KINDS[kind].find(state, text)?.id).toBe(id);
});

test('if a name is the id of one row and the natural key of another, it means the row with the id', () => {
  const byId = connectionRow({ key_id: 'other', type: 'OAUTH', id: 'calendar' });
  expect(CONNECTION.find(stateOf({ connections: [byId] }, state), 'calendar')).toEqual(byId);
});
