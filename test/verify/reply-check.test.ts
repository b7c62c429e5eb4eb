/** Checks replies against the contract: finds problems in its promised parts and in its inferred parts. */
import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/openapi/load.ts';
import { createReplyCheck } from '../../src/verify/reply-check.ts';

const check = createReplyCheck(loadContract());
const headers = { 'x-request-id': 'req_1' };
const page = { connected_accounts: [], next_page_token: '', prev_page_token: '', total_size: 0 };
const account = {
  id: 'ca_1',
  connector: 'mail',
  identifier: 'ada',
  authorization_type: 'OAUTH',
  status: 'ACTIVE',
};

test('a reply that follows the contract has no problems', () => {
  expect(check('listConnectedAccounts', { status: 200, headers, body: page })).toEqual([]);
});

test('a wrong type and a value outside an enum are promised problems', () => {
  const body = { ...page, total_size: '0', connected_accounts: [{ ...account, status: 'ASLEEP' }] };
  expect(check('listConnectedAccounts', { status: 200, headers, body })).toEqual([
    {
      text: 'connected_accounts.0.status must be equal to one of the allowed values (ACTIVE,EXPIRED,PENDING_AUTH,PENDING_VERIFICATION,DISCONNECTED)',
      basis: 'promised',
    },
    { text: 'total_size must be integer', basis: 'promised' },
  ]);
});

test('a missing member, a wrong length and a missing header are inferred problems', () => {
  const body = {
    connected_accounts: [{ ...account, id: `ca_${'1'.repeat(40)}` }],
    next_page_token: '',
    prev_page_token: '',
  };
  expect(check('listConnectedAccounts', { status: 200, headers: {}, body })).toEqual([
    { text: "the body must have required property 'total_size'", basis: 'inferred' },
    { text: 'connected_accounts.0.id must NOT have more than 32 characters', basis: 'inferred' },
    { text: 'the header X-Request-Id is missing', basis: 'inferred' },
  ]);
});

test('an invalid time is a promised problem', () => {
  const body = { link: 'https://client.test/', expiry: '2026-02-31T00:00:00Z' };
  expect(check('createMagicLink', { status: 200, headers, body })).toEqual([
    { text: 'expiry must match format "date-time"', basis: 'promised' },
  ]);
});

test('an error is checked by its status, or by the default response for other statuses', () => {
  const body = { code: 'five', message: 'no', details: [] };
  for (const status of [404, 418])
    expect(check('deleteMembership', { status, headers, body })).toEqual([
      { text: 'code must be integer', basis: 'promised' },
    ]);
});

test('problems never show a value, since it may be a credential', () => {
  const body = {
    connected_account: { ...account, authorization_details: { oauth_token: { access_token: 4711 } } },
  };
  expect(JSON.stringify(check('getConnectedAccountAuth', { status: 200, headers, body }))).not.toContain(
    '4711',
  );
});
