/** One account: with its credentials, and without. */
import { aConsent, anAccount, CREDENTIALS } from '../arrange.ts';
import { define } from '../case.ts';
import { absent, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const READS = ['getConnectedAccountAuth', 'getConnectedAccountDetails'] as const;

const readBy = (operationId: (typeof READS)[number], promises: 'auth' | 'details') => [
  define({
    name: `${operationId} without an account named is refused`,
    operationId,
    basis: 'promised',
    cites: [`${promises}.400`, 'A2'],
    send: () => ({}),
    status: 400,
    violates: 'id',
    afterwards: [
      { send: () => ({ query: { connector: 'mail' } }), status: 400, violates: 'identifier' },
      { send: () => ({ query: { identifier: 'nobody' } }), status: 400, violates: 'connector' },
    ],
  }),
  define({
    name: `${operationId} of an account that does not exist is not found`,
    operationId,
    basis: 'promised',
    cites: [`${promises}.404`],
    send: () => ({ query: { id: UNKNOWN.account } }),
    status: 404,
    afterwards: [
      { send: () => ({ query: { connector: UNKNOWN.connector, identifier: 'nobody' } }), status: 404 },
    ],
  }),
  define({
    name: `${operationId} takes the id, or connector and identifier`,
    operationId,
    basis: 'inferred',
    cites: ['A2'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ query: { id: given.id } }),
    status: 200,
    body: ({ given }) => ({ connected_account: { id: given.id } }),
    afterwards: [
      {
        send: ({ given: { connector, identifier } }) => ({ query: { connector, identifier } }),
        status: 200,
        body: ({ given }) => ({ connected_account: { id: given.id } }),
      },
    ],
  }),
  define({
    name: `${operationId} with both goes by the id`,
    operationId,
    basis: 'inferred',
    cites: ['A2'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ query: { id: given.id, connector: UNKNOWN.connector, identifier: 'nobody' } }),
    status: 200,
    body: ({ given }) => ({ connected_account: { id: given.id } }),
  }),
  define({
    name: `${operationId} with the wrong owner is not found`,
    operationId,
    basis: 'inferred',
    cites: ['A2'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ query: { id: given.id, organization_id: UNKNOWN.organization } }),
    status: 404,
    afterwards: [{ send: ({ given }) => ({ query: { id: given.id, user_id: UNKNOWN.user } }), status: 404 }],
  }),
  define({
    name: `${operationId} refuses an id that is malformed`,
    operationId,
    basis: 'inferred',
    cites: ['I2'],
    send: () => ({ query: { id: 'account-1' } }),
    status: 400,
    violates: 'id',
  }),
];

export const READ_CASES = [
  ...readBy('getConnectedAccountAuth', 'auth'),
  ...readBy('getConnectedAccountDetails', 'details'),
  define({
    name: 'The credentials of an account are given out in full',
    operationId: 'getConnectedAccountAuth',
    basis: 'promised',
    cites: ['auth.200'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ query: { id: given.id } }),
    status: 200,
    body: { connected_account: { authorization_details: CREDENTIALS.OAUTH } },
  }),
  define({
    name: 'Details show the configuration and no credentials',
    operationId: 'getConnectedAccountDetails',
    basis: 'promised',
    cites: ['details.200', 'A10'],
    needs: ['write'],
    arrange: anAccount('API_KEY', { api_config: { region: 'north' } }),
    send: ({ given }) => ({ query: { id: given.id } }),
    status: 200,
    body: { connected_account: { api_config: { region: 'north' }, authorization_details: absent } },
  }),
  define({
    name: 'An account without credentials answers with its status and without authorization_details',
    operationId: 'getConnectedAccountAuth',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { credentials: null }),
    send: ({ given }) => ({ query: { id: given.id } }),
    status: 200,
    body: {
      connected_account: { status: 'PENDING_AUTH', authorization_details: absent, last_used_at: absent },
    },
  }),
  define({
    name: 'Handing out credentials sets last_used_at, details do not',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ query: { id: given.id } }),
    status: 200,
    body: { connected_account: { last_used_at: absent } },
    afterwards: [
      {
        operationId: 'getConnectedAccountAuth',
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 200,
      },
      {
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 200,
        body: { connected_account: { last_used_at: someText } },
      },
    ],
  }),
  define({
    name: 'Tokens of a consent that nobody verified can be read nowhere',
    operationId: 'getConnectedAccountAuth',
    basis: 'inferred',
    cites: ['V3'],
    needs: ['write', 'person'],
    arrange: aConsent,
    send: ({ given: { connector, identifier } }) => ({ query: { connector, identifier } }),
    status: 200,
    body: { connected_account: { status: 'PENDING_VERIFICATION', authorization_details: absent } },
  }),
];
