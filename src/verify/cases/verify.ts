/** Confirming the user who gave consent. */
import { aConsent, advance, CREDENTIALS, ofPair, VERIFY_URL } from '../arrange.ts';
import { textAt } from '../call.ts';
import { define } from '../case.ts';
import { aText, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';
import type { Session } from '../session.ts';

const verification = ({ given }: { given: { authRequestId: string; identifier: string } }) => ({
  body: { auth_request_id: given.authRequestId, identifier: given.identifier },
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

export const VERIFY_CASES = [
  define({
    name: 'The identifier that was asked for makes the account ACTIVE and the pending tokens live',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['verify.200', 'verify.active', 'states.verified', 'states.tokens_live', 'states.redirect', 'V6'],
    needs: ['write', 'person'],
    arrange: aConsent,
    send: (scope) => verification(scope),
    status: 200,
    body: { post_user_verify_redirect_url: aText(/^https?:\/\//) },
    afterwards: [
      {
        operationId: 'getConnectedAccountAuth',
        send: (scope) => ({ query: ofPair(scope.given) }),
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
    cites: ['verify.403', 'errors.403', 'V6'],
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
    cites: ['verify.403', 'V6'],
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
    cites: ['verify.consumed', 'V6'],
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
    cites: ['verify.404'],
    send: () => ({ body: { auth_request_id: UNKNOWN.authRequest, identifier: 'nobody' } }),
    status: 404,
  }),
  define({
    name: 'auth_request_id and identifier are required',
    operationId: 'verifyConnectedAccountUser',
    basis: 'promised',
    cites: ['verify.auth_request_id_required', 'verify.identifier_required'],
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
    cites: ['verify.400', 'I2'],
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
        send: (scope) => ({ query: ofPair(scope.given) }),
        status: 200,
        body: { connected_account: { status: 'PENDING_AUTH' } },
      },
    ],
  }),
];
