/** Authorization links: for whom there is one. */
import { type AccountType, aLink, anAccount, ofPair, VERIFY_URL } from '../arrange.ts';
import { type Case, define } from '../case.ts';
import { aText, aTime } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

const linkByType = (type: AccountType): Case =>
  define({
    name: `A connector of type ${type} has a link`,
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V2'],
    needs: ['write'],
    send: ({ connector, unique }) => ({
      body: { connector: connector(type), identifier: unique, user_verify_url: VERIFY_URL },
    }),
    status: 200,
    body: { link: aText(/^https?:/) },
  });

const noLinkByType = (type: AccountType): Case =>
  define({
    name: `A connector of type ${type} needs no user, so it has no link`,
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V2'],
    needs: ['write'],
    send: ({ connector, unique }) => ({
      body: { connector: connector(type), identifier: unique, user_verify_url: VERIFY_URL },
    }),
    status: 400,
    violates: 'connector',
  });

/** Two consents of one user for one account: both wait to be verified. */

export const LINK_CASES = [
  define({
    name: 'A link for a user comes with its address and its end',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['link.link', 'link.expiry'],
    needs: ['write'],
    send: ({ connector, unique }) => ({
      body: {
        connector: connector('OAUTH'),
        identifier: unique,
        user_verify_url: VERIFY_URL,
        state: 'opaque',
      },
    }),
    status: 200,
    body: { link: aText(/^https?:\/\//), expiry: aTime },
  }),
  ...(['OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER'] as const).map(linkByType),
  ...(['VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const).map(noLinkByType),
  define({
    name: 'A link for a pair that has no account makes one in PENDING_AUTH',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['V1'],
    needs: ['write'],
    arrange: aLink('OAUTH'),
    send: (scope) => ({ query: ofPair(scope.given) }),
    status: 200,
    body: { connected_account: { status: 'PENDING_AUTH' } },
  }),
  define({
    name: 'A link for an ACTIVE account leaves it ACTIVE',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V1'],
    needs: ['write'],
    arrange: anAccount('OAUTH'),
    send: ({ given }) => ({ body: { id: given.id, user_verify_url: VERIFY_URL } }),
    status: 200,
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: ({ given }) => ({ query: { id: given.id } }),
        status: 200,
        body: ({ given }) => ({ connected_account: { status: 'ACTIVE', updated_at: given.updatedAt } }),
      },
    ],
  }),
  define({
    name: 'A link without an account named is refused',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['link.400', 'A2'],
    send: () => ({ body: { user_verify_url: VERIFY_URL } }),
    status: 400,
    afterwards: [{ send: () => ({ body: { connector: 'mail' } }), status: 400, violates: 'identifier' }],
  }),
  define({
    name: 'A link for an invalid connector is refused',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['link.invalid_connector', 'A3'],
    send: ({ unique }) => ({
      body: { connector: UNKNOWN.connector, identifier: unique, user_verify_url: VERIFY_URL },
    }),
    status: 400,
    violates: 'connector',
  }),
  define({
    name: 'A link for an account, an organization or a user that does not exist is not found',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['A2', 'I2'],
    needs: ['write'],
    send: () => ({ body: { id: UNKNOWN.account, user_verify_url: VERIFY_URL } }),
    status: 404,
    afterwards: [
      {
        send: ({ connector, unique }) => ({
          body: { connector: connector('OAUTH'), identifier: unique, organization_id: UNKNOWN.organization },
        }),
        status: 404,
      },
      {
        send: ({ connector, unique }) => ({
          body: { connector: connector('OAUTH'), identifier: unique, user_id: UNKNOWN.user },
        }),
        status: 404,
      },
    ],
  }),
  define({
    name: 'A disabled connection has no links',
    operationId: 'createMagicLink',
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
    name: 'user_verify_url is an http or https address',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['I5'],
    send: () => ({ body: { id: UNKNOWN.account, user_verify_url: 'javascript:alert(1)' } }),
    status: 400,
    violates: 'user_verify_url',
  }),
  define({
    name: 'Where verification is demanded, a link without user_verify_url is refused',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V4'],
    needs: ['write', 'control'],
    arrange: ({ control }) => control.change({ user_verification: 'strict' }),
    send: ({ connector, unique }) => ({ body: { connector: connector('OAUTH'), identifier: unique } }),
    status: 400,
    violates: 'user_verify_url',
  }),
];
