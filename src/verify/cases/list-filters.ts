/** The filters of lists of connected accounts. */
import { anAccount, twoAccounts } from '../arrange.ts';
import { valueAt } from '../call.ts';
import { define } from '../case.ts';
import { including, ofLength } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const NONE = { connected_accounts: [], next_page_token: '', prev_page_token: '', total_size: 0 };

export const LIST_FILTER_CASES = [
  define({
    name: 'The filters by organization, user, connector, provider and identifier must all hold',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: [
      'create.organization_id',
      'create.user_id',
      'list.organization',
      'list.user',
      'list.connector',
      'list.provider',
      'list.identifier',
      'A1',
      'I6',
    ],
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
    send: () => ({ query: { organization_id: 'acme.test' } }),
    status: 400,
    violates: 'organization_id',
    afterwards: [{ send: () => ({ query: { user_id: 'ada@acme.test' } }), status: 400, violates: 'user_id' }],
  }),
  define({
    name: 'A created account is found by the id of its organization',
    operationId: 'listConnectedAccounts',
    basis: 'inferred',
    cites: ['create.organization_id', 'A1'],
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
