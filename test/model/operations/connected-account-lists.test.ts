/** Behaviour A1, I3, I4, I6: filters, pages and page tokens of account lists and searches. */
import { expect, test } from '@jest/globals';
import type { InputFor } from '../../../src/contract/types.ts';
import { ACME, ADA, connectors, create, GLOBEX, listed, OAUTH } from '../../support/accounts.ts';
import { call, codeOf, outcomeOf, refusal, stateOf } from '../../support/core.ts';
import { forgePageToken } from '../../support/forge.ts';
import { accountRow } from '../../support/rows.ts';

type ListQuery = InputFor<'listConnectedAccounts'>['query'];
type SearchQuery = InputFor<'searchConnectedAccounts'>['query'];
const list = (query: ListQuery, state = listed) => call(state, 'listConnectedAccounts', { query }).body;
const search = (query: SearchQuery, state = listed) => call(state, 'searchConnectedAccounts', { query }).body;
const idsOf = ({ connected_accounts }: { readonly connected_accounts: readonly { readonly id: string }[] }) =>
  connected_accounts.map(({ id }) => id);

test('behaviour A1: a listed account has only the ten fields of the document, without the absent ones', () => {
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
  const times = { token_expires_at: '2026-03-01T13:00:00.000Z', last_used_at: '2026-03-01T11:00:00.000Z' };
  expect(third).toMatchObject(times);
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
  [{ provider: 'SALES', connection_names: ['mail', 'crm'] }, ['ca_2', 'ca_4']],
  [{ provider: 'SALES', connection_names: ['mail'], organization_id: GLOBEX }, []],
  [{ provider: 'MAIL', connector: 'mail', query: 'grace' }, ['ca_3']],
  [{ connector: 'acme-oidc' }, []],
  [{ query: 'grace' }, ['ca_3']],
  [{ query: 'ACME', connector: 'mail' }, ['ca_1', 'ca_3']],
  [{ query: 'ada', user_id: ADA, connector: 'crm' }, ['ca_2']],
  [{ connection_names: ['crm'] }, ['ca_2', 'ca_4']],
  [{ connection_names: ['CRM', 'mail', 'crm'] }, ['ca_1', 'ca_2', 'ca_3', 'ca_4']],
  [{ connection_names: ['crm'], organization_id: GLOBEX }, ['ca_4']],
  [{ organization_id: 'org_100000000000000099' }, []],
])('behaviour I6, A1: the query %j lists %j, oldest first', (query, ids) => {
  const page = list(query);
  expect(idsOf(page)).toEqual(ids);
  expect(page.total_size).toBe(ids.length);
});

test('behaviour A1: connection_names together with connector is 400, and an unknown name is 404 with a suggestion', () => {
  expect(codeOf(() => list({ connector: 'mail', connection_names: ['crm'] }))).toBe('INVALID_ARGUMENT');
  const missing = (...connection_names: string[]) => refusal(() => list({ connection_names }));
  expect(missing('mail', 'crn').errorCode).toBe('NOT_FOUND');
  expect(missing('mail', 'crn').message).toContain('Did you mean "crm"?');
  expect(missing('acme-oidc').message).toContain(
    'is of type OIDC, which signs users in and holds no accounts',
  );
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
])('behaviour A1: the search %j finds %j in identifier, provider or connector', (query, ids) => {
  const page = search(query);
  expect(idsOf(page)).toEqual(ids);
  expect(page.total_size).toBe(ids.length);
});

test('behaviour I3: pages have ten rows by default, and for a page_size of 0', () => {
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

test.each<[ListQuery, ListQuery]>([
  [{ connector: 'mail' }, { connector: 'MAIL' }],
  [{ query: 'acme' }, { query: 'ACME' }],
  [{ connection_names: ['mail', 'crm'] }, { connection_names: ['CRM', 'Mail', 'mail'] }],
])('behaviour I4, I6: a page token made for %j is accepted with %j, since case and order do not matter', (first, second) => {
  const { next_page_token: page_token } = list({ ...first, page_size: 1 });
  expect(page_token).not.toBe('');
  expect(idsOf(list({ ...second, page_token }))).toEqual(idsOf(list({ ...first, page_token })));
});

test.each([
  { connection_names: ['mail', 'MAIL', 'mail'] },
  { connection_names: ['nowhere'] },
  { connection_names: 'mail' },
  { connector: ['mail'] },
  { query: '__proto__', user_id: '' },
])('behaviour I4: a forged page token with the filters %j gives a page, or is refused', (filters) => {
  const cursor = { list: 'listConnectedAccounts', filters, direction: 'backward', position: 'no.2' };
  const page_token = forgePageToken(JSON.stringify(cursor));
  expect(['answered', 'INVALID_ARGUMENT', 'NOT_FOUND']).toContain(outcomeOf(() => list({ page_token })));
});
