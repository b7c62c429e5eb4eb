/** Cases about authorization links: a user approves or denies a link, and the application then verifies the user. */
import { type Api, account, CREDENTIALS, textAt, VERIFY_URL } from '../api.ts';
import { reading, test, writing } from '../case.ts';
import { absent, aText, aTime, someText } from '../matchers.ts';
import { UNKNOWN } from '../samples.ts';

const makeLink = (api: Api, body: object, expected = {}) =>
  api.call('createMagicLink', { body: { user_verify_url: VERIFY_URL, ...body } }, expected);

const LINKED = ['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER'] as const;
const UNLINKED = ['VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const;

const MAKING = writing(
  'createMagicLink',
  test('Creating a link returns its URL and the time when it expires', (api) => {
    const body = { link: aText(/^https?:\/\//), expiry: aTime };
    return makeLink(api, { ...api.pair('OAUTH'), state: 'opaque' }, { body });
  }).promised(),
  ...LINKED.map((type) =>
    test(`A link can be created for a ${type} connection`, (api) => makeLink(api, api.pair(type))).inferred(
      'V2',
    ),
  ),
  ...UNLINKED.map((type) =>
    test(`Creating a link for a ${type} connection is refused, because no user has to authorize it`, (api) =>
      api.refuses('createMagicLink', { body: api.pair(type) }, 'connector')).inferred('V2'),
  ),
  test('Creating a link does not change an ACTIVE account, and creates a missing account as PENDING_AUTH', async (api) => {
    const { id, updatedAt } = await api.anAccount('OAUTH');
    await makeLink(api, { id });
    await api.details({ id }, account({ status: 'ACTIVE', updated_at: updatedAt }));
    const { pair } = await api.aLink('API_KEY');
    await api.details(pair, account({ status: 'PENDING_AUTH' }));
  }).inferred('V1'),
);

const REFUSING = reading(
  'createMagicLink',
  test('Creating a link for an unknown connector is refused', (api) => {
    const body = { connector: UNKNOWN.connector, identifier: 'nobody' };
    return api.refuses('createMagicLink', { body }, 'connector');
  }).promised('A3'),
  test('Creating a link is refused if user_verify_url is not an http or https address', (api) => {
    const body = { id: UNKNOWN.account, user_verify_url: 'javascript:alert(1)' };
    return api.refuses('createMagicLink', { body }, 'user_verify_url');
  }).inferred('I5'),
);

const DECIDING = writing(
  'createMagicLink',
  test('Approving a link sends the user to user_verify_url with auth_request_id and state', async (api) => {
    const state = 'a state & more';
    const { link, pair } = await api.aLink('OAUTH', { user_verify_url: VERIFY_URL, state });
    const query = { kept: 'yes', state, auth_request_id: aText(/^[A-Za-z0-9_-]{43,}$/) };
    await api.open(link, 'approve', { body: { location: 'https://client.test/verified', query } });
    await api.auth(pair, account({ status: 'PENDING_VERIFICATION', authorization_details: absent }));
  }).promised('V3'),
  test('Denying a link sends the user to user_verify_url with an error, and the account stays PENDING_AUTH', async (api) => {
    const { link, pair } = await api.aLink('OAUTH', { user_verify_url: VERIFY_URL, state: 'opaque' });
    const query = { error: 'access_denied', error_description: someText, state: 'opaque' };
    await api.open(link, 'deny', { body: { query: { ...query, auth_request_id: absent } } });
    await api.details(pair, account({ status: 'PENDING_AUTH' }));
  }).inferred('V3'),
  test('Entering credentials on the page of a link makes the account ACTIVE without verification', async (api) => {
    const { link, pair } = await api.aLink('API_KEY', { user_verify_url: VERIFY_URL, state: 'opaque' });
    const query = { state: 'opaque', auth_request_id: absent };
    await api.open(link, 'approve', { body: { query } });
    await api.details(pair, account({ status: 'ACTIVE' }));
  }).inferred('V2', 'V5'),
  test('Approving a link without user_verify_url makes the account ACTIVE at once', async (api) => {
    const { link, pair } = await api.aLink('OAUTH', {});
    await api.open(link, 'approve');
    await api.details(pair, account({ status: 'ACTIVE' }));
  }).inferred('V4'),
  test('After an account is deleted, opening its link and verifying its user both answer 404', async (api) => {
    const { pair, authRequestId } = await api.aConsent();
    const { body } = await makeLink(api, pair);
    await api.call('deleteConnectedAccount', { body: pair });
    await api.open(textAt(body, 'link'), 'approve', { status: 404 });
    await api.verify(authRequestId, pair.identifier, 404);
  }).inferred('A9', 'V2', 'V6'),
);

const VERIFYING = writing(
  'verifyConnectedAccountUser',
  test('Verifying with the right identifier makes the account ACTIVE with tokens; a second attempt answers 404', async (api) => {
    const { pair, authRequestId } = await api.aConsent();
    const body = { post_user_verify_redirect_url: aText(/^https?:\/\//) };
    await api.verify(authRequestId, pair.identifier, { body });
    const oauth_token = { access_token: someText };
    await api.auth(pair, account({ status: 'ACTIVE', authorization_details: { oauth_token } }));
    await api.verify(authRequestId, pair.identifier, 404);
  }).promised('V6'),
  test('Verifying with another identifier, or with the identifier in another letter case, answers 403', async (api) => {
    const { pair, authRequestId } = await api.aConsent();
    const forbidden = { status: 403, error: 'PERMISSION_DENIED' } as const;
    await api.verify(authRequestId, 'somebody@else.test', forbidden);
    await api.verify(authRequestId, pair.identifier.toUpperCase(), forbidden);
    await api.verify(authRequestId, pair.identifier);
  }).promised('V6'),
  test('After an update with usable credentials, verifying with the earlier auth_request_id answers 404', async (api) => {
    const { pair, authRequestId } = await api.aConsent();
    const { body } = await api.details(pair);
    const id = textAt(body, 'connected_account', 'id');
    await api.update(id, { authorization_details: CREDENTIALS.OAUTH });
    await api.verify(authRequestId, pair.identifier, 404);
  }).inferred('V6', 'A7'),
);

const MALFORMED = reading(
  'verifyConnectedAccountUser',
  test('An auth_request_id may end in =, but is refused if it is not base64url', async (api) => {
    const body = { auth_request_id: 'not/base64url', identifier: 'nobody' };
    await api.refuses('verifyConnectedAccountUser', { body }, 'auth_request_id');
    await api.verify(`${UNKNOWN.authRequest}==`, 'nobody', 404);
  }).promised('I2'),
);

export const LINK_FLOWS = [MAKING, REFUSING, DECIDING, VERIFYING, MALFORMED].flat();
