/** Cases about lists: items, order, pages and filters of connected accounts, their search, and the log of sign-ins. */
import { valueAt } from '../../../engine/core/object.ts';
import { type Api, textAt } from '../api.ts';
import { reading, test, writing } from '../case.ts';
import type { Query } from '../client.ts';
import { absent, aText, aTime, exactly, listOf, newestFirst, someOf, someText } from '../matchers.ts';
import { UNKNOWN } from '../samples.ts';
import { Missing } from '../service.ts';

const list = (api: Api, query: Query, body: object = {}) =>
  api.call('listConnectedAccounts', { query }, { body });

const search = (api: Api, query: Query, body: object = {}) =>
  api.call('searchConnectedAccounts', { query }, { body });

/** Creates two accounts. Both get the same identifier from `anAccount`, so the filter `identifier` finds both. */
const twoAccounts = async (api: Api) => {
  const first = await api.anAccount('OAUTH');
  const second = await api.anAccount('API_KEY');
  return { identifier: first.pair.identifier, first, second };
};

const NONE = { connected_accounts: exactly(), next_page_token: '', prev_page_token: '', total_size: 0 };

const ANYWHERE = reading(
  'listConnectedAccounts',
  test('A list of accounts has page tokens and a count, and leaves out the credentials of the accounts', (api) => {
    const item = { id: aText(/^ca_/), authorization_details: absent, api_config: absent };
    const page = { next_page_token: aText(/^/), prev_page_token: '' };
    return list(api, {}, { connected_accounts: listOf(item), ...page });
  }).promised('A1'),
  test('A call for a list of accounts is refused if the page_token is invalid', (api) => {
    const query = { page_token: 'no token' };
    return api.refuses('listConnectedAccounts', { query }, 'page_token');
  }).promised('I4'),
  test('A call for a list of accounts answers 404 if connection_names contains an unknown connection or a sign-in connection', async (api) => {
    await api.call('listConnectedAccounts', { query: { connection_names: UNKNOWN.connector } }, 404);
    const { key_id = '' } = api.connection('a sign-in connection', { type: 'OIDC' });
    await api.call('listConnectedAccounts', { query: { connection_names: key_id } }, 404);
  }).inferred('A1'),
  test('The list of the accounts of an unknown organization and user is empty', (api) =>
    list(api, { organization_id: 'conformance-1', user_id: '42' }, NONE)).inferred('I2'),
);

const ITEMS = writing(
  'listConnectedAccounts',
  test('Each account in a list has the ten documented fields and no others', async (api) => {
    const pair = await api.aVerifiedAccount();
    await api.auth(pair);
    const times = { updated_at: aTime, token_expires_at: aTime, last_used_at: aTime };
    const kind = { connection_id: someText, provider: someText, authorization_type: 'OAUTH' };
    const hidden = { api_config: absent, authorization_details: absent };
    const item = { ...pair, ...kind, status: 'ACTIVE', ...times, ...hidden };
    await list(api, pair, { connected_accounts: exactly(item) });
  }).promised('A1'),
  test('next_page_token leads to the next page of accounts, and prev_page_token leads back', async (api) => {
    const { identifier, first, second } = await twoAccounts(api);
    const page = { identifier, page_size: 1 };
    const start = { connected_accounts: exactly({ id: first.id }), prev_page_token: '', total_size: 2 };
    const one = await list(api, page, { ...start, next_page_token: someText });
    const next = textAt(one.body, 'next_page_token');
    const end = { connected_accounts: exactly({ id: second.id }), next_page_token: '', total_size: 2 };
    const two = await list(api, { ...page, page_token: next }, { ...end, prev_page_token: someText });
    const back = textAt(two.body, 'prev_page_token');
    await list(api, { ...page, page_token: back }, start);
  }).promised('I4'),
  test('A page token contains the filters of its list, and is refused with other filters or in another operation', async (api) => {
    const { identifier, second } = await twoAccounts(api);
    const { body } = await list(api, { identifier, page_size: 1 });
    const page_token = textAt(body, 'next_page_token');
    await list(api, { page_token, page_size: 50 }, { connected_accounts: exactly({ id: second.id }) });
    const other = { query: { page_token, identifier: 'another' } };
    await api.refuses('listConnectedAccounts', other, 'identifier');
    const query = { query: identifier, page_token };
    await api.refuses('searchConnectedAccounts', { query }, 'page_token');
  }).inferred('I4'),
  test('After an account is deleted, the next page neither skips nor repeats an account', async (api) => {
    const { identifier, first, second } = await twoAccounts(api);
    const { body } = await list(api, { identifier, page_size: 1 });
    await api.call('deleteConnectedAccount', { body: { id: first.id } });
    const query = { identifier, page_size: 1, page_token: textAt(body, 'next_page_token') };
    await list(api, query, { connected_accounts: exactly({ id: second.id }), total_size: 1 });
  }).inferred('I4'),
  test('Filtering accounts by connector ignores case, but filtering them by identifier does not', async (api) => {
    const { connector, identifier } = (await api.anAccount('API_KEY')).pair;
    await list(api, { connector: connector.toUpperCase(), identifier }, { total_size: 1 });
    await list(api, { identifier: identifier.toUpperCase() }, NONE);
  }).inferred('I6'),
  test('Filtering accounts by several connection_names returns the accounts of all these connections', async (api) => {
    const { identifier, first, second } = await twoAccounts(api);
    const connection_names = [first.pair.connector, second.pair.connector];
    await list(api, { identifier, connection_names }, { total_size: 2 });
    const one = { connected_accounts: exactly({ id: second.id }) };
    await list(api, { identifier, connection_names: second.pair.connector }, one);
  }).inferred('A1'),
  test('A list with several filters returns only accounts that match all of them', async (api) => {
    const owner = { organization_id: 'org_conformance', user_id: 'usr_conformance' };
    const body = { ...api.pair('API_KEY'), ...owner };
    const made = await api.call('createConnectedAccount', { body });
    const all = { ...body, provider: textAt(made.body, 'connected_account', 'provider') };
    await list(api, all, { total_size: 1 });
    for (const name of Object.keys(all)) await list(api, { ...all, [name]: 'another' }, NONE);
  }).inferred('A1', 'I6'),
);

const SEARCHING = [
  ...reading(
    'searchConnectedAccounts',
    test('A search leaves out the credentials of the accounts, as a list does', (api) => {
      const connected_accounts = listOf({ authorization_details: absent });
      return search(api, { query: 'conformance' }, { connected_accounts, prev_page_token: '' });
    }).promised(),
  ),
  ...writing(
    'searchConnectedAccounts',
    test('A search looks for its text in identifier, connector and provider, ignoring case', async (api) => {
      const { id, pair } = await api.anAccount('API_KEY');
      const made = await api.details({ id });
      const provider = textAt(made.body, 'connected_account', 'provider');
      await search(api, { query: pair.identifier.toUpperCase() }, { connected_accounts: exactly({ id }) });
      for (const query of [pair.connector.toUpperCase(), provider.toLowerCase()])
        if (query.length > 2) await search(api, { query }, { connected_accounts: [{}] });
    }).promised(),
    test('A search with connection_id returns only accounts of that connection', async (api) => {
      const { connector, identifier } = (await api.anAccount('API_KEY')).pair;
      const { id = '' } = api.connection('the connection of the account', { key_id: connector });
      await search(api, { query: identifier, connection_id: id }, { total_size: 1 });
      await search(api, { query: identifier, connection_id: 'conn_999999999999999999' }, NONE);
    }).inferred('A1'),
  ),
];

const log = (api: Api, query: Query, body: object = {}) =>
  api.call('listAuthenticationRequests', { query }, { body });

const newest = async (api: Api) => {
  const { body } = await log(api, { page_size: 1 });
  const entry = valueAt(body, 'authRequests', 0);
  if (entry === undefined) throw new Missing('needs an entry in the log of authentication requests');
  return { entry, id: textAt(entry, 'auth_request_id') };
};

const NO_ENTRIES = { authRequests: exactly(), next_page_token: '', prev_page_token: '', total_size: 0 };

const WRONG: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['page_token', { page_token: 'a token that no list returned' }],
  ['start_time', { start_time: 'yesterday' }],
  ['end_time', { end_time: '2026-02-31T00:00:00Z' }],
  ['start_time', { start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' }],
];

const LOG = reading(
  'listAuthenticationRequests',
  test('The log returns the newest entries first, with page tokens and a count', (api) => {
    const page = { next_page_token: aText(/^/), prev_page_token: '' };
    return log(api, { page_size: 100 }, { authRequests: newestFirst('timestamp'), ...page });
  }).promised('T1', 'L1'),
  test('In the log, next_page_token leads to older entries, and prev_page_token leads back', async (api) => {
    const { id } = await newest(api);
    const first = await log(api, { page_size: 1 });
    const next = textAt(first.body, 'next_page_token');
    if (next === '') throw new Missing('needs two entries in the log of authentication requests');
    const second = await log(api, { page_size: 1, page_token: next }, { prev_page_token: someText });
    const page_token = textAt(second.body, 'prev_page_token');
    const start = { authRequests: exactly({ auth_request_id: id }), prev_page_token: '' };
    await log(api, { page_size: 1, page_token }, start);
  }).promised('I4'),
  ...['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'].map((status) =>
    test(`Filtering the log by status ${status} ignores case, and returns only entries with that status`, async (api) => {
      const { body } = await log(api, { status, page_size: 100 }, { authRequests: listOf({ status }) });
      const total_size = valueAt(body, 'total_size');
      await log(api, { status: status.toLowerCase() }, { total_size });
    }).inferred('L1'),
  ),
  ...['email', 'client_id', 'resource_id'].map((filter) =>
    test(`Filtering the log by ${filter} returns only entries with that ${filter}`, async (api) => {
      const value = textAt((await newest(api)).entry, filter);
      const sent = filter === 'email' ? value.toUpperCase() : value;
      await log(api, { [filter]: sent, page_size: 100 }, { authRequests: someOf({ [filter]: value }) });
      await log(api, { [filter]: 'conformance-nobody' }, NO_ENTRIES);
    }).inferred('L1', 'I6'),
  ),
  test('The log includes entries exactly at start_time and end_time', async (api) => {
    const { entry, id } = await newest(api);
    const at = textAt(entry, 'timestamp');
    await log(api, { start_time: at, end_time: at }, { authRequests: [{ auth_request_id: id }] });
    await log(api, { start_time: '2999-01-01T00:00:00Z' }, NO_ENTRIES);
    await log(api, { end_time: '1999-01-01T00:00:00Z' }, NO_ENTRIES);
  }).inferred('L1'),
  ...WRONG.map(([field, query]) =>
    test(`Listing authentication requests is refused if the query is ${new URLSearchParams(query)}`, (api) =>
      api.refuses('listAuthenticationRequests', { query }, field)).inferred('L1'),
  ),
);

export const LIST_FLOWS = [ANYWHERE, ITEMS, SEARCHING, LOG].flat();
