/** How accounts age: tokens end, are refreshed, and are cut off by the third party (behaviour A8). */
import { aConsent, act, advance, anAccount } from '../arrange.ts';
import { textAt } from '../call.ts';
import { define } from '../case.ts';
import { absent, not, someText } from '../pattern.ts';
import type { Session } from '../session.ts';

/** An account whose tokens come from consent, so that they end after an hour. */
const consented = async (session: Session) => {
  const { connector, identifier, authRequestId } = await aConsent(session);
  await session.obtain('verifyConnectedAccountUser', {
    body: { auth_request_id: authRequestId, identifier },
  });
  const account = await session.obtain('getConnectedAccountDetails', { query: { connector, identifier } });
  return {
    id: textAt(account, 'connected_account', 'id'),
    endsAt: textAt(account, 'connected_account', 'token_expires_at'),
  };
};

interface Aging {
  readonly id: string;
}

const byId = ({ given }: { given: Aging }) => ({ query: { id: given.id } });

export const EXPIRY_CASES = [
  define({
    name: 'A token that the provider refreshes is renewed when it is asked for after its end',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write', 'control'],
    arrange: consented,
    meanwhile: [advance('61m')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'ACTIVE' } },
    afterwards: [
      {
        operationId: 'getConnectedAccountAuth',
        send: byId,
        status: 200,
        body: ({ given }) => ({
          connected_account: {
            status: 'ACTIVE',
            token_expires_at: not(given.endsAt),
            authorization_details: { oauth_token: { access_token: someText } },
          },
        }),
      },
    ],
  }),
  define({
    name: 'A token that the provider does not refresh is EXPIRED from its end on, in every answer',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['A8', 'T9'],
    needs: ['write', 'control'],
    arrange: consented,
    meanwhile: [act('revoke'), advance('61m')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'EXPIRED' } },
    afterwards: [
      {
        operationId: 'getConnectedAccountAuth',
        send: byId,
        status: 200,
        body: { connected_account: { status: 'EXPIRED' } },
      },
    ],
  }),
  define({
    name: 'Until its end such an account is ACTIVE',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write', 'control'],
    arrange: consented,
    meanwhile: [act('revoke'), advance('59m')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'ACTIVE' } },
  }),
  define({
    name: 'An account that is expired is EXPIRED now, whenever its token would have ended',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write', 'control'],
    arrange: anAccount('OAUTH'),
    meanwhile: [act('expire')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'EXPIRED' } },
  }),
  define({
    name: 'Granting refresh again makes an expired account that can be refreshed ACTIVE',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write', 'control'],
    arrange: anAccount('OAUTH'),
    meanwhile: [act('expire'), act('grant')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'ACTIVE' } },
  }),
  define({
    name: 'Even an API key can be expired',
    operationId: 'getConnectedAccountDetails',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write', 'control'],
    arrange: anAccount('API_KEY'),
    meanwhile: [act('expire')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'EXPIRED' } },
  }),
  define({
    name: 'A disconnected account answers with its status and hands out nothing',
    operationId: 'getConnectedAccountAuth',
    basis: 'inferred',
    cites: ['A8'],
    needs: ['write', 'control'],
    arrange: anAccount('OAUTH'),
    meanwhile: [act('disconnect')],
    send: byId,
    status: 200,
    body: { connected_account: { status: 'DISCONNECTED', authorization_details: absent } },
  }),
];
