/** Behaviour R1 over real HTTP: two answers, first all that breaks the contract, then all that breaks rules of our own. */
import { expect, test } from '@jest/globals';
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

test.each<[string, string, object | undefined, string[]]>([
  [
    'GET',
    `${ACCOUNTS}?connection_names=mail&connector=chat&page_size=101&page_token=x`,
    undefined,
    ['page_size'],
  ],
  ['GET', `${LOGS}?start_time=2026-02-30T00:00:00Z&page_token=x&page_size=101`, undefined, ['page_size']],
  ['POST', ACCOUNTS, { connector: 'acme-oidc' }, ['identifier']],
  [
    'PUT',
    ACCOUNTS,
    { id: 'ca_100000000000000006', connected_account: { api_config: 3, authorization_details: TOKEN } },
    ['connected_account.api_config'],
  ],
  [
    'POST',
    '/api/v1/custom-providers',
    { display_name: '!!!', proxy_url: 'https://:443', auth_patterns: [{ type: 'OAUTH' }] },
    ['display_name'],
  ],
  ['POST', MEMBER, { inviter_email: 'nobody', roles: [{ name: 'boss' }] }, ['inviter_email']],
])('behaviour R1: one error for %s %s with %j names everything that breaks the contract: %j', async (method, path, body, fields) => {
  expect(await fieldsOf(method, path, body)).toEqual(fields);
});

test.each<[string, string, object | undefined, string[]]>([
  [
    'GET',
    `${ACCOUNTS}?connection_names=mail&connector=chat&page_token=x`,
    undefined,
    ['connection_names', 'page_token'],
  ],
  [
    'GET',
    `${LOGS}?start_time=2026-03-02T00:00:00Z&end_time=2026-03-01T00:00:00Z&page_token=x`,
    undefined,
    ['start_time', 'page_token'],
  ],
  [
    'POST',
    `${ACCOUNTS}/magic_link`,
    { connector: 'nowhere', user_verify_url: 'https://client.test:99999' },
    ['identifier', 'user_verify_url', 'connector'],
  ],
  ['POST', MEMBER, { roles: [{ name: 'boss' }, { name: 'chief' }] }, ['roles[0]', 'roles[1]']],
])('behaviour R1: one error for %s %s with %j, which follows the contract, names all other broken rules: %j', async (method, path, body, fields) => {
  expect(await fieldsOf(method, path, body)).toEqual(fields);
});

test('behaviour R1, T2: one error lists what strict mode refuses and what breaks the contract', async () => {
  const { body } = await server.call('POST', ACCOUNTS, {
    body: { connector: 'nowhere', colour: 'blue' },
    headers: { 'x-mock-strict': '1' },
  });
  const fields = body.details[0].validation_error_info.field_violations.map(
    ({ field }: { field: string }) => field,
  );
  expect(fields).toEqual(['identifier', 'colour']);
});
