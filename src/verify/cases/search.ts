/** Text search over connected accounts. */
import { anAccount } from '../arrange.ts';
import { textAt } from '../call.ts';
import { define } from '../case.ts';
import { absent, including, listOf, someText } from '../pattern.ts';

export const SEARCH_CASES = [
  define({
    name: 'A search answers in the shape of a list, without credentials',
    operationId: 'searchConnectedAccounts',
    basis: 'promised',
    cites: ['search.200', 'search.without_credentials'],
    send: () => ({ query: { query: 'conformance' } }),
    status: 200,
    body: { connected_accounts: listOf({ authorization_details: absent }), prev_page_token: '' },
  }),
  define({
    name: 'The text is found in an identifier, in any case',
    operationId: 'searchConnectedAccounts',
    basis: 'promised',
    cites: ['search.identifiers', 'search.any_case'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: ({ given }) => ({ query: { query: given.identifier.toUpperCase() } }),
    status: 200,
    body: ({ given }) => ({ connected_accounts: [{ id: given.id }], total_size: 1 }),
  }),
  define({
    name: 'The text is found in a connector',
    operationId: 'searchConnectedAccounts',
    basis: 'promised',
    cites: ['search.connectors'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ query: { query: given.connector.toUpperCase().slice(0, 3), page_size: 30 } }),
    status: 200,
    body: ({ given }) => ({ connected_accounts: including({ connector: given.connector }) }),
  }),
  define({
    name: 'The text is found in a provider',
    operationId: 'searchConnectedAccounts',
    basis: 'promised',
    cites: ['search.providers'],
    needs: ['control'],
    // The provider of this account of the default scenario is TICKET_DESK:..., its connector is helpdesk.
    send: () => ({ query: { query: 'ticket_desk' } }),
    status: 200,
    body: { connected_accounts: [{ id: 'ca_100000000000000007' }] },
  }),
  define({
    name: 'A text of three characters is long enough, one of two is not',
    operationId: 'searchConnectedAccounts',
    basis: 'promised',
    cites: ['search.shortest', 'search.400'],
    send: () => ({ query: { query: 'abc' } }),
    status: 200,
    afterwards: [{ send: () => ({ query: { query: 'ab' } }), status: 400, violates: 'query' }],
  }),
  define({
    name: 'A search without a text is refused',
    operationId: 'searchConnectedAccounts',
    basis: 'promised',
    cites: ['search.400'],
    send: () => ({}),
    status: 400,
    violates: 'query',
  }),
  define({
    name: 'connection_id narrows the search; an unknown one matches nothing',
    operationId: 'searchConnectedAccounts',
    basis: 'inferred',
    cites: ['A1'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: ({ given, connection }) => ({
      query: {
        query: given.identifier,
        connection_id:
          connection(({ key_id }) => key_id === given.connector, 'the connection of the account').id ?? '',
      },
    }),
    status: 200,
    body: { total_size: 1 },
    afterwards: [
      {
        send: ({ given }) => ({
          query: { query: given.identifier, connection_id: 'conn_999999999999999999' },
        }),
        status: 200,
        body: { connected_accounts: [], total_size: 0 },
      },
    ],
  }),
  define({
    name: 'A search has pages like a list',
    operationId: 'searchConnectedAccounts',
    basis: 'promised',
    cites: ['search.200'],
    needs: ['write'],
    arrange: async (session) => {
      await anAccount('OAUTH')(session);
      return anAccount('API_KEY')(session);
    },
    send: ({ given }) => ({ query: { query: given.identifier, page_size: 1 } }),
    status: 200,
    body: { next_page_token: someText, prev_page_token: '', total_size: 2 },
    afterwards: [
      {
        send: ({ given, last }) => ({
          query: { query: given.identifier, page_size: 1, page_token: textAt(last.body, 'next_page_token') },
        }),
        status: 200,
        body: ({ given }) => ({
          connected_accounts: [{ id: given.id }],
          next_page_token: '',
          prev_page_token: someText,
        }),
      },
    ],
  }),
  define({
    name: 'A page token of a list is none of a search',
    operationId: 'searchConnectedAccounts',
    basis: 'inferred',
    cites: ['I4'],
    needs: ['write'],
    arrange: async (session) => {
      const { identifier } = await anAccount('OAUTH')(session);
      await anAccount('API_KEY')(session);
      const list = await session.obtain('listConnectedAccounts', { query: { identifier, page_size: 1 } });
      return { identifier, page_token: textAt(list, 'next_page_token') };
    },
    send: ({ given }) => ({ query: { query: given.identifier, page_token: given.page_token } }),
    status: 400,
    violates: 'page_token',
  }),
];
