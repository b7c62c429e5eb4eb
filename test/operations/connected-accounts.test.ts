import { expect, test } from '@jest/globals';
import type { Input } from '../../src/contract/types.ts';
import { absolute, fromStart } from '../../src/core/moment.ts';
import type { State } from '../../src/domain/state.ts';
import { actOnAccount } from '../../src/simulation/account-actions.ts';
import {
  ACME,
  ADA,
  API_KEY,
  connectors,
  create,
  details,
  GLOBEX,
  OAUTH,
  statusOf,
} from '../support/accounts.ts';
import { call, HOUR, refusal, START, simulate, stateOf } from '../support/core.ts';
import { accountRow } from '../support/rows.ts';

const TIMES = { token_expires_at: fromStart(HOUR), last_used_at: fromStart(-HOUR) };
const LISTED = [
  accountRow({
    id: 'ca_1',
    connector: 'mail',
    identifier: 'ada@acme.test',
    organization_id: ACME,
    user_id: ADA,
  }),
  accountRow({ id: 'ca_2', connector: 'crm', identifier: 'ada@acme.test', provider: 'SALES', user_id: ADA }),
  accountRow({
    id: 'ca_3',
    connector: 'mail',
    identifier: 'Grace@acme.test',
    organization_id: ACME,
    ...TIMES,
  }),
  accountRow({
    id: 'ca_4',
    connector: 'crm',
    identifier: 'linus@globex.test',
    provider: 'SALES',
    organization_id: GLOBEX,
  }),
];
const listed = stateOf({ connected_accounts: LISTED }, connectors);

type ListQuery = Input<'listConnectedAccounts'>['query'];
type SearchQuery = Input<'searchConnectedAccounts'>['query'];
const list = (query: ListQuery, state = listed) => call(state, 'listConnectedAccounts', { query }).body;
const search = (query: SearchQuery, state = listed) => call(state, 'searchConnectedAccounts', { query }).body;
const idsOf = ({ connected_accounts }: { readonly connected_accounts: readonly { readonly id: string }[] }) =>
  connected_accounts.map(({ id }) => id);

test('behaviour A1: an item has exactly the ten fields of the document, absent ones left out', () => {
  const [first, , third] = list({}).connected_accounts;
  expect(first).toEqual({
    id: 'ca_1',
    connection_id: 'conn_mail',
    connector: 'mail',
    identifier: 'ada@acme.test',
    provider: 'MAIL',
    authorization_type: 'OAUTH',
    status: 'PENDING_AUTH',
    updated_at: '2026-03-01T12:00:00.000Z',
  });
  expect(third).toMatchObject({
    token_expires_at: '2026-03-01T13:00:00.000Z',
    last_used_at: '2026-03-01T11:00:00.000Z',
  });
  const full = create(connectors, 'mail', OAUTH, {
    connected_account: { api_config: { a: 1 }, authorization_details: OAUTH ?? {} },
  });
  for (const page of [list({}, full.state), search({ query: 'ada' }, full.state)]) {
    expect(page.connected_accounts[0]).not.toHaveProperty('api_config');
    expect(JSON.stringify(page)).not.toContain('access-1');
  }
});

test.each<[ListQuery, string[]]>([
  [{}, ['ca_1', 'ca_2', 'ca_3', 'ca_4']],
  [{ organization_id: ACME }, ['ca_1', 'ca_3']],
  [{ user_id: ADA }, ['ca_1', 'ca_2']],
  [{ connector: 'MAIL' }, ['ca_1', 'ca_3']],
  [{ connector: 'unknown' }, []],
  [{ identifier: 'ada@acme.test' }, ['ca_1', 'ca_2']],
  [{ identifier: 'grace@acme.test' }, []],
  [{ provider: 'SALES' }, ['ca_2', 'ca_4']],
  [{ provider: 'sales' }, []],
  [{ provider: 'SALES', connector: 'crm' }, ['ca_2', 'ca_4']],
  [{ provider: 'SALES', connector: 'mail' }, []],
  [{ query: 'grace' }, ['ca_3']],
  [{ query: 'ACME', connector: 'mail' }, ['ca_1', 'ca_3']],
  [{ query: 'ada', user_id: ADA, connector: 'crm' }, ['ca_2']],
  [{ connection_names: ['crm'] }, ['ca_2', 'ca_4']],
  [{ connection_names: ['CRM', 'mail', 'crm'] }, ['ca_1', 'ca_2', 'ca_3', 'ca_4']],
  [{ connection_names: ['crm'], organization_id: GLOBEX }, ['ca_4']],
  [{ organization_id: 'org_100000000000000099' }, []],
])('behaviour I6, A1: %j lists %j, oldest first', (query, ids) => {
  const page = list(query);
  expect(idsOf(page)).toEqual(ids);
  expect(page.total_size).toBe(ids.length);
});

test('behaviour A1: connection_names beside connector is 400, and an unknown name is 404 with the nearest one', () => {
  expect(refusal(() => list({ connector: 'mail', connection_names: ['crm'] })).errorCode).toBe(
    'INVALID_ARGUMENT',
  );
  expect(refusal(() => list({ connection_names: ['mail', 'crn'] }))).toMatchObject({
    errorCode: 'NOT_FOUND',
    message: expect.stringContaining('Did you mean "crm"?'),
  });
  expect(refusal(() => list({ connection_names: ['acme-oidc'] }))).toMatchObject({
    errorCode: 'NOT_FOUND',
    message: expect.not.stringContaining('Did you mean'),
  });
});

test.each<[SearchQuery, string[]]>([
  [{ query: 'GRACE' }, ['ca_3']],
  [{ query: 'acme' }, ['ca_1', 'ca_2', 'ca_3']],
  [{ query: 'sale' }, ['ca_2', 'ca_4']],
  [{ query: 'crm' }, ['ca_2', 'ca_4']],
  [{ query: 'nothing' }, []],
  [{ query: 'testmail' }, []],
  [{ query: 'acme', connection_id: 'conn_mail' }, ['ca_1', 'ca_3']],
  [{ query: 'acme', connection_id: 'conn_unknown' }, []],
])('behaviour A1: the search %j finds %j, whichever of identifier, provider and connector holds it', (query, ids) => {
  const page = search(query);
  expect(idsOf(page)).toEqual(ids);
  expect(page.total_size).toBe(ids.length);
});

test('behaviour A1: a search sees what was created, changed and deleted before it', () => {
  const { state } = create(listed, 'mail', OAUTH, { identifier: 'margaret@acme.test' });
  expect(search({ query: 'margaret' }, state).total_size).toBe(1);
  expect(search({ query: 'margaret' }).total_size).toBe(0);
  const { state: gone } = call(state, 'deleteConnectedAccount', { body: { id: 'ca_3' } });
  expect(search({ query: 'grace' }, gone).total_size).toBe(0);
  const renamed = stateOf(
    { connected_accounts: LISTED.slice(3).map((row) => ({ ...row, provider: 'OTHERS' })) },
    gone,
  );
  expect(idsOf(search({ query: 'others' }, renamed))).toEqual(['ca_4']);
  expect(search({ query: 'others' }, gone).total_size).toBe(0);
});

test('behaviour I3: pages have ten rows by default, for 0 too', () => {
  const rows = Array.from({ length: 12 }, (_, index) =>
    accountRow({ id: `ca_${index}`, connector: 'mail', identifier: `user-${index}` }),
  );
  const state = stateOf({ connected_accounts: rows }, connectors);
  for (const query of [{}, { page_size: 0 }]) {
    expect(list(query, state)).toMatchObject({ total_size: 12, prev_page_token: '' });
    expect(list(query, state).connected_accounts).toHaveLength(10);
  }
  expect(list({ page_size: 12 }, state)).toMatchObject({ next_page_token: '' });
  expect(search({ query: 'user' }, state).connected_accounts).toHaveLength(10);
});

test('behaviour I4: a search goes on page by page, forward and back, and refuses a token of the list', () => {
  const first = search({ query: 'acme', page_size: 2 });
  const second = search({ query: 'acme', page_size: 2, page_token: first.next_page_token });
  expect([idsOf(first), idsOf(second)]).toEqual([['ca_1', 'ca_2'], ['ca_3']]);
  expect(idsOf(search({ query: 'acme', page_size: 2, page_token: second.prev_page_token }))).toEqual([
    'ca_1',
    'ca_2',
  ]);
  const { next_page_token: page_token } = list({ page_size: 1 });
  expect(refusal(() => search({ query: 'acme', page_token })).errorCode).toBe('INVALID_ARGUMENT');
});

test.each<[ListQuery, ListQuery]>([
  [{ connector: 'mail' }, { connector: 'MAIL' }],
  [{ query: 'acme' }, { query: 'ACME' }],
  [{ connection_names: ['mail', 'crm'] }, { connection_names: ['CRM', 'Mail', 'mail'] }],
])('behaviour I4, I6: a token made for %j goes with %j, since case and order make no difference', (first, second) => {
  const { next_page_token: page_token } = list({ ...first, page_size: 1 });
  expect(page_token).not.toBe('');
  expect(idsOf(list({ ...second, page_token }))).toEqual(idsOf(list({ ...first, page_token })));
});

test('behaviour I4, A1: the token of a search goes with its query in any case', () => {
  const { next_page_token: page_token } = search({ query: 'acme', page_size: 1 });
  expect(idsOf(search({ query: 'ACME', page_token }))).toEqual(['ca_2', 'ca_3']);
});

test('behaviour I4: a token remembers connection_names, so that they may be left out', () => {
  const { next_page_token: page_token } = list({ connection_names: ['mail'], page_size: 1 });
  expect(idsOf(list({ page_token }))).toEqual(['ca_3']);
  expect(refusal(() => list({ page_token, connector: 'mail' })).errorCode).toBe('INVALID_ARGUMENT');
});

test.each([
  [{}, 'id'],
  [{ connector: 'mail' }, 'identifier'],
  [{ identifier: 'ada@acme.test' }, 'connector'],
  [{ organization_id: ACME }, 'id'],
])('behaviour A2: %j names no account: 400 says that %s is missing', (query, field) => {
  for (const operation of ['getConnectedAccountAuth', 'getConnectedAccountDetails'] as const) {
    expect(refusal(() => call(listed, operation, { query }))).toMatchObject({
      errorCode: 'INVALID_ARGUMENT',
      extras: { violations: [{ field, constraint: 'required' }] },
    });
  }
  for (const operation of ['updateConnectedAccount', 'deleteConnectedAccount', 'createMagicLink'] as const) {
    expect(refusal(() => call(listed, operation, { body: query })).errorCode).toBe('INVALID_ARGUMENT');
  }
});

const find = (query: Input<'getConnectedAccountDetails'>['query']) =>
  call(listed, 'getConnectedAccountDetails', { query }).body.connected_account.id;

test('behaviour A2: an account is found by id, by pair, and by both with the id winning', () => {
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
])('behaviour A2, A3: %j is 404', (query) => {
  expect(refusal(() => find(query)).errorCode).toBe('NOT_FOUND');
});

test('behaviour A10: details give every member but the credentials, and write nothing', () => {
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

test('behaviour A8: auth hands out live credentials and moves last_used_at', () => {
  const { state, id } = create(connectors, 'mail', OAUTH);
  const { account, state: next } = auth(state, id, START + HOUR);
  expect(account).toMatchObject({ authorization_details: OAUTH, last_used_at: iso(START + HOUR) });
  expect(account.updated_at).toBe(iso(START));
  expect(details(next, id).last_used_at).toBe(iso(START + HOUR));
  expect(auth(next, id, START + HOUR).state).toBe(next);
});

test('behaviour A8: auth answers 200 without credentials where there are none, and last_used_at stays', () => {
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
  standing: 'ACTIVE',
  token_expires_at: absolute(START + HOUR),
  authorization_details: { oauth_token: { access_token: 'access-1', refresh_token: 'refresh-1' } },
});
const ending = stateOf({ connected_accounts: [ENDING] }, connectors);
const unrefreshed = stateOf(
  {
    connected_accounts: [{ ...ENDING, authorization_details: { oauth_token: { access_token: 'access-1' } } }],
  },
  connectors,
);

test('behaviour A8: from the instant its token ends an account that nobody refreshes reads EXPIRED everywhere', () => {
  const now = START + HOUR;
  expect(statusOf(unrefreshed, 'ca_1', { now: now - 1 })).toBe('ACTIVE');
  expect(statusOf(unrefreshed, 'ca_1', { now })).toBe('EXPIRED');
  expect(call(unrefreshed, 'listConnectedAccounts', {}, { now }).body.connected_accounts[0]?.status).toBe(
    'EXPIRED',
  );
  const { status, account } = auth(unrefreshed, 'ca_1', now);
  expect({ status, reads: account.status }).toEqual({ status: 200, reads: 'EXPIRED' });
  expect(account).not.toHaveProperty('authorization_details');
  expect(statusOf(unrefreshed, 'ca_1', { now: START })).toBe('ACTIVE');
});

test('behaviour A8: an account that the provider would refresh reads ACTIVE, and auth refreshes it once', () => {
  const now = START + HOUR;
  expect(statusOf(ending, 'ca_1', { now })).toBe('ACTIVE');
  const first = auth(ending, 'ca_1', now);
  expect(first.account).toMatchObject({
    status: 'ACTIVE',
    token_expires_at: iso(now + HOUR),
    updated_at: iso(now),
    authorization_details: { oauth_token: { refresh_token: 'refresh-1' } },
  });
  const token = first.account.authorization_details?.oauth_token?.access_token;
  expect(token).not.toBe('access-1');
  expect(auth(first.state, 'ca_1', now + 1).account.authorization_details?.oauth_token?.access_token).toBe(
    token,
  );
});

test('behaviour A8: before its end a token is not refreshed', () => {
  const { account } = auth(ending, 'ca_1', START + HOUR - 1);
  expect(account.authorization_details).toEqual(ENDING.authorization_details);
});

test.each([
  'workspace',
  'warehouse',
  'lakehouse',
])('behaviour A8: what the server mints for %s it mints anew past its end', (connector) => {
  const sent = { workspace: { vendorb_dwd: { subject: 's' } }, warehouse: { trusted_idp: { db_user: 'd' } } };
  const { state, id, account } = create(connectors, connector, (sent as Record<string, object>)[connector]);
  const later = auth(state, id, START + HOUR);
  expect(later.account).toMatchObject({ status: 'ACTIVE', token_expires_at: iso(START + 2 * HOUR) });
  expect(later.account.authorization_details).not.toEqual(account.authorization_details);
  const revoked = simulate(state, actOnAccount, { id, action: 'revoke' }).state;
  expect(auth(revoked, id, START + HOUR).account.status).toBe('EXPIRED');
});

test('behaviour A8: a disconnected account hands out nothing, even where it could be refreshed', () => {
  const cut = simulate(ending, actOnAccount, { id: 'ca_1', action: 'disconnect' }).state;
  const { account, state } = auth(cut, 'ca_1', START + 2 * HOUR);
  expect(account.status).toBe('DISCONNECTED');
  expect(account).not.toHaveProperty('authorization_details');
  expect(state).toBe(cut);
});

test('behaviour A8: a disconnected account stays so past the end of its token', () => {
  const cut = simulate(unrefreshed, actOnAccount, { id: 'ca_1', action: 'disconnect' }).state;
  expect(statusOf(cut, 'ca_1', { now: START + 2 * HOUR })).toBe('DISCONNECTED');
});
