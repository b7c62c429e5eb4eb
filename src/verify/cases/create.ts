/** Creating connected accounts: what is stored, and which kinds there are. */
import { type AccountType, CREDENTIALS } from '../arrange.ts';
import { type Case, define } from '../case.ts';
import { absent, aText, aTime, not, someText } from '../pattern.ts';
import type { Context } from '../session.ts';

const AUTHORIZATION_TYPES: Readonly<Record<AccountType, string>> = {
  OAUTH: 'OAUTH',
  OAUTH_M2M: 'OAUTH_M2M',
  VENDORA_OAUTH1: 'VENDORA_OAUTH1',
  SMART_FHIR: 'SMART_FHIR',
  API_KEY: 'API_KEY',
  BASIC: 'BASIC',
  BEARER: 'BEARER_TOKEN',
  VENDORB_DWD: 'VENDORB_DWD',
  TRUSTED_IDP: 'TRUSTED_IDP',
  NO_AUTH: 'NO_AUTH',
};

const TYPES = Object.keys(AUTHORIZATION_TYPES) as AccountType[]; // the keys that the type names

/** The body of a create for a pair of its own. */
const pairOf = (type: AccountType, { connector, unique }: Context) => ({
  connector: connector(type),
  identifier: `${unique}@conformance.test`,
});

const withCredentials = (type: AccountType, authorization_details: object) => (context: Context) => ({
  body: { ...pairOf(type, context), connected_account: { authorization_details } },
});

const statusByType = (type: AccountType): Case =>
  define({
    name: `A connector of type ${type} gives accounts of ${AUTHORIZATION_TYPES[type]}: ${type === 'NO_AUTH' ? 'ACTIVE without credentials' : 'ACTIVE with credentials, PENDING_AUTH without'}`,
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A5', 'A6'],
    needs: ['write'],
    send: (context) => ({
      body: {
        ...pairOf(type, context),
        ...(CREDENTIALS[type] && { connected_account: { authorization_details: CREDENTIALS[type] } }),
      },
    }),
    status: 201,
    body: { connected_account: { authorization_type: AUTHORIZATION_TYPES[type], status: 'ACTIVE' } },
    afterwards:
      type === 'NO_AUTH'
        ? []
        : [
            {
              send: (context) => ({
                body: { ...pairOf(type, context), identifier: `${context.unique}@pending.test` },
              }),
              status: 201,
              body: { connected_account: { status: 'PENDING_AUTH', authorization_details: absent } },
            },
          ],
  });

const WITHOUT_SECRETS = {
  connected_account: {
    authorization_details: {
      trusted_idp: { db_user: 'conformance', secret_access_key: absent, session_token: absent },
    },
  },
};

export const CREATE_CASES = [
  define({
    name: 'A created account is given back in full, with the credentials that came with it',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['create.201', 'create.api_config', 'create.authorization_details', 'account.id', 'errors.201'],
    needs: ['write'],
    send: (context) => ({
      body: {
        ...pairOf('OAUTH', context),
        connected_account: { api_config: { folder: 'inbox' }, authorization_details: CREDENTIALS.OAUTH },
      },
    }),
    status: 201,
    body: ({ unique }) => ({
      connected_account: {
        id: aText(/^ca_/),
        identifier: `${unique}@conformance.test`,
        connection_id: someText,
        api_config: { folder: 'inbox' },
        authorization_details: CREDENTIALS.OAUTH,
      },
    }),
  }),
  define({
    name: 'Credentials and configuration may be left out',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['create.optional'],
    needs: ['write'],
    send: (context) => ({ body: pairOf('OAUTH', context) }),
    status: 201,
    body: { connected_account: { id: aText(/^ca_/) } },
  }),
  ...TYPES.map(statusByType),
  define({
    name: 'The connector of the account is the key_id of the connection, however it was written',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A3', 'I6'],
    needs: ['write'],
    send: (context) => ({
      body: { ...pairOf('API_KEY', context), connector: context.connector('API_KEY').toUpperCase() },
    }),
    status: 201,
    body: ({ connector }) => ({ connected_account: { connector: connector('API_KEY') } }),
  }),
  define({
    name: 'Empty credentials count as none',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A5', 'A6'],
    needs: ['write'],
    send: withCredentials('OAUTH', {}),
    status: 201,
    body: { connected_account: { status: 'PENDING_AUTH' } },
    afterwards: [
      {
        send: (context) => ({
          body: {
            ...pairOf('API_KEY', context),
            connected_account: { authorization_details: { static_auth: { details: {} } } },
          },
        }),
        status: 201,
        body: { connected_account: { status: 'PENDING_AUTH' } },
      },
    ],
  }),
  define({
    name: 'Members of a delegation that only replies hold are minted by the server, whatever was sent',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['vendorb_dwd.sent', 'A5', 'A6'],
    needs: ['write'],
    send: withCredentials('VENDORB_DWD', {
      vendorb_dwd: { subject: 'someone', access_token: 'made-up-by-the-caller' },
    }),
    status: 201,
    body: {
      connected_account: {
        authorization_details: {
          vendorb_dwd: {
            subject: 'someone',
            access_token: not('made-up-by-the-caller'),
            token_expires_at: aTime,
          },
        },
      },
    },
  }),
  define({
    name: 'The secret parts of a trusted identity are in no reply',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['trusted_idp.secret_access_key', 'trusted_idp.session_token', 'A5'],
    needs: ['write'],
    send: withCredentials('TRUSTED_IDP', CREDENTIALS.TRUSTED_IDP),
    status: 201,
    body: WITHOUT_SECRETS,
  }),
  define({
    name: 'The secret parts of a trusted identity are in no reply, even if the caller sent them',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A5'],
    needs: ['write'],
    send: withCredentials('TRUSTED_IDP', {
      trusted_idp: {
        db_user: 'conformance',
        secret_access_key: 'canary-secret-key',
        session_token: 'canary-session',
      },
    }),
    status: 201,
    body: WITHOUT_SECRETS,
  }),
  define({
    name: 'A trusted identity gets a temporary key that ends',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['trusted_idp.access_key_id', 'trusted_idp.expiry', 'A6'],
    needs: ['write'],
    send: withCredentials('TRUSTED_IDP', CREDENTIALS.TRUSTED_IDP),
    status: 201,
    body: {
      connected_account: {
        authorization_details: { trusted_idp: { access_key_id: someText, expiry: aTime } },
      },
    },
  }),
  define({
    name: 'A serverless workgroup needs no database user',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['trusted_idp.serverless', 'A6'],
    needs: ['write', 'control'],
    send: ({ unique }) => ({
      body: {
        connector: 'lakehouse',
        identifier: unique,
        connected_account: { authorization_details: { trusted_idp: {} } },
      },
    }),
    status: 201,
    body: {
      connected_account: {
        status: 'ACTIVE',
        authorization_details: { trusted_idp: { access_key_id: someText } },
      },
    },
  }),
  define({
    name: 'Credentials that a caller brings have no end',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write'],
    send: withCredentials('OAUTH', CREDENTIALS.OAUTH),
    status: 201,
    body: { connected_account: { token_expires_at: absent } },
  }),
  define({
    name: 'The provider of an account is the provider_key of its connection in upper case',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['A8', 'A10'],
    needs: ['write'],
    send: (context) => ({ body: pairOf('OAUTH', context) }),
    status: 201,
    body: ({ connector, connection }) => ({
      connected_account: {
        provider: String(
          connection(({ key_id }) => key_id === connector('OAUTH'), 'the connection').provider_key,
        ).toUpperCase(),
      },
    }),
  }),
];
