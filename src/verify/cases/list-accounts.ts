/** Lists of connected accounts: items, order, pages, filters. */
import { type Case, group, inferred, promised } from '../case.ts';
import { anAccount, aVerifiedAccount, type GivenAccount, twoAccounts } from '../given.ts';
import { textAt } from '../http.ts';
import { absent, aText, aTime, atLeast, including, listOf, ofLength, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const NONE = { connected_accounts: [], next_page_token: '', prev_page_token: '', total_size: 0 };

const ANYWHERE = group({ about: 'listConnectedAccounts' }, [
  promised(
    'A list has accounts without their credentials, a page token to each side and the count over all pages',
    [],
    (api) =>
      api.send().succeeds({
        connected_accounts: listOf({ id: aText(/^ca_/), authorization_details: absent, api_config: absent }),
        next_page_token: aText(/^/),
        prev_page_token: '',
        total_size: atLeast(0),
      }),
  ),
  promised('A page token that cannot be read is refused', ['I4'], (api) =>
    api.list({ page_token: 'no token of any list' }).isRefused('page_token'),
  ),
  inferred('connection_names together with connector is refused', ['A1'], (api) =>
    api
      .list({ connector: api.connector('OAUTH'), connection_names: api.connector('OAUTH') })
      .isRefused('connection_names'),
  ),
  inferred('A name in connection_names that no connection has is not found', ['A1'], (api) =>
    api.list({ connection_names: UNKNOWN.connector }).isMissing(),
  ),
  inferred('The name of a sign-in connection in connection_names is not found', ['A1'], (api) => {
    const { key_id } = api.connection('a sign-in connection', { type: 'OIDC' });
    return api.list({ connection_names: String(key_id) }).isMissing();
  }),
  inferred('An id that is malformed is refused, also as a filter', ['I2'], async (api) => {
    await api.list({ organization_id: 'not an id' }).isRefused('organization_id');
    await api.list({ user_id: 'not/an/id' }).isRefused('user_id');
  }),
]);

/** What a list shows of every account that is ACTIVE by OAuth. */
const itemOf = ({ id, connector, identifier }: Omit<GivenAccount, 'updatedAt'>) => ({
  id,
  connector,
  identifier,
  connection_id: someText,
  provider: someText,
  authorization_type: 'OAUTH',
  status: 'ACTIVE',
  updated_at: aTime,
});

const ITEMS = [
  ...group({ about: 'listConnectedAccounts', needs: ['write'] }, [
    promised('An item shows the ten fields of the description and no api_config', ['A1'], async (api) => {
      const account = await anAccount(api, 'OAUTH', { api_config: { folder: 'inbox' } });
      const item = { ...itemOf(account), api_config: absent, authorization_details: absent };
      await api.list({ identifier: account.identifier }).succeeds({ connected_accounts: [item] });
    }),
  ]),
  ...group({ about: 'listConnectedAccounts', needs: ['write', 'person'] }, [
    promised('A list shows the ten fields of an account', [], async (api) => {
      const account = await aVerifiedAccount(api);
      const { id, connector, identifier } = account;
      await api.auth({ id }).succeeds();
      const item = { ...itemOf(account), token_expires_at: aTime, last_used_at: aTime };
      await api.list({ connector, identifier }).succeeds({ connected_accounts: [item] });
    }),
  ]),
];

const PAGES = group({ about: 'listConnectedAccounts', needs: ['write'] }, [
  inferred('A new account comes after the older ones', ['I4'], async (api) => {
    const { identifier, first, second } = await twoAccounts(api);
    await api.list({ identifier }).succeeds({ connected_accounts: [{ id: first.id }, { id: second.id }] });
  }),
  promised('Page tokens lead on and back; the last page leads no further', ['I4'], async (api) => {
    const { identifier, first, second } = await twoAccounts(api);
    const one = await api.list({ identifier, page_size: 1 }).succeeds({
      connected_accounts: [{ id: first.id }],
      next_page_token: someText,
      prev_page_token: '',
      total_size: 2,
    });
    const next = textAt(one.body, 'next_page_token');
    const two = await api.list({ identifier, page_size: 1, page_token: next }).succeeds({
      connected_accounts: [{ id: second.id }],
      next_page_token: '',
      prev_page_token: someText,
      total_size: 2,
    });
    const back = textAt(two.body, 'prev_page_token');
    await api
      .list({ identifier, page_size: 1, page_token: back })
      .succeeds({ connected_accounts: [{ id: first.id }], prev_page_token: '' });
  }),
  inferred(
    'A page token holds its filters: one that is left out counts still, and page_size may change',
    ['I4'],
    async (api) => {
      const { identifier, second } = await twoAccounts(api);
      const { body } = await api.list({ identifier, page_size: 1 }).succeeds();
      await api
        .list({ page_token: textAt(body, 'next_page_token'), page_size: 50 })
        .succeeds({ connected_accounts: [{ id: second.id }], total_size: 2 });
    },
  ),
  inferred('A page token with another filter is refused', ['I4'], async (api) => {
    const { identifier } = await twoAccounts(api);
    const { body } = await api.list({ identifier, page_size: 1 }).succeeds();
    await api
      .list({ page_token: textAt(body, 'next_page_token'), identifier: 'another' })
      .isRefused('identifier');
  }),
  inferred(
    'A page is stable: a row removed from the page before makes the next one neither skip nor repeat',
    ['I4'],
    async (api) => {
      const { identifier, first, second } = await twoAccounts(api);
      const { body } = await api.list({ identifier, page_size: 1 }).succeeds();
      await api.remove(first).succeeds();
      await api
        .list({ identifier, page_size: 1, page_token: textAt(body, 'next_page_token') })
        .succeeds({ connected_accounts: [{ id: second.id }], total_size: 1 });
    },
  ),
]);

const FILTERS = group({ about: 'listConnectedAccounts', needs: ['write'] }, [
  inferred('The connector compares in any case, the identifier exactly', ['I6'], async (api) => {
    const { connector, identifier } = await anAccount(api, 'API_KEY');
    await api.list({ connector: connector.toUpperCase(), identifier }).succeeds({ total_size: 1 });
    await api.list({ identifier: identifier.toUpperCase() }).succeeds(NONE);
  }),
  inferred('The list takes the search text too', ['A1'], async (api) => {
    const { id, identifier } = await anAccount(api, 'API_KEY');
    await api.list({ query: identifier.toUpperCase() }).succeeds({ connected_accounts: [{ id }] });
  }),
  inferred('connection_names gives the accounts of each connection named', ['A1'], async (api) => {
    const { identifier, first, second } = await twoAccounts(api);
    await api
      .list({ identifier, connection_names: [first.connector, second.connector] })
      .succeeds({ connected_accounts: ofLength(2) });
    await api
      .list({ identifier, connection_names: second.connector })
      .succeeds({ connected_accounts: [{ id: second.id }] });
  }),
]);

const OWNERS = [
  ...group({ about: 'listConnectedAccounts', needs: ['write', 'organization', 'user'] }, [
    inferred(
      'The filters by organization, user, connector, provider and identifier must all hold',
      ['A1', 'I6'],
      async (api) => {
        const owner = { organization_id: api.organizationId, user_id: api.userId };
        const account = { ...api.pair('API_KEY'), ...owner };
        const made = await api.obtain('createConnectedAccount', { body: account });
        const all = { ...account, provider: textAt(made, 'connected_account', 'provider') };
        await api
          .list(all)
          .succeeds({ connected_accounts: [{ identifier: account.identifier }], total_size: 1 });
        for (const other of [
          { organization_id: UNKNOWN.organization },
          { user_id: UNKNOWN.user },
          { connector: UNKNOWN.connector },
          { provider: 'CONFORMANCE' },
          { identifier: 'another' },
        ])
          await api.list({ ...all, ...other }).succeeds(NONE);
      },
    ),
  ]),
  ...group({ about: 'listConnectedAccounts', needs: ['write', 'organization'] }, [
    inferred('A created account is found by the id of its organization', ['A1'], async (api) => {
      const { connector, identifier } = api.pair('API_KEY');
      const organization_id = api.organizationId;
      await api.obtain('createConnectedAccount', { body: { connector, identifier, organization_id } });
      await api
        .list({ organization_id, connector, page_size: 100 })
        .succeeds({ connected_accounts: including({ identifier }) });
    }),
  ]),
];

export const LIST_ACCOUNTS_CASES: readonly Case[] = [...ANYWHERE, ...ITEMS, ...PAGES, ...FILTERS, ...OWNERS];
