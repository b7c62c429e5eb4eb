/** Accounts that are not created. */
import { type AccountType, anAccount, CREDENTIALS } from '../arrange.ts';
import { define } from '../case.ts';
import { UNKNOWN } from '../samples.ts';
import type { Context } from '../session.ts';

/** The body of a create for a pair of its own. */
const pairOf = (type: AccountType, { connector, unique }: Context) => ({
  connector: connector(type),
  identifier: `${unique}@conformance.test`,
});

const withCredentials = (type: AccountType, authorization_details: object) => (context: Context) => ({
  body: { ...pairOf(type, context), connected_account: { authorization_details } },
});

export const CREATE_REFUSAL_CASES = [
  define({
    name: 'A second create of the pair conflicts and changes nothing',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['create.409', 'errors.409', 'A4'],
    needs: ['write'],
    arrange: anAccount('OAUTH', { api_config: { folder: 'inbox' } }),
    send: ({ given: { connector, identifier } }) => ({
      body: { connector, identifier, connected_account: { api_config: { folder: 'other' } } },
    }),
    status: 409,
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 200,
        body: ({ given }) => ({
          connected_account: {
            status: 'ACTIVE',
            api_config: { folder: 'inbox' },
            updated_at: given.updatedAt,
          },
        }),
      },
    ],
  }),
  define({
    name: 'The connector of a pair compares in any case, also for the conflict',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A4', 'I6'],
    needs: ['write'],
    arrange: anAccount('API_KEY'),
    send: ({ given }) => ({
      body: { connector: given.connector.toUpperCase(), identifier: given.identifier },
    }),
    status: 409,
  }),
  define({
    name: 'An unknown connector is refused',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A3'],
    send: ({ unique }) => ({ body: { connector: UNKNOWN.connector, identifier: unique } }),
    status: 400,
    violates: 'connector',
  }),
  define({
    name: 'A connector takes letters, digits, spaces, hyphens, underscores and colons only',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['account.connector_characters', 'I5'],
    send: ({ unique }) => ({ body: { connector: 'no/such*connector', identifier: unique } }),
    status: 400,
    violates: 'connector',
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: ({ unique }) => ({ query: { connector: 'Az 09-_:', identifier: unique } }),
        status: 404,
      },
    ],
  }),
  define({
    name: 'A connection that signs users in is no connector',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A3'],
    send: ({ unique, connection }) => ({
      body: {
        connector: connection(({ type }) => type === 'OIDC' || type === 'SAML', 'a sign-in connection')
          .key_id,
        identifier: unique,
      },
    }),
    status: 400,
    violates: 'connector',
  }),
  define({
    name: 'A disabled connection takes no accounts',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['R1'],
    needs: ['write'],
    send: ({ unique, connection }) => ({
      body: {
        connector: connection((one) => one.type === 'OAUTH' && !one.enabled, 'a disabled OAUTH connection')
          .key_id,
        identifier: unique,
      },
    }),
    status: 403,
    error: 'CONNECTION_NOT_ENABLED',
  }),
  define({
    name: 'A connection that is not COMPLETED takes no accounts',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['R1'],
    needs: ['write'],
    send: ({ unique, connection }) => ({
      body: {
        connector: connection(
          (one) => one.type === 'OAUTH' && one.status === 'DRAFT',
          'an OAUTH connection in DRAFT',
        ).key_id,
        identifier: unique,
      },
    }),
    status: 403,
    error: 'CONNECTION_NOT_ENABLED',
  }),
  define({
    name: 'An organization or a user that does not exist is not found',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['I2'],
    needs: ['write'],
    send: (context) => ({ body: { ...pairOf('OAUTH', context), organization_id: UNKNOWN.organization } }),
    status: 404,
    afterwards: [
      { send: (context) => ({ body: { ...pairOf('OAUTH', context), user_id: UNKNOWN.user } }), status: 404 },
    ],
  }),
  define({
    name: 'An account needs a connector and an identifier; all that is missing is named at once',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['create.400', 'R1'],
    send: () => ({ body: {} }),
    status: 400,
    violates: 'connector',
    body: {
      details: [
        { validation_error_info: { field_violations: [{ field: 'connector' }, { field: 'identifier' }] } },
      ],
    },
  }),
  define({
    name: 'A member of the wrong type is refused',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['create.400'],
    send: ({ unique }) => ({
      body: { connector: UNKNOWN.connector, identifier: unique, connected_account: { api_config: 'text' } },
    }),
    status: 400,
  }),
  define({
    name: 'Credentials of another kind than the connection has are refused',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A5'],
    needs: ['write'],
    send: withCredentials('OAUTH', CREDENTIALS.API_KEY),
    status: 400,
    afterwards: [
      { send: withCredentials('API_KEY', CREDENTIALS.OAUTH), status: 400 },
      { send: withCredentials('NO_AUTH', CREDENTIALS.API_KEY), status: 400 },
    ],
  }),
  define({
    name: 'Two kinds of credentials at once are refused',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A5'],
    needs: ['write'],
    send: withCredentials('OAUTH', { ...CREDENTIALS.OAUTH, ...CREDENTIALS.API_KEY }),
    status: 400,
  }),
];
