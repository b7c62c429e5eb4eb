/** Cases about the list and the search of connected accounts: items, order, pages, filters. */
import { type Case, reading, test, writing } from '../case.ts';
import { type Call, textAt } from '../client.ts';
import { absent, aCount, aText, aTime, exactly, listOf, someText } from '../matchers.ts';
import { UNKNOWN } from '../samples.ts';
import type { Service } from '../service.ts';
import { anAccount, auth, aVerifiedAccount, CREDENTIALS, twoAccounts } from './setup.ts';

const list = (service: Service, query: NonNullable<Call['query']>, body: object = {}) =>
  service.call('listConnectedAccounts', { query }, { body });

const search = (service: Service, query: NonNullable<Call['query']>, body: object = {}) =>
  service.call('searchConnectedAccounts', { query }, { body });

const NONE = { connected_accounts: exactly(), next_page_token: '', prev_page_token: '', total_size: 0 };

const ANYWHERE = reading(
  'listConnectedAccounts',
  test('Listing accounts returns page tokens, a count, and accounts without credentials', (service) => {
    const item = { id: aText(/^ca_/), authorization_details: absent, api_config: absent };
    const page = { next_page_token: aText(/^/), prev_page_token: '', total_size: aCount };
    return list(service, {}, { connected_accounts: listOf(item), ...page });
  }).promised('A1'),
  test('Listing accounts refuses an invalid page_token', (service) => {
    const query = { page_token: 'no token' };
    return service.refuses('listConnectedAccounts', { query }, 'page_token');
  }).promised('I4'),
  test('Listing accounts refuses connection_names together with connector', (service) => {
    const name = service.connector('OAUTH');
    const query = { connector: name, connection_names: name };
    return service.refuses('listConnectedAccounts', { query }, 'connection_names');
  }).inferred('A1'),
  test('Listing accounts answers 404 if connection_names holds an unknown or a sign-in connection', async (service) => {
    await service.misses('listConnectedAccounts', { query: { connection_names: UNKNOWN.connector } });
    const { key_id = '' } = service.connection('a sign-in connection', { type: 'OIDC' });
    await service.misses('listConnectedAccounts', { query: { connection_names: key_id } });
  }).inferred('A1'),
  test('Listing the accounts of an unknown organization and user returns an empty list', (service) =>
    list(service, { organization_id: 'conformance-1', user_id: '42' }, NONE)).inferred('I2'),
);

const ITEMS = writing(
  'listConnectedAccounts',
  test('Each account in a list has the ten documented fields and no others', async (service) => {
    const pair = await aVerifiedAccount(service);
    await auth(service, pair);
    const times = { updated_at: aTime, token_expires_at: aTime, last_used_at: aTime };
    const kind = {
      connection_id: someText,
      provider: someText,
      authorization_type: 'OAUTH',
      status: 'ACTIVE',
    };
    const item = { ...pair, ...kind, ...times, api_config: absent, authorization_details: absent };
    await list(service, pair, { connected_accounts: exactly(item) });
  }).promised('A1'),
  test('next_page_token leads to the next page of accounts, and prev_page_token leads back', async (service) => {
    const { identifier, first, second } = await twoAccounts(service);
    const page = { identifier, page_size: 1 };
    const start = { connected_accounts: exactly({ id: first.id }), prev_page_token: '', total_size: 2 };
    const one = await list(service, page, { ...start, next_page_token: someText });
    const next = textAt(one.body, 'next_page_token');
    const end = { connected_accounts: exactly({ id: second.id }), next_page_token: '', total_size: 2 };
    const two = await list(service, { ...page, page_token: next }, { ...end, prev_page_token: someText });
    const back = textAt(two.body, 'prev_page_token');
    await list(service, { ...page, page_token: back }, start);
  }).promised('I4'),
  test('A page token keeps its filters, and is refused with other filters or in another operation', async (service) => {
    const { identifier, second } = await twoAccounts(service);
    const { body } = await list(service, { identifier, page_size: 1 });
    const page_token = textAt(body, 'next_page_token');
    await list(service, { page_token, page_size: 50 }, { connected_accounts: exactly({ id: second.id }) });
    const other = { query: { page_token, identifier: 'another' } };
    await service.refuses('listConnectedAccounts', other, 'identifier');
    const query = { query: identifier, page_token };
    await service.refuses('searchConnectedAccounts', { query }, 'page_token');
  }).inferred('I4'),
  test('After an account is deleted, the next page neither skips nor repeats an account', async (service) => {
    const { identifier, first, second } = await twoAccounts(service);
    const { body } = await list(service, { identifier, page_size: 1 });
    await service.call('deleteConnectedAccount', { body: { id: first.id } });
    const query = { identifier, page_size: 1, page_token: textAt(body, 'next_page_token') };
    await list(service, query, { connected_accounts: exactly({ id: second.id }), total_size: 1 });
  }).inferred('I4'),
);

const FILTERS = writing(
  'listConnectedAccounts',
  test('The filter connector ignores case, the filter identifier does not', async (service) => {
    const { connector, identifier } = (await anAccount(service, 'API_KEY')).pair;
    await list(service, { connector: connector.toUpperCase(), identifier }, { total_size: 1 });
    await list(service, { identifier: identifier.toUpperCase() }, NONE);
  }).inferred('I6'),
  test('The filter connection_names returns the accounts of all connections named', async (service) => {
    const { identifier, first, second } = await twoAccounts(service);
    const connection_names = [first.pair.connector, second.pair.connector];
    await list(service, { identifier, connection_names }, { total_size: 2 });
    const one = { connected_accounts: exactly({ id: second.id }) };
    await list(service, { identifier, connection_names: second.pair.connector }, one);
  }).inferred('A1'),
  test('A list with several filters returns only accounts that match all of them', async (service) => {
    const owner = { organization_id: 'org_conformance', user_id: 'usr_conformance' };
    const body = { ...service.pair('API_KEY'), ...owner };
    const made = await service.call('createConnectedAccount', { body });
    const all = { ...body, provider: textAt(made.body, 'connected_account', 'provider') };
    await list(service, all, { total_size: 1 });
    for (const name of Object.keys(all)) await list(service, { ...all, [name]: 'another' }, NONE);
  }).inferred('A1', 'I6'),
);

const SEARCHING = [
  ...reading(
    'searchConnectedAccounts',
    test('A search returns accounts without credentials, as a list does', (service) =>
      search(
        service,
        { query: 'conformance' },
        { connected_accounts: listOf({ authorization_details: absent }), prev_page_token: '' },
      )).promised(),
  ),
  ...writing(
    'searchConnectedAccounts',
    test('A search finds its text in identifier, connector and provider, ignoring case', async (service) => {
      const authorization_details = CREDENTIALS.API_KEY;
      const { id, pair } = await anAccount(service, 'API_KEY', { authorization_details });
      const made = await service.call('getConnectedAccountDetails', { query: { id } });
      const provider = textAt(made.body, 'connected_account', 'provider');
      await search(
        service,
        { query: pair.identifier.toUpperCase() },
        { connected_accounts: exactly({ id }) },
      );
      for (const query of [pair.connector.toUpperCase(), provider.toLowerCase()])
        if (query.length > 2) await search(service, { query }, { connected_accounts: [{}] });
    }).promised(),
    test('A search with connection_id returns only accounts of that connection', async (service) => {
      const { connector, identifier } = (await anAccount(service, 'API_KEY')).pair;
      const { id = '' } = service.connection('the connection of the account', { key_id: connector });
      await search(service, { query: identifier, connection_id: id }, { total_size: 1 });
      await search(service, { query: identifier, connection_id: 'conn_999999999999999999' }, NONE);
    }).inferred('A1'),
  ),
];

export const LIST_FLOWS: readonly Case[] = [...ANYWHERE, ...ITEMS, ...FILTERS, ...SEARCHING];
