/** Cases about authorization links: a user approves or denies a link, and the application then verifies the user. */
import { type Case, reading, test, writing } from '../case.ts';
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
  test('Creating a link returns its URL and the time when it expires', (service) => {
    const body = { link: aText(/^https?:\/\//), expiry: aTime };
    return makeLink(service, { ...service.pair('OAUTH'), state: 'opaque' }, { body });
  }).promised(),
  ...LINKED.map((type) =>
    test(`A link can be created for a ${type} connection`, (service) =>
      makeLink(service, service.pair(type))).inferred('V2'),
  ),
  ...UNLINKED.map((type) =>
    test(`Creating a link for a ${type} connection is refused, because no user has to authorize it`, (service) =>
      service.refuses('createMagicLink', { body: service.pair(type) }, 'connector')).inferred('V2'),
  ),
  test('Creating a link does not change an ACTIVE account, and creates a missing account as PENDING_AUTH', async (service) => {
    const { id, updatedAt } = await anAccount(service, 'OAUTH');
    await makeLink(service, { id });
    await details(service, { id }, account({ status: 'ACTIVE', updated_at: updatedAt }));
    const { pair } = await aLink(service, 'API_KEY');
    await details(service, pair, account({ status: 'PENDING_AUTH' }));
  }).inferred('V1'),
);

const REFUSING = reading(
  'createMagicLink',
  test('Creating a link for an unknown connector is refused', (service) =>
    service.refuses(
      'createMagicLink',
      { body: { connector: UNKNOWN.connector, identifier: 'nobody' } },
      'connector',
    )).promised('A3'),
  test('Creating a link is refused if user_verify_url is not an http or https address', (service) => {
    const body = { id: UNKNOWN.account, user_verify_url: 'javascript:alert(1)' };
    return service.refuses('createMagicLink', { body }, 'user_verify_url');
  }).inferred('I5'),
);

const DECIDING = writing(
  'createMagicLink',
  test('Approving a link sends the user to user_verify_url with auth_request_id and state', async (service) => {
    const state = 'a state & more';
    const { link, pair } = await aLink(service, 'OAUTH', { user_verify_url: VERIFY_URL, state });
    const query = { kept: 'yes', state, auth_request_id: aText(/^[A-Za-z0-9_-]{43,}$/) };
    await service.open(link, 'approve', { body: { location: 'https://client.test/verified', query } });
    await auth(service, pair, account({ status: 'PENDING_VERIFICATION', authorization_details: absent }));
  }).promised('V3'),
  test('Denying a link sends the user to user_verify_url with an error, and the account stays PENDING_AUTH', async (service) => {
    const { link, pair } = await aLink(service, 'OAUTH', { user_verify_url: VERIFY_URL, state: 'opaque' });
    const query = { error: 'access_denied', error_description: someText, state: 'opaque' };
    await service.open(link, 'deny', { body: { query: { ...query, auth_request_id: absent } } });
    await details(service, pair, account({ status: 'PENDING_AUTH' }));
  }).inferred('V3'),
  test('Entering credentials on the page of a link makes the account ACTIVE without verification', async (service) => {
    const { link, pair } = await aLink(service, 'API_KEY', {
      user_verify_url: VERIFY_URL,
      state: 'opaque',
    });
    const query = { state: 'opaque', auth_request_id: absent };
    await service.open(link, 'approve', { body: { query } });
    await details(service, pair, account({ status: 'ACTIVE' }));
  }).inferred('V2', 'V5'),
  test('Approving a link without user_verify_url makes the account ACTIVE at once', async (service) => {
    const { link, pair } = await aLink(service, 'OAUTH', {});
    await service.open(link, 'approve');
    await details(service, pair, account({ status: 'ACTIVE' }));
  }).inferred('V4'),
  test('After an account is deleted, its link and its open verification request answer 404', async (service) => {
    const { pair, authRequestId } = await aConsent(service);
    const { body } = await makeLink(service, pair);
    await service.call('deleteConnectedAccount', { body: pair });
    await service.open(textAt(body, 'link'), 'approve', { status: 404 });
    await verify(service, authRequestId, pair.identifier, 404);
  }).inferred('A9', 'V2', 'V6'),
);

const VERIFYING = writing(
  'verifyConnectedAccountUser',
  test('Verifying with the right identifier makes the account ACTIVE with tokens; a second attempt answers 404', async (service) => {
    const { pair, authRequestId } = await aConsent(service);
    const body = { post_user_verify_redirect_url: aText(/^https?:\/\//) };
    await verify(service, authRequestId, pair.identifier, { body });
    const oauth_token = { access_token: someText };
    await auth(service, pair, account({ status: 'ACTIVE', authorization_details: { oauth_token } }));
    await verify(service, authRequestId, pair.identifier, 404);
  }).promised('V6'),
  test('Verifying with another identifier, or with other letter case, answers 403', async (service) => {
    const { pair, authRequestId } = await aConsent(service);
    const forbidden = { status: 403, error: 'PERMISSION_DENIED' } as const;
    await verify(service, authRequestId, 'somebody@else.test', forbidden);
    await verify(service, authRequestId, pair.identifier.toUpperCase(), forbidden);
    await verify(service, authRequestId, pair.identifier);
  }).promised('V6'),
  test('After an update with usable credentials, the open verification request of the account answers 404', async (service) => {
    const { pair, authRequestId } = await aConsent(service);
    const { body } = await details(service, pair);
    const id = textAt(body, 'connected_account', 'id');
    await update(service, id, { authorization_details: CREDENTIALS.OAUTH });
    await verify(service, authRequestId, pair.identifier, 404);
  }).inferred('V6', 'A7'),
);

const MALFORMED = reading(
  'verifyConnectedAccountUser',
  test('Verifying accepts an auth_request_id that ends in =, and refuses an auth_request_id that is not base64url', async (service) => {
    const body = { auth_request_id: 'not/base64url', identifier: 'nobody' };
    await service.refuses('verifyConnectedAccountUser', { body }, 'auth_request_id');
    await verify(service, `${UNKNOWN.authRequest}==`, 'nobody', 404);
  }).promised('I2'),
);

export const LINK_FLOWS: readonly Case[] = [...MAKING, ...REFUSING, ...DECIDING, ...VERIFYING, ...MALFORMED];
