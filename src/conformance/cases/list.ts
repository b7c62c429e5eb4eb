/** Lists of connected accounts: pages, filters, order. */

import { anAccount } from '../arrange.ts';
import { textAt, valueAt } from '../call.ts';
import { define } from '../case.ts';
import { absent, aText, atLeast, including, listOf, ofLength, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';
import type { Session } from '../session.ts';

/** Two accounts with one identifier, so that a list of this identifier has two pages of one. */
const twoAccounts = async (session: Session) => {
  const first = await anAccount('OAUTH')(session);
  const second = await anAccount('API_KEY')(session);
  return { identifier: first.identifier, first, second };
};

const NONE = { connected_accounts: [], next_page_token: '', prev_page_token: '', total_size: 0 };

const ofBoth = ({ given }: { given: { identifier: string } }) => ({
  identifier: given.identifier,
  page_size: 1,
});

export const LIST_CASES = [
  define({
    name: 'A list has accounts without their credentials, a page token to each side and the count over all pages',
    operationId: 'listConnectedAccounts',
    basis: 'promised',
    cites: ['List'],
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
    cites: ['List', 'A1'],
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
    cites: ['List', 'I4'],
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
    cites: ['List', 'I4'],
    send: () => ({ query: { page_token: 'no token of any list' } }),
    status: 400,
    violates: 'page_token',
  }),
  define({
    name: 'The filters by organization, user, connector, provider and identifier must all hold',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['List', 'A1', 'I6'],
    needs: ['write', 'organization', 'user'],
    arrange: async (session) => {
      const [organization_id, user_id] = [session.organizationId, session.userId];
      const [connector, identifier] = [session.connector('API_KEY'), `${session.unique}@conformance.test`];
      const body = { connector, identifier, organization_id, user_id };
      const made = await session.obtain('createConnectedAccount', { body }, 201);
      const provider = String(valueAt(made, 'connected_account', 'provider'));
      return { organization_id, user_id, connector, identifier, provider };
    },
    send: ({ given }) => ({ query: given }),
    status: 200,
    body: ({ given }) => ({ connected_accounts: [{ identifier: given.identifier }], total_size: 1 }),
    afterwards: [
      {
        send: ({ given }) => ({ query: { ...given, organization_id: UNKNOWN.organization } }),
        status: 200,
        body: NONE,
      },
      { send: ({ given }) => ({ query: { ...given, user_id: UNKNOWN.user } }), status: 200, body: NONE },
      {
        send: ({ given }) => ({ query: { ...given, connector: UNKNOWN.connector } }),
        status: 200,
        body: NONE,
      },
      { send: ({ given }) => ({ query: { ...given, provider: 'CONFORMANCE' } }), status: 200, body: NONE },
      { send: ({ given }) => ({ query: { ...given, identifier: 'another' } }), status: 200, body: NONE },
    ],
  }),
  define({
    name: 'The connector compares in any case, the identifier exactly',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['I6'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: ({ given }) => ({
      query: { connector: given.connector.toUpperCase(), identifier: given.identifier },
    }),
    status: 200,
    body: { total_size: 1 },
    afterwards: [
      {
        send: ({ given }) => ({ query: { identifier: given.identifier.toUpperCase() } }),
        status: 200,
        body: NONE,
      },
    ],
  }),
  define({
    name: 'The list takes the search text too',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['A1'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: ({ given }) => ({ query: { query: given.identifier.toUpperCase() } }),
    status: 200,
    body: ({ given }) => ({ connected_accounts: [{ id: given.id }] }),
  }),
  define({
    name: 'connection_names gives the accounts of each connection named',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['A1'],
    needs: ['write'],
    arrange: twoAccounts,
    send: ({ given }) => ({
      query: {
        identifier: given.identifier,
        connection_names: [given.first.connector, given.second.connector],
      },
    }),
    status: 200,
    body: { connected_accounts: ofLength(2) },
    afterwards: [
      {
        send: ({ given }) => ({
          query: { identifier: given.identifier, connection_names: given.second.connector },
        }),
        status: 200,
        body: ({ given }) => ({ connected_accounts: [{ id: given.second.id }] }),
      },
    ],
  }),
  define({
    name: 'connection_names together with connector is refused',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['A1'],
    send: ({ connector }) => ({
      query: { connector: connector('OAUTH'), connection_names: connector('OAUTH') },
    }),
    status: 400,
    violates: 'connection_names',
  }),
  define({
    name: 'A name in connection_names that no connection has is not found',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['A1'],
    send: () => ({ query: { connection_names: UNKNOWN.connector } }),
    status: 404,
  }),
  define({
    name: 'An id that is malformed is refused, also as a filter',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['I2'],
    send: () => ({ query: { organization_id: 'acme' } }),
    status: 400,
    violates: 'organization_id',
    afterwards: [{ send: () => ({ query: { user_id: 'usr_1' } }), status: 400, violates: 'user_id' }],
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
  define({
    name: 'A created account is found by the id of its organization',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['List', 'A1'],
    needs: ['write', 'organization'],
    arrange: async (session) => {
      const pair = { connector: session.connector('API_KEY'), identifier: session.unique };
      await session.obtain(
        'createConnectedAccount',
        { body: { ...pair, organization_id: session.organizationId } },
        201,
      );
      return pair;
    },
    send: ({ organizationId, given }) => ({
      query: { organization_id: organizationId, connector: given.connector, page_size: 100 },
    }),
    status: 200,
    body: ({ given }) => ({ connected_accounts: including({ identifier: given.identifier }) }),
  }),
];
