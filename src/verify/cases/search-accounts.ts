/** Text search over connected accounts. */
import type { Api } from '../api.ts';
import { type Case, group, inferred, promised } from '../case.ts';
import { anAccount, twoAccounts } from '../given.ts';
import { type RequestParts, textAt } from '../http.ts';
import { absent, including, listOf, someText } from '../pattern.ts';

const searching = (api: Api, query: RequestParts['query'] = {}) =>
  api.call('searchConnectedAccounts', { query });

export const SEARCH_ACCOUNTS_CASES: readonly Case[] = [
  ...group({ about: 'searchConnectedAccounts' }, [
    promised('A search answers in the shape of a list, without credentials', [], (api) =>
      searching(api, { query: 'conformance' }).succeeds({
        connected_accounts: listOf({ authorization_details: absent }),
        prev_page_token: '',
      }),
    ),
    promised('A text of three characters is long enough, one of two is not', ['I5'], async (api) => {
      await searching(api, { query: 'abc' }).succeeds();
      await searching(api, { query: 'ab' }).isRefused('query');
    }),
    promised('A search without a text is refused', [], (api) => searching(api).isRefused('query')),
  ]),
  ...group({ about: 'searchConnectedAccounts', needs: ['write'] }, [
    promised('The text is found in an identifier, in any case', [], async (api) => {
      const { id, identifier } = await anAccount(api, 'API_KEY');
      await searching(api, { query: identifier.toUpperCase() }).succeeds({
        connected_accounts: [{ id }],
        total_size: 1,
      });
    }),
    promised('The text is found in a connector', [], async (api) => {
      const { connector } = await anAccount(api, 'OAUTH');
      await searching(api, { query: connector.toUpperCase().slice(0, 3), page_size: 30 }).succeeds({
        connected_accounts: including({ connector }),
      });
    }),
    inferred('connection_id narrows the search; an unknown one matches nothing', ['A1'], async (api) => {
      const { connector, identifier } = await anAccount(api, 'API_KEY');
      const { id } = api.connection('the connection of the account', { key_id: connector });
      await searching(api, { query: identifier, connection_id: String(id) }).succeeds({ total_size: 1 });
      await searching(api, { query: identifier, connection_id: 'conn_999999999999999999' }).succeeds({
        connected_accounts: [],
        total_size: 0,
      });
    }),
    promised('A search has pages like a list', [], async (api) => {
      const { identifier, second } = await twoAccounts(api);
      const { body } = await searching(api, { query: identifier, page_size: 1 }).succeeds({
        next_page_token: someText,
        prev_page_token: '',
        total_size: 2,
      });
      const page_token = textAt(body, 'next_page_token');
      await searching(api, { query: identifier, page_size: 1, page_token }).succeeds({
        connected_accounts: [{ id: second.id }],
        next_page_token: '',
        prev_page_token: someText,
      });
    }),
    inferred('A page token of a list is none of a search', ['I4'], async (api) => {
      const { identifier } = await twoAccounts(api);
      const { body } = await api.list({ identifier, page_size: 1 }).succeeds();
      const page_token = textAt(body, 'next_page_token');
      await searching(api, { query: identifier, page_token }).isRefused('page_token');
    }),
  ]),
  ...group({ about: 'searchConnectedAccounts', needs: ['control'] }, [
    promised('The text is found in a provider', [], (api) =>
      // The provider of this account of the default scenario is TICKET_DESK:..., its connector is helpdesk.
      searching(api, { query: 'ticket_desk' }).succeeds({
        connected_accounts: [{ id: 'ca_100000000000000007' }],
      }),
    ),
  ]),
];
