/** Behaviour I4: page tokens that are well formed, but that no list made. */
import { expect, test } from '@jest/globals';
import { call, outcomeOf, stateOf } from '../../support/core.ts';
import { forgePageToken } from '../../support/forge.ts';
import { connectionRow } from '../../support/rows.ts';

const state = stateOf({ connections: [connectionRow({ key_id: 'mail', type: 'OAUTH' })] });

test.each<['listConnectedAccounts' | 'listAuthenticationRequests', object]>([
  ['listConnectedAccounts', { connection_names: ['mail', 'MAIL', 'mail'] }],
  ['listConnectedAccounts', { connection_names: ['nowhere'] }],
  ['listConnectedAccounts', { connection_names: 'mail' }],
  ['listConnectedAccounts', { connector: ['mail'] }],
  ['listConnectedAccounts', { query: '__proto__', user_id: '' }],
  ['listAuthenticationRequests', { start_time: 'noon' }],
  ['listAuthenticationRequests', { status: ['MAIL', 'FAILED'] }],
  ['listAuthenticationRequests', { status: 'FAILED' }],
  ['listAuthenticationRequests', { email: ['ada'] }],
])('behaviour I4: a forged page token of %s with the filters %j gives a page, or is refused', (list, filters) => {
  const [direction, position] = list === 'listConnectedAccounts' ? ['backward', 'no.2'] : ['forward', 1e308];
  const from = { after: '', before: '__proto__', position };
  const page_token = forgePageToken(JSON.stringify({ list, filters, direction, from }));
  expect(['answered', 'INVALID_ARGUMENT', 'NOT_FOUND']).toContain(
    outcomeOf(() => call(state, list, { query: { page_token } })),
  );
});
