/** Updating connected accounts. */
import { act, advance, anAccount, CREDENTIALS } from '../arrange.ts';
import { define } from '../case.ts';
import { absent, not } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

export const UPDATE_CASES = [
  define({
    name: 'api_config merges member by member: what is not sent stays',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['update.api_config', 'A7'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { api_config: { folder: 'inbox', depth: 1 } }),
    send: ({ given }) => ({
      body: { id: given.id, connected_account: { api_config: { depth: 2, added: true } } },
    }),
    status: 200,
    body: { connected_account: { api_config: { folder: 'inbox', depth: 2, added: true } } },
  }),
  define({
    name: 'api_config merges at its top level alone',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['A7'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { api_config: { deep: { one: 1, two: 2 } } }),
    send: ({ given }) => ({
      body: { id: given.id, connected_account: { api_config: { deep: { two: 3 } } } },
    }),
    status: 200,
    body: { connected_account: { api_config: { deep: { one: absent, two: 3 } } } },
  }),
  define({
    name: 'Of the credentials only the members that are sent change',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['update.authorization_details', 'A7'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({
      body: {
        id: given.id,
        connected_account: { authorization_details: { oauth_token: { access_token: 'newer-access-token' } } },
      },
    }),
    status: 200,
    body: {
      connected_account: {
        authorization_details: {
          oauth_token: { ...CREDENTIALS.OAUTH.oauth_token, access_token: 'newer-access-token' },
        },
      },
    },
  }),
  define({
    name: 'The reply holds the account in full, with its credentials',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['update.200'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: ({ given: { connector, identifier } }) => ({
      body: { connector, identifier, connected_account: { api_config: { a: 1 } } },
    }),
    status: 200,
    body: ({ given }) => ({
      connected_account: { id: given.id, authorization_details: CREDENTIALS.API_KEY },
    }),
  }),
  define({
    name: 'Usable credentials make a PENDING_AUTH account ACTIVE',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['A7'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { credentials: null }),
    send: ({ given }) => ({
      body: { id: given.id, connected_account: { authorization_details: CREDENTIALS.OAUTH } },
    }),
    status: 200,
    body: { connected_account: { status: 'ACTIVE' } },
  }),
  define({
    name: 'Credentials can be added to an account that was created without',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['create.later'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { credentials: null }),
    send: ({ given }) => ({
      body: { id: given.id, connected_account: { authorization_details: CREDENTIALS.OAUTH } },
    }),
    status: 200,
    afterwards: [
      {
        operationId: 'getConnectedAccountAuth',
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 200,
        body: { connected_account: { authorization_details: CREDENTIALS.OAUTH } },
      },
    ],
  }),
  define({
    name: 'Configuration alone leaves the status',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['A7'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { credentials: null }),
    send: ({ given }) => ({ body: { id: given.id, connected_account: { api_config: { folder: 'inbox' } } } }),
    status: 200,
    body: { connected_account: { status: 'PENDING_AUTH' } },
  }),
  define({
    name: 'An update without connected_account changes nothing, not even updated_at',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['A7'],
    needs: ['write', 'control'],
    arrange: anAccount('OAUTH'),
    meanwhile: [advance('1h')],
    send: ({ given }) => ({ body: { id: given.id } }),
    status: 200,
    body: ({ given }) => ({
      connected_account: { updated_at: given.updatedAt, authorization_details: CREDENTIALS.OAUTH },
    }),
  }),
  define({
    name: 'updated_at moves on a change of the configuration',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['account.updated_by_configuration', 'A7'],
    needs: ['write', 'control'],
    arrange: anAccount('OAUTH'),
    meanwhile: [advance('1h')],
    send: ({ given }) => ({ body: { id: given.id, connected_account: { api_config: { folder: 'inbox' } } } }),
    status: 200,
    body: ({ given }) => ({ connected_account: { updated_at: not(given.updatedAt) } }),
  }),
  define({
    name: 'Credentials make even a DISCONNECTED account ACTIVE',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['A7'],
    needs: ['write', 'control'],
    arrange: anAccount('OAUTH'),
    meanwhile: [act('disconnect')],
    send: ({ given }) => ({
      body: { id: given.id, connected_account: { authorization_details: CREDENTIALS.OAUTH } },
    }),
    status: 200,
    body: { connected_account: { status: 'ACTIVE' } },
  }),
  define({
    name: 'An update without an account named is refused',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['update.400', 'A2'],
    send: () => ({ body: { connected_account: { api_config: {} } } }),
    status: 400,
    violates: 'id',
  }),
  define({
    name: 'An update of an account that does not exist is not found',
    operationId: 'updateConnectedAccount',
    basis: 'promised',
    cites: ['update.404', 'A3'],
    send: () => ({ body: { id: UNKNOWN.account, connected_account: {} } }),
    status: 404,
    afterwards: [
      { send: () => ({ body: { connector: UNKNOWN.connector, identifier: 'nobody' } }), status: 404 },
    ],
  }),
  define({
    name: 'An update with credentials of another kind is refused',
    operationId: 'updateConnectedAccount',
    basis: 'inferred',
    cites: ['A5'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: ({ given }) => ({
      body: { id: given.id, connected_account: { authorization_details: CREDENTIALS.OAUTH } },
    }),
    status: 400,
  }),
];
