/** Lists of connected accounts: items, order, pages. */
import { anAccount, twoAccounts } from '../arrange.ts';
import { textAt } from '../call.ts';
import { define } from '../case.ts';
import { absent, aText, atLeast, listOf, someText } from '../pattern.ts';

const ofBoth = ({ given }: { given: { identifier: string } }) => ({
  identifier: given.identifier,
  page_size: 1,
});

export const LIST_CASES = [
  define({
    name: 'A list has accounts without their credentials, a page token to each side and the count over all pages',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['list.without_credentials', 'list.next_page_token', 'list.prev_page_token', 'list.total_size'],
    send: () => ({}),
    status: 200,
    body: {
      connected_accounts: listOf({ id: aText(/^ca_/), authorization_details: absent, api_config: absent }),
      next_page_token: aText(/^/),
      prev_page_token: '',
      total_size: atLeast(0),
    },
  }),
  define({
    name: 'An item shows the ten fields of the description and no api_config',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['list.without_credentials', 'A1'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { api_config: { folder: 'inbox' } }),
    send: ({ given }) => ({ query: { identifier: given.identifier } }),
    status: 200,
    body: ({ given }) => ({
      connected_accounts: [
        {
          id: given.id,
          connector: given.connector,
          identifier: given.identifier,
          connection_id: someText,
          provider: someText,
          authorization_type: 'OAUTH',
          status: 'ACTIVE',
          updated_at: someText,
          api_config: absent,
          authorization_details: absent,
        },
      ],
    }),
  }),
  define({
    name: 'A page token leads on, the last page has none, and prev_page_token leads back',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: [
      'list.page_token',
      'list.next_page_token',
      'list.last_page',
      'list.prev_page_token',
      'list.first_page',
      'list.total_size',
      'I4',
    ],
    needs: ['write'],
    arrange: twoAccounts,
    send: (scope) => ({ query: ofBoth(scope) }),
    status: 200,
    body: ({ given }) => ({
      connected_accounts: [{ id: given.first.id }],
      next_page_token: someText,
      prev_page_token: '',
      total_size: 2,
    }),
    afterwards: [
      {
        send: (scope) => ({
          query: { ...ofBoth(scope), page_token: textAt(scope.last.body, 'next_page_token') },
        }),
        status: 200,
        body: ({ given }) => ({
          connected_accounts: [{ id: given.second.id }],
          next_page_token: '',
          prev_page_token: someText,
          total_size: 2,
        }),
      },
      {
        send: (scope) => ({
          query: { ...ofBoth(scope), page_token: textAt(scope.last.body, 'prev_page_token') },
        }),
        status: 200,
        body: ({ given }) => ({ connected_accounts: [{ id: given.first.id }], prev_page_token: '' }),
      },
    ],
  }),
  define({
    name: 'A page token holds its filters: one that is left out counts still, and page_size may change',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['I4'],
    needs: ['write'],
    arrange: twoAccounts,
    send: (scope) => ({ query: ofBoth(scope) }),
    status: 200,
    afterwards: [
      {
        send: ({ last }) => ({ query: { page_token: textAt(last.body, 'next_page_token'), page_size: 50 } }),
        status: 200,
        body: ({ given }) => ({ connected_accounts: [{ id: given.second.id }], total_size: 2 }),
      },
    ],
  }),
  define({
    name: 'A page token with another filter is refused',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['I4'],
    needs: ['write'],
    arrange: twoAccounts,
    send: (scope) => ({ query: ofBoth(scope) }),
    status: 200,
    afterwards: [
      {
        send: ({ last }) => ({
          query: { page_token: textAt(last.body, 'next_page_token'), identifier: 'another' },
        }),
        status: 400,
        violates: 'identifier',
      },
    ],
  }),
  define({
    name: 'A page is stable: a row removed from it afterwards makes the next one neither skip nor repeat',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['I4'],
    needs: ['write'],
    arrange: twoAccounts,
    send: (scope) => ({ query: ofBoth(scope) }),
    status: 200,
    afterwards: [
      {
        send: ({ given, last }) => ({
          query: {
            identifier: given.identifier,
            page_token: textAt(last.body, 'next_page_token'),
            page_size: 1,
          },
        }),
        status: 200,
        body: ({ given }) => ({ connected_accounts: [{ id: given.second.id }] }),
      },
      {
        operationId: 'deleteConnectedAccount',
        send: ({ given }) => ({ body: { id: given.second.id } }),
        status: 200,
      },
      {
        send: ({ given }) => ({ query: { identifier: given.identifier } }),
        status: 200,
        body: ({ given }) => ({ connected_accounts: [{ id: given.first.id }], total_size: 1 }),
      },
    ],
  }),
  define({
    name: 'A page token that cannot be read is refused',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['list.400', 'I4'],
    send: () => ({ query: { page_token: 'no token of any list' } }),
    status: 400,
    violates: 'page_token',
  }),
  define({
    name: 'A new account stands behind the older ones',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['I4'],
    needs: ['write'],
    arrange: twoAccounts,
    send: ({ given }) => ({ query: { identifier: given.identifier } }),
    status: 200,
    body: ({ given }) => ({ connected_accounts: [{ id: given.first.id }, { id: given.second.id }] }),
  }),
];
