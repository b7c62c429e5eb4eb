/** Behaviour R1 over real HTTP: rules that the contract cannot state are told together with what breaks the contract. */
import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/openapi/load.ts';
import { createSurfaces } from '../../src/openapi/surface.ts';
import { rules } from '../../src/operations/index.ts';
import { testServer } from '../support/server.ts';

const server = testServer();

const ACCOUNTS = '/api/v1/connected_accounts';
const LOGS = '/api/v1/logs/authentication/requests';
const MEMBER = '/api/v1/memberships/organizations/org_100000000000000001/users/usr_100000000000000005';
const TOKEN = { oauth_token: { access_token: 'a' } };

const fieldsOf = async (method: string, path: string, body?: unknown): Promise<string[]> => {
  const answer = await server.call(method, path, body === undefined ? {} : { body });
  expect(answer.status).toBe(400);
  return answer.body.details[0].validation_error_info.field_violations.map(
    ({ field }: { field: string }) => field,
  );
};

test.each([
  [`${ACCOUNTS}?connection_names=mail&connector=chat&page_size=101`, ['page_size', 'connection_names']],
  [`${ACCOUNTS}?connection_names=mail&connector=chat&page_size=many`, ['page_size', 'connection_names']],
  [`${ACCOUNTS}?page_size=101&page_token=x`, ['page_size', 'page_token']],
  [`${ACCOUNTS}:search?query=mail&page_size=31&page_token=x`, ['page_size', 'page_token']],
  [`${ACCOUNTS}/details?connector=mail&user_id=no!`, ['user_id', 'identifier']],
  [`${ACCOUNTS}/auth?user_id=no!`, ['user_id', 'id']],
  [
    `${LOGS}?start_time=2026-02-30T00:00:00Z&page_token=x&page_size=101`,
    ['page_size', 'start_time', 'page_token'],
  ],
  [
    `${LOGS}?start_time=2026-03-02T00:00:00Z&end_time=2026-03-01T00:00:00Z&status=BOGUS`,
    ['status[0]', 'start_time'],
  ],
])('behaviour R1: GET %s names %j at once', async (path, fields) => {
  expect(await fieldsOf('GET', path)).toEqual(fields);
});

test.each<[string, string, object, string[]]>([
  ['POST', ACCOUNTS, { connector: 'acme-oidc' }, ['identifier', 'connector']],
  [
    'POST',
    ACCOUNTS,
    { connector: 'crm', identifier: '', connected_account: { authorization_details: TOKEN } },
    ['identifier', 'connected_account.authorization_details.oauth_token'],
  ],
  [
    'PUT',
    ACCOUNTS,
    { connector: 'mail', connected_account: { api_config: 3 } },
    ['connected_account.api_config', 'identifier'],
  ],
  [
    'PUT',
    ACCOUNTS,
    { id: 'ca_100000000000000006', connected_account: { api_config: 3, authorization_details: TOKEN } },
    ['connected_account.api_config', 'connected_account.authorization_details.oauth_token'],
  ],
  ['POST', `${ACCOUNTS}:delete`, { connector: 'mail', user_id: 'no!' }, ['user_id', 'identifier']],
  [
    'POST',
    `${ACCOUNTS}/magic_link`,
    { connector: 'nowhere', state: 's'.repeat(513), user_verify_url: 'https://client.test:99999' },
    ['state', 'identifier', 'user_verify_url', 'connector'],
  ],
  [
    'POST',
    '/api/v1/custom-providers',
    { display_name: '!!!', proxy_url: 'https://:443', auth_patterns: [{ type: 'OAUTH' }] },
    ['display_name', 'proxy_url'],
  ],
  ['POST', MEMBER, { inviter_email: 'nobody', roles: [{ name: 'boss' }] }, ['inviter_email', 'roles[0]']],
  ['PATCH', MEMBER, { metadata: { ab: 'short' }, roles: [{ name: 'boss' }] }, ['metadata.ab', 'roles[0]']],
])('behaviour R1: %s %s with %j names %j at once', async (method, path, body, fields) => {
  expect(await fieldsOf(method, path, body)).toEqual(fields);
});

test('behaviour R1: a rule is not asked about what the contract refuses already', async () => {
  expect(await fieldsOf('GET', `${ACCOUNTS}/details?id=no!&connector=mail`)).toEqual(['id']);
  expect(await fieldsOf('GET', `${LOGS}?start_time=now&end_time=2026-03-01T00:00:00Z`)).toEqual([
    'start_time',
  ]);
  expect(await fieldsOf('POST', MEMBER, { roles: ['boss', { name: 'boss' }] })).toEqual(['roles[0]']);
  expect(
    await fieldsOf('POST', ACCOUNTS, {
      connector: 'crm',
      identifier: 'a',
      connected_account: { authorization_details: { oauth_token: 'a', static_auth: {} } },
    }),
  ).toEqual(['connected_account.authorization_details.oauth_token']);
});

test('behaviour R1, T2: what strict mode refuses is told together with the rest', async () => {
  const { body } = await server.call('POST', ACCOUNTS, {
    body: { connector: 'nowhere', identifier: 'a', colour: 'blue' },
    headers: { 'x-mock-strict': '1' },
  });
  const [unknown, connector] = body.details[0].validation_error_info.field_violations;
  expect([unknown.field, connector.field]).toEqual(['colour', 'connector']);
});

test('behaviour R1: a rule looks at what the contract names', () => {
  const surfaces = createSurfaces(loadContract());
  for (const surface of surfaces.all()) {
    const known = new Set([...surface.parameters, ...surface.members]);
    const needs = (rules[surface.operationId] ?? []).flatMap((rule) => rule.needs);
    expect(needs.filter((need) => !known.has(need))).toEqual([]);
  }
});
