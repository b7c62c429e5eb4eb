/** Rows of a scenario from rows of a service (`ca-mock init --from`), with and without `--anonymize`. */
import { expect, test } from '@jest/globals';
import {
  accountRow,
  connectionRow,
  createReplacer,
  entryRow,
  organizationsOf,
  usersOf,
} from '../../src/cli/service-rows.ts';

const NAMED = [{ organization_name: 'Acme & Co' }, { organization_name: null }, {}];
const asItIs = createReplacer(false, NAMED);
const anonymous = () => createReplacer(true, NAMED);
const plain = (row: object): object => JSON.parse(JSON.stringify(row)); // as it is written

test('free-form configuration loses its texts, numbers and names, at any depth, but keeps its shape', () => {
  const config = {
    site: 'acme.test',
    ports: [80, '80', true, null],
    inner: { at: 'A@b.test', also: 'a@B.test', site: 'acme.test' },
  };
  expect(asItIs.config(config)).toEqual(config);
  expect(anonymous().config(config)).toEqual({
    'member-1': 'value-2',
    'member-3': [0, 'value-4', true, null],
    'member-5': {
      'member-6': 'user-7@example.test',
      'member-8': 'user-7@example.test',
      'member-1': 'value-2',
    },
  });
});

test('a connection keeps its names, unless it belongs to an organization or is named after one', () => {
  const row = {
    id: 'conn_1',
    type: 'OAUTH',
    provider: null,
    enabled: false,
    key_id: 'mail',
    provider_key: 'acme-mail',
  };
  expect(plain(connectionRow(row, asItIs))).toEqual({
    id: 'conn_1',
    type: 'OAUTH',
    enabled: false,
    key_id: 'mail',
    provider_key: 'acme-mail',
  });
  expect(plain(connectionRow(row, anonymous()))).toMatchObject({
    key_id: 'mail',
    provider_key: 'connection-1',
  });
  const own = { ...row, organization_id: 'org_1', domains: ['acme.test', 'acme.test', 5], key_id: null };
  expect(plain(connectionRow(own, anonymous()))).toMatchObject({
    organization_id: 'org_1',
    key_id: 'connection-2',
    domains: ['domain-3.test', 'domain-3.test', null],
  });
  expect(plain(connectionRow(own, asItIs))).toMatchObject({
    key_id: 'conn_1',
    domains: ['acme.test', 'acme.test', null],
  });
  expect(anonymous().connection('co')).toBe('co'); // two letters are no telling word
});

test('an organization has the last name that a row gives it, and else its id; a name is replaced but an id stays', () => {
  const connections = [
    { organization_id: 'org_1' },
    { organization_id: 'org_2', organization_name: 'Globex' },
    {},
  ];
  const entries = [{ organization_id: 'org_1', organization_name: 'Acme' }, { organization_id: 'org_3' }];
  expect(organizationsOf(connections, entries, asItIs)).toEqual([
    { id: 'org_1', name: 'organization-1', display_name: 'Acme' },
    { id: 'org_3', name: 'organization-3', display_name: 'org_3' },
    { id: 'org_2', name: 'organization-2', display_name: 'Globex' },
  ]);
  expect(organizationsOf(connections, entries, anonymous()).map(({ display_name }) => display_name)).toEqual([
    'Organization 1',
    'org_3',
    'Organization 2',
  ]);
});

test('there is one user for each address, in whatever letter case, and none for a sign-in without one', () => {
  const entries = [{ email: 'A@b.test' }, { email: '' }, {}, { email: 'a@B.test' }];
  expect(usersOf(entries, asItIs)).toEqual([{ email: 'a@B.test' }]);
  expect(usersOf(entries, anonymous())).toEqual([{ email: 'user-1@example.test' }]);
});

test('an account has no credentials, can be refreshed only if it is ACTIVE, and has an identifier of its own kind', () => {
  const row = {
    id: 'ca_1',
    status: 'ACTIVE',
    connector: 'acme-files',
    identifier: 'Bob',
    last_used_at: null,
    authorization_details: { a: 1 },
  };
  expect(plain(accountRow(row, asItIs))).toEqual({
    id: 'ca_1',
    status: 'ACTIVE',
    connector: 'acme-files',
    identifier: 'Bob',
    refresh: 'grant',
    api_config: {},
  });
  expect(plain(accountRow({ ...row, status: 'EXPIRED', api_config: { a: 1 } }, anonymous()))).toEqual({
    id: 'ca_1',
    status: 'EXPIRED',
    connector: 'connection-1',
    identifier: 'account-2',
    api_config: { 'member-3': 0 },
  });
});

test('a sign-in keeps its ids, and loses the names of its client and resource', () => {
  const kept = {
    auth_request_id: 'r1',
    status: 'SUCCESS',
    organization_id: 'org_1',
    connection_id: 'conn_1',
  };
  const row = {
    ...kept,
    email: 'a@b.test',
    client_id: 'app',
    client_name: 'App',
    resource_id: 'api',
    resource_name: 'API',
  };
  expect(plain(entryRow({ ...row, environment_id: 'env_1', timestamp: null }, asItIs))).toEqual(row);
  expect(plain(entryRow(row, anonymous()))).toEqual({
    ...kept,
    email: 'user-1@example.test',
    client_id: 'client-2',
    client_name: 'Client 4',
    resource_id: 'resource-3',
    resource_name: 'Resource 5',
  });
});
