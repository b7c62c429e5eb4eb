/** The rows of the default scenario, which examples and tests everywhere use. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { allRows, type Table } from '../../../src/engine/core/table.ts';
import { listScenarios } from '../../../src/engine/scenario/files.ts';
import type { AccountRow } from '../../../src/service/accounts/row.ts';
import { accountStatus } from '../../../src/service/accounts/rules.ts';
import type { MembershipRow } from '../../../src/service/memberships/row.ts';
import { membershipStatus } from '../../../src/service/memberships/rules.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { fixturesDir, loadFixture } from './files.ts';

const [development, production] = loadFixture('default').environments;
if (!development || !production) throw new Error('The default scenario must have two environments.');
const { state } = development;
const NOW = instantAt(0, 0);

/** A row's value as a short text: the last three digits of an id, and `-` for undefined. */
const wordOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(wordOf).join();
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value ?? '-').replace(/^[a-z]+_100000000000000(?=\d{3}$)/, '');
};

/** A line of text for each row, with the values of the named members. @param more gives derived members of a row */
const linesOf = <Row extends object>(
  table: Table<Row>,
  members: string,
  more: (row: Row) => object = () => ({}),
) =>
  Array.from(allRows(table), (row) => {
    const whole = { ...row, ...more(row) };
    return members
      .split(' ')
      .map((name) => wordOf(Reflect.get(whole, name)))
      .join(' ');
  });

test('development and production have fixed ids, clients and access tokens', () => {
  const found = [development, production].map(({ name, id, state: { clients, access_tokens } }) => [
    name,
    id,
    ...linesOf(clients, 'client_id client_secret'),
    ...access_tokens,
  ]);
  expect(found).toEqual([
    ['development', 'env_100000000000000001', 'dev-client dev-secret', 'dev-token'],
    ['production', 'env_100000000000000002', 'prod-client prod-secret', 'prod-token'],
  ]);
});

test('the default scenario has six users, and memberships in every status', () => {
  const profile = (row: { user_profile?: object }) => ({ profile: row.user_profile && 'profile' });
  expect(linesOf(state.users, 'id email external_id profile', profile)).toEqual([
    '001 ada@acme.test ext-ada profile',
    '002 grace@acme.test - profile',
    '003 linus@acme.test - profile',
    '004 margaret@globex.test - profile',
    '005 barbara@free.test ext-barbara profile',
    '006 noprofile@acme.test - -',
  ]);
  const derived = (row: MembershipRow) => ({
    status: membershipStatus(row, NOW),
    invited: row.invite && 'invited',
  });
  expect(linesOf(state.memberships, 'user_id organization_id status invited role_ids', derived)).toEqual([
    '001 001 ACTIVE invited 002',
    '002 001 PENDING_INVITE invited 001',
    '003 001 INVITE_EXPIRED invited 001',
    '004 002 ACTIVE - 001',
    '004 001 INACTIVE - 001',
    '006 001 PENDING_INVITE invited 001',
  ]);
});

test('the default scenario has 12 connected accounts, in every status', () => {
  const derived = (row: AccountRow) => ({ status: accountStatus(state, row, NOW) });
  expect(
    linesOf(state.connected_accounts, 'id connector identifier status organization_id refresh', derived),
  ).toEqual([
    '001 mail ada@acme.test ACTIVE 001 grant',
    '002 calendar ada@acme.test EXPIRED - deny',
    '003 chat ada@acme.test PENDING_AUTH - grant',
    '004 mail grace@acme.test PENDING_VERIFICATION - grant',
    '005 mail linus@acme.test DISCONNECTED - grant',
    '006 crm ada@acme.test ACTIVE - grant',
    '007 helpdesk ada@acme.test ACTIVE - grant',
    '008 warehouse ada@acme.test ACTIVE - grant',
    '009 workspace ada@acme.test ACTIVE - grant',
    '010 mail user-1@globex.test ACTIVE 002 grant',
    '011 mail user-2@globex.test ACTIVE 002 grant',
    '012 mail user-3@globex.test ACTIVE 002 grant',
  ]);
});

test('behaviour E6: the verification request of grace@acme.test never expires', () => {
  expect(linesOf(state.verification_requests, 'auth_request_id account_id expires_at')).toEqual([
    'pending-grace-00000000000000000000000000000 004 -',
  ]);
});

test('all packaged scenarios are listed with a description', () => {
  const listed = listScenarios(fixturesDir).filter(({ description }) => /\w/.test(description));
  const names = ['agents', 'default', 'directory', 'empty', 'invitations', 'large', 'verify-flow'];
  expect(listed.map(({ name }) => name)).toEqual(names);
});

test('the scenarios of a folder and of the package are listed together, each once, and without a description if they cannot be read', () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('broken.yaml', 'a: 1\n'.repeat(150));
  for (const name of ['mine.yml', 'default.json']) write(name, `{ "description": "In ${name}" }`);
  for (const name of ['default.yml', 'mine.schema.json', 'notes.txt']) write(name, 'description: 7');
  const own = listScenarios(folder).filter(({ description }) => /^(In .*)?$/.test(description));
  expect(own).toEqual([
    { name: 'broken', description: '' },
    { name: 'default', description: '' }, // default.yml comes before default.json
    { name: 'mine', description: 'In mine.yml' },
  ]);
  expect(listScenarios(folder)).toHaveLength(9);
});
