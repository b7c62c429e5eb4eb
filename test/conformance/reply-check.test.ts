/** What `ca-mock verify` says of a reply: what breaks a promise of the API's description, and what only an inferred rule. */
import { expect, test } from '@jest/globals';
import { createReplyCheck } from '../../src/conformance/verify.ts';
import type { OperationId } from '../../src/service/contract.ts';
import { loadContract } from '../../src/service/document.ts';

const check = createReplyCheck(loadContract());
const CONNECTION = {
  ...{ id: 'conn_100000000000000001', key_id: 'mail', type: 'OAUTH', status: 'COMPLETED', enabled: true },
  ...{ provider: 'GOOGLE', provider_key: 'mail', organization_id: null, domains: [] },
};
const ERROR = { code: 5, message: 'No.', details: [{ error_code: 'NOT_FOUND' }] };
const HEADERS = { 'x-request-id': 'req_1' };

const told = (operation: OperationId, status: number, body: unknown, headers: object = HEADERS) =>
  check(operation, { status, headers: { ...headers } as Record<string, string>, body }).map(
    ({ basis, text }) => `${basis}: ${text}`,
  );

test.each<[string, object, RegExp]>([
  ['a wrong type', { enabled: 'yes' }, /^promised: .*\.enabled must be boolean$/],
  ['a wrong value', { type: 'X' }, /^promised: .*\.type must be equal to one of .*\(.*OAUTH.*\)$/],
  ['a missing member', { enabled: undefined }, /^inferred: .* must have required property 'enabled'$/],
])('%s in a list', (_what, members, words) => {
  const connection = JSON.parse(JSON.stringify({ ...CONNECTION, ...members }));
  const sound = told('listConnections', 200, { connections: [CONNECTION] });
  const found = told('listConnections', 200, { connections: [connection] });
  expect(found.filter((each) => !sound.includes(each))).toEqual([expect.stringMatching(words)]);
  expect(found.join()).toContain('connections.0');
});

test('an inferred limit of a member is inferred, but its type is promised', () => {
  const ofId = (id: unknown) =>
    told('listConnectedAccounts', 200, { connected_accounts: [{ id }] }).filter((one) =>
      / \S+\.id /.test(one),
    );
  expect(ofId('other_1')).toEqual(['inferred: connected_accounts.0.id must match pattern "^ca_"']);
  expect(ofId(5)).toEqual(['promised: connected_accounts.0.id must be string']);
});

test('a reply without JSON or without a header of the contract', () => {
  expect(told('listConnections', 200, undefined)).toEqual(['promised: the body is empty or not JSON']);
  expect(told('listConnections', 200, { connections: [] }, {})).toEqual([
    'inferred: the header X-Request-Id is missing',
  ]);
  expect(told('listConnections', 200, 5)).toEqual(['promised: the body must be object']);
});

const NO_TYPE = "inferred: details.0 must have required property '@type'";

test.each<[string, OperationId, number, object, readonly string[]]>([
  ['with parameters in its path', 'createMembership', 201, { user: 5 }, ['promised: user must be object']],
  [
    'with a colon in its path, wrong in several members',
    'searchConnectedAccounts',
    200,
    { connected_accounts: 'none', total_size: 'none' },
    [
      "inferred: the body must have required property 'next_page_token'",
      "inferred: the body must have required property 'prev_page_token'",
      'promised: connected_accounts must be array',
      'promised: total_size must be integer',
    ],
  ],
  [
    'with a status that the contract does not list',
    'listConnections',
    418,
    { ...ERROR, code: 'five' },
    ['promised: code must be integer', NO_TYPE],
  ],
  [
    'whose error has a number as its details',
    'deleteMembership',
    404,
    { ...ERROR, details: 5, error_code: 'A' },
    ['promised: details must be array'],
  ],
])('each mistake is named in the reply of an operation %s', (_what, operation, status, body, problems) => {
  expect(told(operation, status, body)).toEqual(problems);
});
