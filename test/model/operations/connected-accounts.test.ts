/** Behaviour A2, A8, A10: reading one account, with its credentials and without. */
import { expect, test } from '@jest/globals';
import type { InputFor } from '../../../src/contract/types.ts';
import { absolute } from '../../../src/core/moment.ts';
import type { State } from '../../../src/model/domain/state.ts';
import { actOnAccount } from '../../../src/model/simulation/account-actions.ts';
import {
  ACME,
  ADA,
  API_KEY,
  connectors,
  create,
  details,
  GLOBEX,
  listed,
  OAUTH,
  statusOf,
} from '../../support/accounts.ts';
import { call, codeOf, HOUR, refusal, refusedFields, START, simulate, stateOf } from '../../support/core.ts';
import { accountRow } from '../../support/rows.ts';

test.each([
  [{}, 'id'],
  [{ connector: 'mail' }, 'identifier'],
  [{ identifier: 'ada@acme.test' }, 'connector'],
  [{ organization_id: ACME }, 'id'],
])('behaviour A2: a call with %j is 400, and the error says that %s is missing', (query, field) => {
  for (const operation of ['getConnectedAccountAuth', 'getConnectedAccountDetails'] as const)
    expect(refusedFields(() => call(listed, operation, { query }))).toEqual([field]);
  for (const operation of ['updateConnectedAccount', 'deleteConnectedAccount', 'createMagicLink'] as const)
    expect(codeOf(() => call(listed, operation, { body: query }))).toBe('INVALID_ARGUMENT');
});

const find = (query: InputFor<'getConnectedAccountDetails'>['query']) =>
  call(listed, 'getConnectedAccountDetails', { query }).body.connected_account.id;

test('behaviour A2: an account is found by id, or by connector and identifier; with both, the id wins', () => {
  const pair = { connector: 'Mail', identifier: 'ada@acme.test' };
  expect(find({ id: 'ca_2' })).toBe('ca_2');
  expect(find(pair)).toBe('ca_1');
  expect(find({ id: 'ca_2', ...pair })).toBe('ca_2');
  expect(find({ ...pair, organization_id: ACME, user_id: ADA })).toBe('ca_1');
});

test.each([
  { id: 'ca_9' },
  { id: 'ca_1', organization_id: GLOBEX },
  { id: 'ca_3', user_id: ADA },
  { connector: 'mail', identifier: 'ADA@acme.test' },
  { connector: 'unknown', identifier: 'ada@acme.test' },
  { connector: 'mail', identifier: 'ada@acme.test', organization_id: GLOBEX },
])('behaviour A2, A3: looking up %j is a 404', (query) => {
  const { errorCode, message } = refusal(() => find(query));
  expect(errorCode).toBe('NOT_FOUND');
  for (const value of Object.values(query)) expect(message).toContain(value);
});

test('behaviour A10: /details returns every member except the credentials, and changes nothing', () => {
  const { state, id } = create(connectors, 'crm', API_KEY, {
    connected_account: { api_config: { region: 'eu' }, authorization_details: API_KEY ?? {} },
  });
  expect(details(state, id)).toEqual({
    id,
    connection_id: 'conn_crm',
    connector: 'crm',
    identifier: 'ada@acme.test',
    provider: 'SALES',
    authorization_type: 'API_KEY',
    status: 'ACTIVE',
    updated_at: '2026-03-01T12:00:00.000Z',
    api_config: { region: 'eu' },
  });
  expect(call(state, 'getConnectedAccountDetails', { query: { id } }).state).toBe(state);
});

const auth = (state: State, id: string, now = START) => {
  const answer = call(state, 'getConnectedAccountAuth', { query: { id } }, { now });
  return { ...answer, account: answer.body.connected_account };
};
const iso = (ms: number) => new Date(ms).toISOString();

test('behaviour A8: /auth returns live credentials and moves last_used_at', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const { account, state: next } = auth(state, id, START + HOUR);
  expect(account).toMatchObject({ authorization_details: OAUTH, last_used_at: iso(START + HOUR) });
  expect(account.updated_at).toBe(iso(START));
  expect(details(next, id).last_used_at).toBe(iso(START + HOUR));
  expect(auth(next, id, START + HOUR).state).toBe(next);
});

test('behaviour A8: /auth of an account without credentials answers 200 without them, and last_used_at stays', () => {
  for (const connector of ['mail', 'weather']) {
    const { state, id } = create(connectors, connector);
    const answer = auth(state, id);
    expect(answer.status).toBe(200);
    expect(answer.account).not.toHaveProperty('authorization_details');
    expect(answer.account).not.toHaveProperty('last_used_at');
    expect(answer.state).toBe(state);
  }
});

const ENDING = accountRow({
  id: 'ca_1',
  connector: 'mail',
  identifier: 'ada@acme.test',
  stored_status: 'ACTIVE',
  token_expires_at: absolute(START + HOUR),
  authorization_details: OAUTH ?? {},
});
const ending = stateOf({ connected_accounts: [ENDING] }, connectors);
const NO_REFRESH = { authorization_details: { oauth_token: { access_token: 'access-1' } } };
const unrefreshed = stateOf({ connected_accounts: [{ ...ENDING, ...NO_REFRESH }] }, connectors);

test('behaviour A8: from the moment its token expires, an account without a refresh token reads EXPIRED everywhere', () => {
  const now = START + HOUR;
  expect(statusOf(unrefreshed, 'ca_1', { now: now - 1 })).toBe('ACTIVE');
  expect(statusOf(unrefreshed, 'ca_1', { now })).toBe('EXPIRED');
  const { connected_accounts } = call(unrefreshed, 'listConnectedAccounts', {}, { now }).body;
  expect(connected_accounts).toMatchObject([{ status: 'EXPIRED' }]);
  const { status, account } = auth(unrefreshed, 'ca_1', now);
  expect({ status, reads: account.status }).toEqual({ status: 200, reads: 'EXPIRED' });
  expect(account).not.toHaveProperty('authorization_details');
  expect(statusOf(unrefreshed, 'ca_1', { now: START })).toBe('ACTIVE');
});

test('behaviour A8: an account that the provider would refresh reads ACTIVE, and /auth refreshes it once', () => {
  const now = START + HOUR;
  expect(statusOf(ending, 'ca_1', { now })).toBe('ACTIVE');
  const first = auth(ending, 'ca_1', now);
  expect(first.account).toMatchObject({
    status: 'ACTIVE',
    token_expires_at: iso(now + HOUR),
    updated_at: iso(now),
    authorization_details: { oauth_token: { refresh_token: 'refresh-1' } },
  });
  const { authorization_details } = first.account;
  expect(authorization_details?.oauth_token?.access_token).not.toBe('access-1');
  expect(auth(first.state, 'ca_1', now + 1).account).toMatchObject({ authorization_details });
});

test('behaviour A8: /auth refreshes no token of a DISCONNECTED account', () => {
  const state = stateOf({ connected_accounts: [{ ...ENDING, stored_status: 'DISCONNECTED' }] }, connectors);
  const answer = auth(state, 'ca_1', START + 2 * HOUR);
  expect(answer.account).toMatchObject({ status: 'DISCONNECTED', token_expires_at: iso(START + HOUR) });
  expect(answer.state).toBe(state);
  const row = { ...ENDING, ...NO_REFRESH, stored_status: 'DISCONNECTED' } as const;
  const ended = stateOf({ connected_accounts: [row] }, connectors);
  expect(auth(ended, 'ca_1', START + 2 * HOUR).account.status).toBe('DISCONNECTED'); // not EXPIRED
});

test.each([
  ['workspace', { vendorb_dwd: { subject: 's' } }],
  ['warehouse', { trusted_idp: { db_user: 'd' } }],
  ['lakehouse', undefined],
])('behaviour A8: the server mints new credentials of %s after the old ones expire, unless access was revoked', (connector, sent) => {
  const { state, id, account } = create(connectors, connector, sent);
  const later = auth(state, id, START + HOUR);
  expect(later.account).toMatchObject({ status: 'ACTIVE', token_expires_at: iso(START + 2 * HOUR) });
  expect(later.account.authorization_details).not.toEqual(account.authorization_details);
  const revoked = simulate(state, actOnAccount, { id, action: 'revoke' }).state;
  expect(auth(revoked, id, START + HOUR).account.status).toBe('EXPIRED');
});
