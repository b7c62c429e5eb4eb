/** Confirming the user who gave consent. */
import { type Case, group, inferred, promised } from '../case.ts';
import { aConsent, CREDENTIALS, VERIFY_URL } from '../given.ts';
import { textAt } from '../http.ts';
import { aText, someText } from '../pattern.ts';
import { UNKNOWN } from '../samples.ts';

export const VERIFY_USER_CASES: readonly Case[] = [
  ...group({ about: 'verifyConnectedAccountUser', needs: ['write', 'person'] }, [
    promised(
      'The identifier that was asked for makes the account ACTIVE and the pending tokens live',
      ['V6'],
      async (api) => {
        const consent = await aConsent(api);
        await api
          .verify(consent.authRequestId, consent.identifier)
          .succeeds({ post_user_verify_redirect_url: aText(/^https?:\/\//) });
        await api.auth(consent).shows({
          status: 'ACTIVE',
          authorization_details: { oauth_token: { access_token: someText } },
        });
      },
    ),
    promised('Another identifier is forbidden, and the request stays open', ['V6'], async (api) => {
      const { authRequestId, identifier } = await aConsent(api);
      await api.verify(authRequestId, 'somebody@else.test').answers(403, { error: 'PERMISSION_DENIED' });
      await api.verify(authRequestId, identifier).succeeds();
    }),
    promised('The identifier compares exactly, letter case included', ['V6'], async (api) => {
      const { authRequestId, identifier } = await aConsent(api);
      await api.verify(authRequestId, identifier.toUpperCase()).answers(403, { error: 'PERMISSION_DENIED' });
    }),
    promised('A request that was consumed is not found', ['V6'], async (api) => {
      const { authRequestId, identifier } = await aConsent(api);
      await api.verify(authRequestId, identifier).succeeds();
      await api.verify(authRequestId, identifier).isMissing();
    }),
    inferred('A match ends the other open requests of the account', ['V6'], async (api) => {
      const { connector, identifier, authRequestId } = await aConsent(api);
      const made = await api.obtain('createMagicLink', {
        body: { connector, identifier, user_verify_url: VERIFY_URL },
      });
      const { body } = await api.open(textAt(made, 'link'), 'approve').leadsTo({});
      await api.verify(authRequestId, identifier).succeeds();
      await api.verify(textAt(body, 'query', 'auth_request_id'), identifier).isMissing();
    }),
    inferred('Usable credentials by an update end the open requests', ['V6', 'A7'], async (api) => {
      const consent = await aConsent(api);
      await api.update(consent, { authorization_details: CREDENTIALS.OAUTH }).succeeds();
      await api.verify(consent.authRequestId, consent.identifier).isMissing();
    }),
  ]),
  ...group({ about: 'verifyConnectedAccountUser', needs: ['write', 'control'] }, [
    inferred(
      'A request ends after ten minutes, and the account has the status it had before consent',
      ['V6'],
      async (api) => {
        const consent = await aConsent(api);
        await api.mock.advance('10m');
        await api.verify(consent.authRequestId, consent.identifier).isMissing();
        await api.details(consent).shows({ status: 'PENDING_AUTH' });
      },
    ),
  ]),
  ...group({ about: 'verifyConnectedAccountUser' }, [
    promised('An auth_request_id that was never given out is not found', [], (api) =>
      api.verify(UNKNOWN.authRequest, 'nobody').isMissing(),
    ),
    promised('auth_request_id and identifier are required', [], async (api) => {
      await api.send({ body: { identifier: 'nobody' } }).isRefused('auth_request_id');
      await api.send({ body: { auth_request_id: UNKNOWN.authRequest } }).isRefused('identifier');
    }),
    promised('An auth_request_id that is no base64url is malformed', ['I2'], (api) =>
      api.verify('not/base64url==', 'nobody').isRefused('auth_request_id'),
    ),
  ]),
];
