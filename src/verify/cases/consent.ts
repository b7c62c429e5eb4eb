/** What a user decides on an authorization link, and how long there is time to. */
import { advance, aLink, ofPair, VERIFY_URL } from '../arrange.ts';
import { define } from '../case.ts';
import { absent, aText, someText } from '../pattern.ts';

export const CONSENT_CASES = [
  define({
    name: 'Approving leads to user_verify_url with auth_request_id and state added, and the rest of it kept',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['link.state', 'link.user_verify_url', 'verify.auth_request_id', 'V3'],
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
        send: (scope) => ({ query: ofPair(scope.given) }),
        status: 200,
        body: { connected_account: { status: 'PENDING_VERIFICATION' } },
      },
    ],
  }),
  define({
    name: 'Without a state the redirect has none',
    operationId: 'createMagicLink',
    basis: 'promised',
    cites: ['link.state_optional'],
    needs: ['write', 'person'],
    arrange: aLink('OAUTH'),
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 302,
    body: { query: { auth_request_id: someText, state: absent } },
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
        send: (scope) => ({ query: ofPair(scope.given) }),
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
    cites: ['link.ends', 'V1', 'V2'],
    needs: ['write', 'control'],
    arrange: aLink('OAUTH'),
    meanwhile: [advance('15m')],
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 410,
  }),
  define({
    name: 'At the very instant of its end a link has ended',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['T9', 'V1'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      await session.control.freeze();
      const link = await aLink('OAUTH')(session);
      await session.control.advance('15m');
      return link;
    },
    send: ({ given }) => ({ follow: { link: given.link, decision: 'approve' } }),
    status: 410,
  }),
  define({
    name: 'Opening a link approves at once where the hosted mode says so',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['V5'],
    needs: ['write', 'control'],
    arrange: async (session) => {
      await session.control.change({ hosted: 'approve' });
      return aLink('OAUTH')(session);
    },
    send: ({ given }) => ({ follow: { link: given.link } }),
    status: 302,
    body: { query: { auth_request_id: someText } },
  }),
  define({
    name: 'A link lasts until then',
    operationId: 'createMagicLink',
    basis: 'inferred',
    cites: ['link.ends', 'V1'],
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
    send: (scope) => ({ query: ofPair(scope.given) }),
    status: 200,
    body: { connected_account: { status: 'ACTIVE' } },
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
        send: (scope) => ({ query: ofPair(scope.given) }),
        status: 200,
        body: { connected_account: { status: 'ACTIVE' } },
      },
    ],
  }),
];
