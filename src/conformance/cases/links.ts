/** Authorization links: a user approves or denies, and the application verifies the user (behaviour V1 to V6). */
import { answer, type Came, calls, event, inferred, later, NOTHING, opens, promised, refused,
  type Step, type Steps, sees, table } from '../case.ts';
import { absent, aTime, exactly, like, not, someText, whole } from '../matchers.ts';
import { addressed, CONSENTS, holds, is, make, OAUTH, OWN, pair, reads, shows, VERIFY_URL,
  verifies as verify } from './accounts.ts';

const { createMagicLink: link, getConnectedAccountAuth, listConnectedAccounts } = calls;
const { createConnectedAccount, deleteConnectedAccount, getConnectedAccountDetails: details } = calls;

/** Makes a link that returns to the application. */
export const linked = (more: object = {}, ...came: Came): Step =>
  link({ ...OAUTH, user_verify_url: VERIFY_URL, ...more }, ...came);
export const auth = (authorization_details: unknown, more: object = {}): Step =>
  getConnectedAccountAuth(OAUTH, holds(authorization_details, more));
/** Where a decision sends the user. */
export const back = (query: object) => ({ location: 'https://client.test/verified', query });
export const SUCCESS = { location: like(/\/connect\/success$/) };
export const approves = (...came: Came): Step => opens('GET {link}?decision=approve', ...came);
export const denies = (...came: Came): Step => opens('GET {link}?decision=deny', ...came);
/** The page of a link is shown, refused or gone, and nothing happens. */
export const opensOnly = (status: number, ...lines: string[]): Steps =>
  lines.map((line) => opens(line, answer(status), NOTHING));
const created = (connected_account_id: unknown) => event('authorization_link.created', whole({ connected_account_id }));
const [APPROVED, DENIED] = [event('authorization_link.approved'), event('authorization_link.denied')];
const REQUESTED = event('verification_request.created');
export const DENIAL = { error: 'access_denied', error_description: someText, auth_request_id: absent };

/** The credentials of an account are just these. */
export const holdsKeys = (keys: object, address: object): Step =>
  getConnectedAccountAuth(address, holds(whole({ static_auth: { details: keys } })));

export const LINKS = table([
  'createMagicLink',
  ...addressed('createMagicLink', { user_verify_url: VERIFY_URL }),
  promised('V1', 'Creating a link returns its URL and the time when it expires',
    linked({ state: 'opaque' }, { link: like(/^https?:\/\//), expiry: aTime })),
  inferred('V1', 'A link is a page of the server for 15 minutes, and makes a missing account in PENDING_AUTH',
    linked({ organization_id: '{organization}' },
      whole({ link: like(/^http.*\/magicLink\/[\w-]{54}$/), expiry: '{now+15m}' }),
      [event('connected_account.created > PENDING_AUTH'), created(someText)]),
    listConnectedAccounts({ organization_id: '{organization}', identifier: '{unique}' },
      shows([is('PENDING_AUTH', { provider: '{OAUTH.provider_key|upper}' })]))),
  ...(['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER'] as const).map((type) =>
    inferred('V2', `A link can be created for a ${type} connection`, link(pair(type)))),
  ...(['VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const).map((type) =>
    inferred('V2', `A link for a ${type} connection is refused: it needs no user`,
      link(pair(type), ['connector']), createConnectedAccount(pair(type)), link(OWN, refused('INVALID_ARGUMENT')))),
  promised('A3', 'Creating a link for an unknown connector is refused',
    link({ connector: 'conformance-nothing', identifier: 'nobody' }, ['connector'])),
  inferred('A3', 'Creating a link for a sign-in connection is refused', link(pair('signIn'), ['connector'])),
  inferred('I5', 'A user_verify_url that a browser cannot open is refused',
    ['javascript:alert(1)', 'ftp://client.test', 'https://a.test:99999'].map((user_verify_url) =>
      linked({ user_verify_url }, ['user_verify_url']))),
  inferred('V1', 'An account may have several open links, and making one does not change an ACTIVE account',
    make('OAUTH'), later('1m'), link(OWN, {}, [created('{1:connected_account.id}')]),
    link(OAUTH, { link: not('{3:link}') }), details(OWN, is('ACTIVE', { updated_at: '{now}' })),
    opensOnly(200, 'GET {3:link}', 'HEAD {4:link}')),
  inferred('A2', 'With an id beside a connector, the link is for the account with the id',
    make('OAUTH'), ['{API_KEY.key_id}', 'unknown', '{NO_AUTH.key_id}'].map((connector) =>
      link({ ...OWN, connector, identifier: 'other' }, {}, [created('{1:connected_account.id}')]))),
  inferred('V4 V6', 'Consent gives new tokens, and keeps what else the account had, verified or not',
    [[link(OAUTH), approves()], [CONSENTS, verify()]].map((steps) => [
      make('OAUTH', { oauth_token: { access_token: 'old', refresh_token: 'old', domain: 'a.test', scopes: [] } }),
      steps, auth({ oauth_token: whole({ access_token: not('old'), refresh_token: not('old'), domain: 'a.test',
        scopes: not(exactly()) }) }), deleteConnectedAccount(OAUTH)])),
  promised('V3', 'Approving a link sends the user to user_verify_url with auth_request_id and state',
    linked({ state: 'a state & more' }),
    approves(back({ kept: 'yes', state: 'a state & more', auth_request_id: like(/^[\w-]{43,}$/) })),
    auth(absent, is('PENDING_VERIFICATION'))),
  inferred('V3', 'While a request is open, the account has its old credentials, and no reply the new ones',
    make('OAUTH'), linked({ state: 's' }), approves({},
      [APPROVED, REQUESTED, event('connected_account.updated ACTIVE > PENDING_VERIFICATION')]),
    sees('state', { verification_requests: [{ state: 's', account: '{OAUTH.key_id}/{unique}',
      ...holds({ oauth_token: { access_token: someText } }) }] }),
    auth({ oauth_token: { access_token: 'canary-access-token' } }, is('PENDING_VERIFICATION')),
    listConnectedAccounts({ identifier: '{unique}' }, shows([is('PENDING_VERIFICATION')])),
    linked(), approves({}, [APPROVED, REQUESTED])),
  inferred('V3', 'Denying a link sends the user back with an error, and the account stays as it was',
    linked({ state: 'opaque' }), details(OAUTH), denies(back({ ...DENIAL, kept: 'yes', state: 'opaque' }), [DENIED]),
    details(OAUTH, is('PENDING_AUTH', { updated_at: '{connected_account.updated_at}' })),
    make('API_KEY'), link(OWN), denies({ location: like(/\/connect\/denied$/) }), reads('ACTIVE')),
  inferred('V2 V5', 'Credentials entered on the page of a link make the account ACTIVE without verification',
    ['GET {link}?decision=approve', 'POST {link} api_key=one&api_key=entered&constructor=x&other=y'].map((line) => [
      link({ ...pair('API_KEY'), user_verify_url: VERIFY_URL, state: 'opaque' }),
      opens(line, back({ kept: 'yes', state: 'opaque', auth_request_id: absent })),
      details(pair('API_KEY'), is('ACTIVE'))]), holdsKeys({ api_key: 'entered' }, OWN)),
  inferred('V2', 'A submitted form replaces all old credentials; one without a required field is a 400',
    make('API_KEY', { static_auth: { details: { api_key: 'old', region: 'eu' } } }), link(OWN),
    opensOnly(400, 'POST {link} region=us'), opens('POST {link} api_key=new', SUCCESS),
    holdsKeys({ api_key: 'new' }, OWN), link(OAUTH), opensOnly(400, 'POST {link} api_key=new')),
  inferred('V5', 'A decision that is unknown, repeated or lacks its error is a 400, and decides nothing',
    linked(), opensOnly(400, 'GET {link}?decision=maybe', 'GET {link}?decision=error',
      'GET {link}?decision=approve&decision=deny', 'POST {link} decision=maybe'), opensOnly(200, 'GET {link}?decision=')),
  'verifyConnectedAccountUser',
  promised('V6 A8', 'Verifying with the right identifier makes the account ACTIVE with tokens; again, it is 404',
    CONSENTS, verify({}, { post_user_verify_redirect_url: like(/^https?:\/\//) }),
    auth({ oauth_token: { access_token: someText } }, is('ACTIVE', { token_expires_at: aTime })),
    details(OAUTH, { token_expires_at: aTime, last_used_at: aTime }), verify({}, 404)),
  promised('V6', 'Verifying with another identifier, or in another case, answers 403, and the request stays open',
    CONSENTS, ['somebody@else.test', '{unique|upper}', '{unique} ', 'x'.repeat(200)].map((identifier) =>
      verify({ identifier }, refused('PERMISSION_DENIED'), NOTHING)), verify()),
  promised('I2 I5', 'An auth_request_id is base64url, and may end in =',
    verify({ auth_request_id: 'not/base64url', identifier: 'nobody' }, ['auth_request_id']),
    verify({ auth_request_id: 'conformance-nobody-asked-000000000000000000==', identifier: 'nobody' }, 404)),
]);
