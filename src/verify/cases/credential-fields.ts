/** What the description says of the credentials that accounts hold. */
import { type AccountType, anAccount, CREDENTIALS } from '../arrange.ts';
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { absent, aTime, not, someOf, someText } from '../pattern.ts';
import type { Context } from '../session.ts';

const byId = ({ given }: { given: { id: string } }) => ({ query: { id: given.id } });

const creating = (type: AccountType, authorization_details: object) => (context: Context) => ({
  body: {
    connector: context.connector(type),
    identifier: context.unique,
    connected_account: { authorization_details },
  },
});

const OAUTH_TOKEN = {
  access_token: 'conformance-access-token',
  refresh_token: 'conformance-refresh-token',
  domain: 'conformance.test',
  scopes: ['one', 'two'],
};
const DETAILS = { key: 'conformance-key', nested: { of: ['any', 'form'] } };

const credentialCase = (
  name: string,
  type: AccountType,
  sent: object,
  { cites, pattern }: Fields,
  kind: string,
): Case =>
  define({
    name,
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: [...cites, 'account.authorization_details'],
    needs: ['write'],
    send: creating(type, sent),
    status: 201,
    body: { connected_account: { authorization_details: { [kind]: pattern } } },
  });

export const CREDENTIAL_FIELD_CASES = [
  define({
    name: 'An account holds one kind of credentials and no other',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['credentials.one'],
    needs: ['write'],
    send: creating('OAUTH', CREDENTIALS.OAUTH),
    status: 201,
    body: {
      connected_account: {
        authorization_details: {
          oauth_token: {},
          static_auth: absent,
          vendorb_dwd: absent,
          trusted_idp: absent,
        },
      },
    },
  }),
  credentialCase(
    'Tokens are kept with their domain and scopes',
    'OAUTH',
    { oauth_token: OAUTH_TOKEN },
    fieldsOf('oauth_token', OAUTH_TOKEN),
    'oauth_token',
  ),
  credentialCase(
    'Other credentials are kept in whatever form they have',
    'API_KEY',
    { static_auth: { details: DETAILS } },
    fieldsOf('static_auth', { details: DETAILS }),
    'static_auth',
  ),
  credentialCase(
    'A delegation has its subject and a token that ends',
    'VENDORB_DWD',
    CREDENTIALS.VENDORB_DWD,
    fieldsOf('vendorb_dwd', {
      subject: 'conformance@delegated.test',
      access_token: someText,
      scopes: someOf(someText),
      token_expires_at: aTime,
    }),
    'vendorb_dwd',
  ),
  credentialCase(
    'A trusted identity has its database user and a temporary key that ends',
    'TRUSTED_IDP',
    CREDENTIALS.TRUSTED_IDP,
    fieldsOf('trusted_idp', { db_user: 'conformance', access_key_id: someText, expiry: aTime }),
    'trusted_idp',
  ),
  define({
    name: 'A provisioned cluster is not usable without a database user',
    operationId: 'createConnectedAccount',
    basis: 'inferred',
    cites: ['trusted_idp.provisioned', 'A6'],
    needs: ['write', 'control'],
    send: ({ unique }) => ({
      body: {
        connector: 'warehouse',
        identifier: unique,
        connected_account: { authorization_details: { trusted_idp: {} } },
      },
    }),
    status: 201,
    body: { connected_account: { status: 'PENDING_AUTH' } },
  }),
  define({
    name: 'A temporary key that a caller sends is not the one that is given out',
    operationId: 'createConnectedAccount',
    basis: 'promised',
    cites: ['trusted_idp.sent'],
    needs: ['write'],
    send: creating('TRUSTED_IDP', { trusted_idp: { db_user: 'conformance', access_key_id: 'made-up' } }),
    status: 201,
    body: {
      connected_account: { authorization_details: { trusted_idp: { access_key_id: not('made-up') } } },
    },
  }),
  define({
    name: 'The temporary key of a trusted identity is kept from one read to the next',
    operationId: 'getConnectedAccountAuth',
    basis: 'inferred',
    cites: ['trusted_idp.cached', 'A6'],
    needs: ['write'],
    arrange: anAccount('TRUSTED_IDP'),
    send: byId,
    status: 200,
    afterwards: [
      {
        send: byId,
        status: 200,
        body: ({ last }) => ({
          connected_account: {
            authorization_details: {
              trusted_idp: {
                access_key_id: textAt(
                  last.body,
                  'connected_account',
                  'authorization_details',
                  'trusted_idp',
                  'access_key_id',
                ),
              },
            },
          },
        }),
      },
    ],
  }),
];
