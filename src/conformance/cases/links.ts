/** Authorization links, what the user decides on them, and confirming the user. */
import {
  type AccountType,
  aConsent,
  advance,
  aLink,
  anAccount,
  CREDENTIALS,
  VERIFY_URL,
} from '../arrange.ts';
import { textAt } from '../call.ts';
import { type Case, define } from '../case.ts';
import { absent, aText, aTime, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';
import type { Session } from '../session.ts';

const pairOf = ({ given }: { given: { connector: string; identifier: string } }) => ({
  connector: given.connector,
  identifier: given.identifier,
});

const verification = ({ given }: { given: { authRequestId: string; identifier: string } }) => ({
  body: { auth_request_id: given.authRequestId, identifier: given.identifier },
});

const linkByType = (type: AccountType): Case =>
  define({
    name: `A connector of type ${type} has a link`,
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['Magic link', 'V2'],
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
const twoConsents = async (session: Session) => {
  const { connector, identifier, authRequestId } = await aConsent(session);
  const body = await session.obtain('createMagicLink', {
    body: { connector, identifier, user_verify_url: VERIFY_URL },
  });
  const redirect = await session.obtain(
    'createMagicLink',
    { follow: { link: textAt(body, 'link'), decision: 'approve' } },
    302,
  );
  return { connector, identifier, authRequestId, second: textAt(redirect, 'query', 'auth_request_id') };
};

export const LINK_CASES = [
  define({
    name: 'A link for a user comes with its address and its end',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['Magic link', 'Limits'],
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
    send: (scope) => ({ query: pairOf(scope) }),
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
    cites: ['Magic link', 'A2'],
    send: () => ({ body: { user_verify_url: VERIFY_URL } }),
    status: 400,
    afterwards: [{ send: () => ({ body: { connector: 'mail' } }), status: 400, violates: 'identifier' }],
  }),
  define({
    name: 'A link for an invalid connector is refused',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['Magic link', 'A3'],
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
    name: 'Approving leads to user_verify_url with auth_request_id and state added, and the rest of it kept',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['Magic link', 'Verify user', 'V3'],
    needs: ['write', 'person'],
    arrange: aLink('OAUTH', { user_verify_url: VERIFY_URL, state: 'a state & more' }),
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 302,
    body: {
      location: 'https://client.test/verified',
      query: { kept: 'yes', state: 'a state & more', auth_request_id: aText(/^[A-Za-z0-9_-]{43,}$/) },
    },
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: (scope) => ({ query: pairOf(scope) }),
        status: 200,
        body: { connected_account: { status: 'PENDING_VERIFICATION' } },
      },
    ],
  }),
  define({
    name: 'Denying leads to user_verify_url with an error, and the status stays',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V3'],
    needs: ['write', 'person'],
    arrange: aLink('OAUTH', { user_verify_url: VERIFY_URL, state: 'opaque' }),
    send: ({ given }) => ({ follow: { link: given.link, decision: 'deny' } }),
    status: 302,
    body: {
      query: {
        error: 'access_denied',
        error_description: someText,
        state: 'opaque',
        auth_request_id: absent,
      },
    },
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: (scope) => ({ query: pairOf(scope) }),
        status: 200,
        body: { connected_account: { status: 'PENDING_AUTH' } },
      },
    ],
  }),
  define({
    name: 'A link is used once',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V1', 'V2'],
    needs: ['write', 'person'],
    arrange: aLink('OAUTH'),
    send: ({ given }) => ({ follow: { link: given.link, decision: 'deny' } }),
    status: 302,
    afterwards: [
      { send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }), status: 410 },
    ],
  }),
  define({
    name: 'A link ends after 15 minutes',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['Magic link', 'V1', 'V2'],
    needs: ['write', 'control'],
    arrange: aLink('OAUTH'),
    meanwhile: [advance('15m')],
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 410,
  }),
  define({
    name: 'A link lasts until then',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['Magic link', 'V1'],
    needs: ['write', 'control'],
    arrange: aLink('OAUTH'),
    meanwhile: [advance('14m')],
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 302,
  }),
  define({
    name: 'The link of a deleted account is gone',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['A9', 'V2'],
    needs: ['write', 'person'],
    arrange: aLink('OAUTH'),
    meanwhile: [
      (session, { connector, identifier }) =>
        session.obtain('deleteConnectedAccount', { body: { connector, identifier } }),
    ],
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 404,
  }),
  define({
    name: 'Without user_verify_url consent makes the account ACTIVE at once',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['V4'],
    needs: ['write', 'person'],
    arrange: aLink('OAUTH', {}),
    meanwhile: [
      (session, { link }) =>
        session.obtain('createMagicLink', { follow: { link, decision: 'approve' } }, 302),
    ],
    send: (scope) => ({ query: pairOf(scope) }),
    status: 200,
    body: { connected_account: { status: 'ACTIVE' } },
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
  define({
    name: 'The credential form makes an account ACTIVE with no verify step',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V2', 'V5'],
    needs: ['write', 'person'],
    arrange: aLink('API_KEY', { user_verify_url: VERIFY_URL, state: 'opaque' }),
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 302,
    body: { location: 'https://client.test/verified', query: { state: 'opaque', auth_request_id: absent } },
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: (scope) => ({ query: pairOf(scope) }),
        status: 200,
        body: { connected_account: { status: 'ACTIVE' } },
      },
    ],
  }),
];

export const VERIFY_CASES = [
  define({
    name: 'The identifier that was asked for makes the account ACTIVE and the pending tokens live',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['Verify user', 'States and transitions', 'V6'],
    needs: ['write', 'person'],
    arrange: aConsent,
    send: (scope) => verification(scope),
    status: 200,
    body: { post_user_verify_redirect_url: aText(/^https?:\/\//) },
    afterwards: [
      {
        operationId: 'getConnectedAccountAuth',
        send: (scope) => ({ query: pairOf(scope) }),
        status: 200,
        body: {
          connected_account: {
            status: 'ACTIVE',
            authorization_details: { oauth_token: { access_token: someText } },
          },
        },
      },
    ],
  }),
  define({
    name: 'Another identifier is forbidden, and the request stays open',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['Verify user', 'Errors', 'V6'],
    needs: ['write', 'person'],
    arrange: aConsent,
    send: ({ given }) => ({
      body: { auth_request_id: given.authRequestId, identifier: 'somebody@else.test' },
    }),
    status: 403,
    error: 'PERMISSION_DENIED',
    afterwards: [{ send: (scope) => verification(scope), status: 200 }],
  }),
  define({
    name: 'The identifier compares exactly, letter case included',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['States and transitions', 'V6'],
    needs: ['write', 'person'],
    arrange: aConsent,
    send: ({ given }) => ({
      body: { auth_request_id: given.authRequestId, identifier: given.identifier.toUpperCase() },
    }),
    status: 403,
    error: 'PERMISSION_DENIED',
  }),
  define({
    name: 'A request that was consumed is not found',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['Verify user', 'V6'],
    needs: ['write', 'person'],
    arrange: aConsent,
    send: (scope) => verification(scope),
    status: 200,
    afterwards: [{ send: (scope) => verification(scope), status: 404 }],
  }),
  define({
    name: 'An auth_request_id that nobody was given is not found',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['Verify user'],
    send: () => ({ body: { auth_request_id: UNKNOWN.authRequest, identifier: 'nobody' } }),
    status: 404,
  }),
  define({
    name: 'auth_request_id and identifier are required',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['Verify user'],
    send: () => ({ body: { identifier: 'nobody' } }),
    status: 400,
    violates: 'auth_request_id',
    afterwards: [
      {
        send: () => ({ body: { auth_request_id: UNKNOWN.authRequest } }),
        status: 400,
        violates: 'identifier',
      },
    ],
  }),
  define({
    name: 'An auth_request_id that is no base64url is malformed',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['Verify user', 'I2'],
    send: () => ({ body: { auth_request_id: 'not/base64url==', identifier: 'nobody' } }),
    status: 400,
    violates: 'auth_request_id',
  }),
  define({
    name: 'A match ends the other open requests of the account',
    operationId: 'verifyConnectedAccountUser',
    basis: 'inferred',
    cites: ['V6'],
    needs: ['write', 'person'],
    arrange: twoConsents,
    send: (scope) => verification(scope),
    status: 200,
    afterwards: [
      {
        send: ({ given }) => ({ body: { auth_request_id: given.second, identifier: given.identifier } }),
        status: 404,
      },
    ],
  }),
  define({
    name: 'Usable credentials by an update end the open requests',
    operationId: 'verifyConnectedAccountUser',
    basis: 'inferred',
    cites: ['V6', 'A7'],
    needs: ['write', 'person'],
    arrange: aConsent,
    meanwhile: [
      (session, { connector, identifier }) =>
        session.obtain('updateConnectedAccount', {
          body: { connector, identifier, connected_account: { authorization_details: CREDENTIALS.OAUTH } },
        }),
    ],
    send: (scope) => verification(scope),
    status: 404,
  }),
  define({
    name: 'A request ends after ten minutes, and the account has the status it had before consent',
    operationId: 'verifyConnectedAccountUser',
    basis: 'inferred',
    cites: ['V6'],
    needs: ['write', 'control'],
    arrange: aConsent,
    meanwhile: [advance('10m')],
    send: (scope) => verification(scope),
    status: 404,
    afterwards: [
      {
        operationId: 'getConnectedAccountDetails',
        send: (scope) => ({ query: pairOf(scope) }),
        status: 200,
        body: { connected_account: { status: 'PENDING_AUTH' } },
      },
    ],
  }),
];
