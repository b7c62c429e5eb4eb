/** Cases about authorization links: a user approves or denies a link, and the application then verifies the user. */
import { type Case, inferred, promised, reading, writing } from '../case.ts';
import { textAt } from '../client.ts';
import { absent, aText, aTime, someText } from '../matchers.ts';
import { UNKNOWN } from '../samples.ts';
import type { Service } from '../service.ts';
import {
  aConsent,
  account,
  aLink,
  anAccount,
  auth,
  CREDENTIALS,
  details,
  update,
  VERIFY_URL,
  verify,
} from './setup.ts';

const makeLink = (service: Service, body: object, expected = {}) =>
  service.call('createMagicLink', { body: { user_verify_url: VERIFY_URL, ...body } }, expected);

const LINKED = ['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER'] as const;
const UNLINKED = ['VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const;

const MAKING = writing(
  'createMagicLink',
  promised('Creating a link returns its URL and the time when it expires', [], (service) => {
    const body = { link: aText(/^https?:\/\//), expiry: aTime };
    return makeLink(service, { ...service.pair('OAUTH'), state: 'opaque' }, { body });
  }),
  ...LINKED.map((type) =>
    inferred(`A link can be created for a ${type} connection`, ['V2'], (service) =>
      makeLink(service, service.pair(type)),
    ),
  ),
  ...UNLINKED.map((type) =>
    inferred(
      `Creating a link for a ${type} connection is refused, because no user has to authorize it`,
      ['V2'],
      (service) => service.refuses('createMagicLink', { body: service.pair(type) }, 'connector'),
    ),
  ),
  inferred(
    'Creating a link does not change an ACTIVE account, and creates a missing account as PENDING_AUTH',
    ['V1'],
    async (service) => {
      const { id, updatedAt } = await anAccount(service, 'OAUTH');
      await makeLink(service, { id });
      await details(service, { id }, account({ status: 'ACTIVE', updated_at: updatedAt }));
      const { pair } = await aLink(service, 'API_KEY');
      await details(service, pair, account({ status: 'PENDING_AUTH' }));
    },
  ),
);

const REFUSING = reading(
  'createMagicLink',
  promised('Creating a link for an unknown connector is refused', ['A3'], (service) =>
    service.refuses(
      'createMagicLink',
      { body: { connector: UNKNOWN.connector, identifier: 'nobody' } },
      'connector',
    ),
  ),
  inferred(
    'Creating a link is refused if user_verify_url is not an http or https address',
    ['I5'],
    (service) => {
      const body = { id: UNKNOWN.account, user_verify_url: 'javascript:alert(1)' };
      return service.refuses('createMagicLink', { body }, 'user_verify_url');
    },
  ),
);

const DECIDING = writing(
  'createMagicLink',
  promised(
    'Approving a link sends the user to user_verify_url with auth_request_id and state',
    ['V3'],
    async (service) => {
      const state = 'a state & more';
      const { link, pair } = await aLink(service, 'OAUTH', { user_verify_url: VERIFY_URL, state });
      const query = { kept: 'yes', state, auth_request_id: aText(/^[A-Za-z0-9_-]{43,}$/) };
      await service.open(link, 'approve', { body: { location: 'https://client.test/verified', query } });
      await auth(service, pair, account({ status: 'PENDING_VERIFICATION', authorization_details: absent }));
    },
  ),
  inferred(
    'Denying a link sends the user to user_verify_url with an error, and the account stays PENDING_AUTH',
    ['V3'],
    async (service) => {
      const { link, pair } = await aLink(service, 'OAUTH', { user_verify_url: VERIFY_URL, state: 'opaque' });
      const query = { error: 'access_denied', error_description: someText, state: 'opaque' };
      await service.open(link, 'deny', { body: { query: { ...query, auth_request_id: absent } } });
      await details(service, pair, account({ status: 'PENDING_AUTH' }));
    },
  ),
  inferred(
    'Entering credentials on the page of a link makes the account ACTIVE without verification',
    ['V2', 'V5'],
    async (service) => {
      const { link, pair } = await aLink(service, 'API_KEY', {
        user_verify_url: VERIFY_URL,
        state: 'opaque',
      });
      const query = { state: 'opaque', auth_request_id: absent };
      await service.open(link, 'approve', { body: { query } });
      await details(service, pair, account({ status: 'ACTIVE' }));
    },
  ),
  inferred(
    'Approving a link without user_verify_url makes the account ACTIVE at once',
    ['V4'],
    async (service) => {
      const { link, pair } = await aLink(service, 'OAUTH', {});
      await service.open(link, 'approve');
      await details(service, pair, account({ status: 'ACTIVE' }));
    },
  ),
  inferred(
    'After an account is deleted, its link and its open verification request answer 404',
    ['A9', 'V2', 'V6'],
    async (service) => {
      const { pair, authRequestId } = await aConsent(service);
      const { body } = await makeLink(service, pair);
      await service.call('deleteConnectedAccount', { body: pair });
      await service.open(textAt(body, 'link'), 'approve', { status: 404 });
      await verify(service, authRequestId, pair.identifier, 404);
    },
  ),
);

const VERIFYING = writing(
  'verifyConnectedAccountUser',
  promised(
    'Verifying with the right identifier makes the account ACTIVE with tokens; a second attempt answers 404',
    ['V6'],
    async (service) => {
      const { pair, authRequestId } = await aConsent(service);
      const body = { post_user_verify_redirect_url: aText(/^https?:\/\//) };
      await verify(service, authRequestId, pair.identifier, { body });
      const oauth_token = { access_token: someText };
      await auth(service, pair, account({ status: 'ACTIVE', authorization_details: { oauth_token } }));
      await verify(service, authRequestId, pair.identifier, 404);
    },
  ),
  promised(
    'Verifying with another identifier, or with other letter case, answers 403',
    ['V6'],
    async (service) => {
      const { pair, authRequestId } = await aConsent(service);
      const forbidden = { status: 403, error: 'PERMISSION_DENIED' } as const;
      await verify(service, authRequestId, 'somebody@else.test', forbidden);
      await verify(service, authRequestId, pair.identifier.toUpperCase(), forbidden);
      await verify(service, authRequestId, pair.identifier);
    },
  ),
  inferred(
    'After an update with usable credentials, the open verification request of the account answers 404',
    ['V6', 'A7'],
    async (service) => {
      const { pair, authRequestId } = await aConsent(service);
      const { body } = await details(service, pair);
      const id = textAt(body, 'connected_account', 'id');
      await update(service, id, { authorization_details: CREDENTIALS.OAUTH });
      await verify(service, authRequestId, pair.identifier, 404);
    },
  ),
);

const MALFORMED = reading(
  'verifyConnectedAccountUser',
  promised(
    'Verifying accepts an auth_request_id that ends in =, and refuses an auth_request_id that is not base64url',
    ['I2'],
    async (service) => {
      const body = { auth_request_id: 'not/base64url', identifier: 'nobody' };
      await service.refuses('verifyConnectedAccountUser', { body }, 'auth_request_id');
      await verify(service, `${UNKNOWN.authRequest}==`, 'nobody', 404);
    },
  ),
);

export const LINK_FLOWS: readonly Case[] = [...MAKING, ...REFUSING, ...DECIDING, ...VERIFYING, ...MALFORMED];
