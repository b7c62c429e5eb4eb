/** Checks replies against the contract: finds problems in its promised parts and in its inferred parts. */
import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/openapi/load.ts';
import type { OperationId } from '../../src/openapi/types.ts';
import { createReplyCheck } from '../../src/verify/reply-check.ts';

const check = createReplyCheck(loadContract());
const known = { 'x-request-id': 'req_1' };
const page = { connected_accounts: [], next_page_token: '', prev_page_token: '', total_size: 0 };
const account = {
  id: 'ca_1',
  connector: 'mail',
  identifier: 'ada',
  authorization_type: 'OAUTH',
  status: 'ACTIVE',
};
const { total_size: _, ...unsized } = page;
const leak = { ...account, authorization_details: { oauth_token: { access_token: 4711 } } };
const STATUSES = 'ACTIVE,EXPIRED,PENDING_AUTH,PENDING_VERIFICATION,DISCONNECTED';

test.each<[string, OperationId, object, readonly string[], object?]>([
  ['a reply that follows the contract', 'listConnectedAccounts', page, []],
  [
    'a wrong type and a value outside an enum',
    'listConnectedAccounts',
    { ...page, total_size: '0', connected_accounts: [{ ...account, status: 'ASLEEP' }] },
    [
      `promised: connected_accounts.0.status must be equal to one of the allowed values (${STATUSES})`,
      'promised: total_size must be integer',
    ],
  ],
  [
    'a missing member, a wrong length and a missing header',
    'listConnectedAccounts',
    { ...unsized, connected_accounts: [{ ...account, id: `ca_${'1'.repeat(40)}` }] },
    [
      "inferred: the body must have required property 'total_size'",
      'inferred: connected_accounts.0.id must NOT have more than 32 characters',
      'inferred: the header X-Request-Id is missing',
    ],
    {},
  ],
  [
    'an invalid time',
    'createMagicLink',
    { link: 'https://client.test/', expiry: '2026-02-31T00:00:00Z' },
    ['promised: expiry must match format "date-time"'],
  ],
  [
    'a credential of another type, which the message does not show',
    'getConnectedAccountAuth',
    { connected_account: leak },
    ['promised: connected_account.authorization_details.oauth_token.access_token must be string'],
  ],
])('%s', (_name, operationId, body, problems, headers = known) => {
  const found = check(operationId, { status: 200, headers: { ...headers }, body });
  expect(found.map(({ basis, text }) => `${basis}: ${text}`)).toEqual(problems);
});

test('an error is checked by its status, or by the default response for other statuses', () => {
  const body = { code: 'five', message: 'no', details: [] };
  for (const status of [404, 418])
    expect(check('deleteMembership', { status, headers: known, body })).toEqual([
      { text: 'code must be integer', basis: 'promised' },
    ]);
});
