/** Authorization links: a user approves or denies, and the application verifies the user (behaviour V1 to V6). */
import { advance, answer, type Came, calls, control, event, given, inferred, NOTHING, opens, promised, refused, 
  type Step, type Steps, sets,table, type Wanted } from '../case.ts';
import { absent, aTime, exactly, like, not, someText, whole } from '../matchers.ts';
import { addressed, CONSENTS, holds, is, make, OAUTH, OWN, pair, shows, VERIFY_URL, verifies as verify,
  walk } from './accounts.ts';

const { createMagicLink: link, getConnectedAccountAuth, listConnectedAccounts } = calls;
const { getConnectedAccountDetails: details } = calls;

/** Makes a link that returns to the application. */
const linked = (more: object = {}, ...came: Came): Step =>
  link({ ...OAUTH, user_verify_url: VERIFY_URL, ...more }, ...came);
const auth = (authorization_details: unknown, more: object = {}): Step =>
  getConnectedAccountAuth(OAUTH, holds(authorization_details, more));
/** Where a decision sends the user. */
const back = (query: object) => ({ location: 'https://client.test/verified', query });
const SUCCESS = { location: like(/\/connect\/success$/) };
const approves = (...came: Came): Step => opens('GET {link}?decision=approve', ...came);
const denies = (...came: Came): Step => opens('GET {link}?decision=deny', ...came);
/** The page of a link is shown, refused or gone, and nothing happens. */
const only = (status: number, ...lines: string[]): Steps => lines.map((line) => opens(line, answer(status), NOTHING));
/** The decision by the control plane, which shows the address in full. */
const decides = (decision: string, body: object | undefined, wanted: Wanted): Step =>
  control(`POST /links/{link|encoded}/${decision}`, body, wanted);
const wrong = (words: string) => answer(400, { error: { message: like(words) } });
const created = (connected_account_id: unknown) => event('authorization_link.created', whole({ connected_account_id }));
const [APPROVED, DENIED] = [event('authorization_link.approved'), event('authorization_link.denied')];
const REQUESTED = event('verification_request.created');
const DENIAL = { error: 'access_denied', error_description: someText, auth_request_id: absent };
const CONNECTION = given({ connections: [{ key_id: '{OAUTH.key_id}', scopes: ['read', 'send'] }] });
const granted = (...scopes: string[]): Step => auth({ oauth_token: { scopes: exactly(...scopes) } });

/** What a link has as `user_verify_url`, and the address of an approval. */
const KEPT = Object.entries({
  'https://app.test/cb?next=%2Fhome&flag&q=a%20b': /^https:..app.test.cb\?next=%2Fhome&flag&q=a%20b&auth_request_id=/,
  'https://app.test/cb#part': /^https:..app.test.cb\?auth_request_id=[\w-]+#part$/,
  'HTTPS://app.test/cb?': /^https:..app.test.cb\?auth_request_id=/,
  'https://app.test/cb?state=own': /\?state=own&auth_request_id=[\w-]+$/,
});
const STALE = 'https://app.test/?state=old&a=1&st%61te=older&auth_request_id=old&error=old&error_description=old&b=2';
const FIELDS = [{ name: 'site', label: 'Site' }, { field_name: 'secret', input_type: 'password' },
  { name: 'note', required: false }, { label: 'no name' }, 'nonsense'];
const WIKI = { connector: 'wiki', identifier: '{unique}' };
/** A link to a custom provider that has these fields asks for these. */
const asks = (fields: unknown, names: readonly string[], key_id = 'wiki', provider = 'CUSTOM'): Steps => [
  given({ custom_providers: [{ display_name: 'Wiki', proxy_url: 'https://wiki.test',
    auth_patterns: [{ type: 'OAUTH' }, { type: 'API_KEY', fields }] }],
    connections: [{ key_id, type: 'API_KEY', provider, provider_key: 'Wiki' }] }),
  link({ ...WIKI, connector: key_id }), approves(SUCCESS),
  holdsKeys(Object.fromEntries(names.map((name) => [name, `test-${name}`])), { ...WIKI, connector: key_id }),
];
/** The credentials of an account are just these. */
const holdsKeys = (keys: object, address: object): Step =>
  getConnectedAccountAuth(address, holds(whole({ static_auth: { details: keys } })));
const used = (page: Step): Steps =>
  [page, only(410, 'GET {link}', 'POST {link} decision=approve', 'GET {link}?decision=deny')];

export const LINKS = table([
  'createMagicLink',
  ...addressed('createMagicLink', { user_verify_url: VERIFY_URL }),
  promised('V1', 'Creating a link returns its URL and the time when it expires',
    linked({ state: 'opaque' }, { link: like(/^https?:\/\//), expiry: aTime })),
  inferred('V1', 'A link is a page of the server for 15 minutes, and makes a missing account in PENDING_AUTH',
    linked({ organization_id: '{acme}' }, whole({ link: like(/^http.*\/magicLink\/[\w-]{54}$/), expiry: '{now+15m}' }),
      [event('connected_account.created > PENDING_AUTH'), created(someText)]),
    listConnectedAccounts({ organization_id: '{acme}', identifier: '{unique}' },
      shows([is('PENDING_AUTH', { provider: '{OAUTH.provider_key|upper}' })]))),
  ...(['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER'] as const).map((type) =>
    inferred('V2', `A link can be created for a ${type} connection`, link(pair(type)))),
  ...(['VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const).map((type) =>
    inferred('V2', `A link for a ${type} connection is refused: it needs no user`,
      link(pair(type), ['connector']), walk(`creates ${type}`), link(OWN, refused('INVALID_ARGUMENT')))),
  promised('A3', 'Creating a link for an unknown connector is refused',
    link({ connector: 'conformance-nothing', identifier: 'nobody' }, ['connector'])),
  inferred('A3', 'Creating a link for a sign-in connection is refused', link(pair('signIn'), ['connector'])),
  inferred('R1', 'A link on a connection that is disabled or not COMPLETED answers 403, for old accounts too',
    (['disabled', 'draft'] as const).map((name) => [link(pair(name), refused('CONNECTION_NOT_ENABLED')),
      given({ connected_accounts: [is('PENDING_AUTH', { ...pair(name), id: `ca_${name}` })] }),
      [{ id: `ca_${name}` }, pair(name)].map((old) => link(old, refused('CONNECTION_NOT_ENABLED')))])),
  inferred('I5', 'A user_verify_url that a browser cannot open is refused',
    ['javascript:alert(1)', 'ftp://client.test', 'https://a.test:99999'].map((user_verify_url) =>
      linked({ user_verify_url }, ['user_verify_url']))),
  inferred('V1', 'An account may have several open links, and making one does not change an ACTIVE account',
    walk('make OAUTH, +1m'), link(OWN, {}, [created('{1:connected_account.id}')]),
    link(OAUTH, { link: not('{3:link}') }), details(OWN, is('ACTIVE', { updated_at: '{now}' })),
    only(200, 'GET {3:link}', 'HEAD {4:link}')),
  inferred('A2', 'With an id beside a connector, the link is for the account with the id',
    make('OAUTH'), ['{API_KEY.key_id}', 'unknown', '{NO_AUTH.key_id}'].map((connector) =>
      link({ ...OWN, connector, identifier: 'other' }, {}, [created('{1:connected_account.id}')]))),
  inferred('V4', 'Strict verification refuses a link without user_verify_url, with all that is wrong',
    sets({ user_verification: 'strict' }), link(OAUTH, ['user_verify_url']), linked(),
    link({ connector: 'unknown' }, ['identifier', 'user_verify_url', 'connector'])),
  inferred('E6', 'A relative time that is patched counts from now, and so does now itself',
    advance('2h'), Object.entries({ now: '{now+2h}', '+10m': '{now+130m}' }).map(([time, updated_at]) => [
      given({ connected_accounts: [is('ACTIVE', { ...OAUTH, last_used_at: 'now', updated_at: time })] }),
      details(OAUTH, is('ACTIVE', { updated_at, last_used_at: '{now+2h}' }))])),
  inferred('V4', 'Where the service verifies by itself, approval makes the account ACTIVE, whatever user_verify_url says',
    sets({ user_verification: 'platform' }),
    [link(OAUTH), linked({ state: 's' })].map((step) => [step, approves(SUCCESS), walk('finds ACTIVE')])),
  inferred('V4 V6', 'Consent gives new tokens, and keeps what else the account had, verified or not',
    [[link(OAUTH), approves()], [CONSENTS, verify()]].map((steps) => [
      make('OAUTH', { oauth_token: { access_token: 'old', refresh_token: 'old', domain: 'a.test', scopes: [] } }),
      steps, auth({ oauth_token: whole({ access_token: not('old'), refresh_token: not('old'), domain: 'a.test',
        scopes: not(exactly()) }) }), walk('deletes')])),
  promised('V3', 'Approving a link sends the user to user_verify_url with auth_request_id and state',
    linked({ state: 'a state & more' }),
    approves(back({ kept: 'yes', state: 'a state & more', auth_request_id: like(/^[\w-]{43,}$/) })),
    auth(absent, is('PENDING_VERIFICATION'))),
  inferred('V3', 'While a request is open, the account has its old credentials, and no reply the new ones',
    make('OAUTH'), linked({ state: 's' }), approves({}, {
      events: [APPROVED, REQUESTED, event('connected_account.updated ACTIVE > PENDING_VERIFICATION')],
      state: { verification_requests: [{ state: 's', account: '{OAUTH.key_id}/{unique}',
        ...holds({ oauth_token: { access_token: someText } }) }] } }),
    auth({ oauth_token: { access_token: 'canary-access-token' } }, is('PENDING_VERIFICATION')),
    listConnectedAccounts({ identifier: '{unique}' }, shows([is('PENDING_VERIFICATION')])),
    linked(), approves({}, [APPROVED, REQUESTED])),
  inferred('V3', 'The redirect keeps the query and the fragment of user_verify_url; its own parameters replace others',
    KEPT.map(([user_verify_url, wanted]) =>
      [linked({ user_verify_url }), decides('approve', undefined, { redirect_url: like(wanted) })]),
    linked({ user_verify_url: STALE, state: 's' }),
    decides('approve', {}, { redirect_url: like(/\?a=1&b=2&auth_request_id=[\w-]{43,}&state=s$/) }),
    linked({ user_verify_url: STALE, state: 's' }), decides('deny', {}, { auth_request_id: absent,
      redirect_url: like(/\?a=1&b=2&error=access_denied&error_description=[\w+.]+&state=s$/) })),
  inferred('V3', 'An approval sent again by its page has the same redirect, as long as the request is open',
    linked(), opens('POST {link} decision=approve', back({ auth_request_id: someText })),
    opens('POST {link} decision=approve', back({ auth_request_id: '{2:query.auth_request_id}' }), NOTHING),
    only(410, 'POST {link} decision=deny'), advance('9m'),
    opens('POST {link} decision=approve', {}, NOTHING), advance('1m'), only(410, 'POST {link} decision=approve')),
  inferred('V3', 'Denying a link sends the user back with an error, and the account stays as it was',
    linked({ state: 'opaque' }), details(OAUTH), denies(back({ ...DENIAL, kept: 'yes', state: 'opaque' }), [DENIED]),
    details(OAUTH, is('PENDING_AUTH', { updated_at: '{connected_account.updated_at}' })),
    make('API_KEY'), link(OWN), denies({ location: like(/\/connect\/denied$/) }), walk('reads ACTIVE')),
  inferred('V3', 'A user can grant fewer scopes than the page asks for, but no others',
    CONNECTION, link(OAUTH), opens('GET {link}?decision=approve&scopes=send,&scopes=+send'), granted('send'),
    link(OAUTH), opens('POST {link} decision=approve&scopes=&scopes=read'), granted('read'),
    link(OAUTH), opens('POST {link} decision=approve&scopes='), granted(),
    link(OAUTH), decides('approve', { scopes: ['send', 'delete'] }, wrong(
      '"delete" cannot be granted: the page of {OAUTH.key_id} does not ask for it. The scopes are read, send.')),
    decides('approve', { scopes: ['read', 'send'] }, {}), granted('read', 'send')),
  inferred('V3', 'A provider can answer with any error of RFC 6749, and an unknown one is refused',
    linked(), opens('GET {link}?decision=error&error=server_error&error_description=Down',
      back({ error: 'server_error', error_description: 'Down' })),
    linked(), opens('POST {link} decision=error&error=temporarily_unavailable', back({ error: 'temporarily_unavailable' })),
    linked(), only(400, 'GET {link}?decision=error&error=server_eror'),
    decides('deny', { error: 'server_eror' }, wrong('Did you mean "server_error"?')),
    decides('deny', { error: 'invalid_scope' }, { redirect_url: like('A+requested+scope+is+invalid+or+unknown.') }),
    linked(), decides('deny', { error_description: 'Not now' },
      { redirect_url: like('error=access_denied&error_description=Not+now') })),
  inferred('V1 V2 V4', 'A link works once; approved without user_verify_url it makes the account ACTIVE at once',
    link(OAUTH), used(approves(SUCCESS)), walk('finds ACTIVE'), link(OAUTH), used(denies()),
    decides('approve', undefined, refused('GONE')), opens('GET {link}x', answer(404)),
    decides('x', undefined, answer(400))),
  inferred('V2', 'From its very end on, a link answers 410',
    link(OAUTH), walk('+14m, +59s'), opens('GET {link}', answer(200)), advance('1s'),
    opens('GET {link}', answer(410)), approves(answer(410), NOTHING)),
  inferred('V1 V6', 'Settings say how long links and requests last',
    sets({ magic_link_ttl: '1m', auth_request_ttl: '2m' }), linked({}, { expiry: '{now+1m}' }), approves(),
    walk('+119s, finds PENDING_VERIFICATION, +1s, finds PENDING_AUTH')),
  inferred('V2 V5', 'Credentials entered on the page of a link make the account ACTIVE without verification',
    ['GET {link}?decision=approve', 'POST {link} api_key=one&api_key=entered&constructor=x&other=y'].map((line) => [
      link({ ...pair('API_KEY'), user_verify_url: VERIFY_URL, state: 'opaque' }),
      opens(line, back({ kept: 'yes', state: 'opaque', auth_request_id: absent })),
      details(pair('API_KEY'), is('ACTIVE'))]), holdsKeys({ api_key: 'entered' }, OWN)),
  inferred('V2', 'A submitted form replaces all old credentials; one without a required field is a 400',
    make('API_KEY', { static_auth: { details: { api_key: 'old', region: 'eu' } } }), link(OWN),
    only(400, 'POST {link} region=us'), opens('POST {link} api_key=new', SUCCESS),
    holdsKeys({ api_key: 'new' }, OWN), link(OAUTH), only(400, 'POST {link} api_key=new')),
  inferred('V2', 'A custom provider defines the fields of its form; without usable ones the type does',
    asks(FIELDS, ['site', 'secret', 'note']), [[], 'none', [{}]].map((fields) => asks(fields, ['api_key'])),
    asks(FIELDS, ['api_key'], 'other', 'GOOGLE')),
  inferred('V5', 'The setting hosted decides when a link is opened, but not by HEAD and not against the address',
    Object.entries({ approve: { auth_request_id: someText }, deny: DENIAL }).map(([hosted, query], nth, both) => [
      sets({ hosted }), linked(), opens('HEAD {link}', answer(200), NOTHING), opens('GET {link}', back(query)),
      linked(), opens(`GET {link}?decision=${both[1 - nth]?.[0]}`, back(Object(both[1 - nth]?.[1])))])),
  inferred('V5', 'A decision that is unknown, repeated or lacks its error is a 400, and decides nothing',
    linked(), only(400, 'GET {link}?decision=maybe', 'GET {link}?decision=error',
      'GET {link}?decision=approve&decision=deny', 'POST {link} decision=maybe'), only(200, 'GET {link}?decision=')),
  'verifyConnectedAccountUser',
  promised('V6 A8', 'Verifying with the right identifier makes the account ACTIVE with tokens; again, it is 404',
    CONSENTS, verify({}, { post_user_verify_redirect_url: like(/^https?:\/\//) }),
    auth({ oauth_token: { access_token: someText } }, is('ACTIVE', { token_expires_at: aTime })),
    details(OAUTH, { token_expires_at: aTime, last_used_at: aTime }), walk('verifies 404')),
  inferred('V6', 'A verified account has the tokens of the request, and the user goes to a page of the server',
    CONNECTION, walk('consents, +1m'), verify({}, whole({ post_user_verify_redirect_url: SUCCESS.location }),
      [event('connected_account.updated PENDING_VERIFICATION > ACTIVE')]),
    auth({ oauth_token: { scopes: ['read', 'send'] } }, { updated_at: '{now+1m}', token_expires_at: '{now+1h}' }),
    sets({ post_user_verify_redirect_url: 'https://app.test/done' }), CONSENTS,
    verify({}, { post_user_verify_redirect_url: 'https://app.test/done' })),
  promised('V6', 'Verifying with another identifier, or in another case, answers 403, and the request stays open',
    CONSENTS, ['somebody@else.test', '{unique|upper}', '{unique} ', 'x'.repeat(200)].map((identifier) =>
      verify({ identifier }, refused('PERMISSION_DENIED'), NOTHING)), verify()),
  inferred('V6 T9', 'A request that is unknown or has expired answers 404',
    CONSENTS, verify({ auth_request_id: 'unknown' }, 404),
    walk('+9m, +59s, finds PENDING_VERIFICATION, +1s, verifies 404, finds PENDING_AUTH')),
  inferred('V6', 'Verifying ends the other open requests; the end of the last one brings back the status from before',
    walk('consents, consents, verifies'), verify({ auth_request_id: '{2:query.auth_request_id}' }, 404),
    walk('deletes, make OAUTH, consents, +5m, consents, +5m, finds PENDING_VERIFICATION, +5m, finds ACTIVE'),
    walk('disconnect, consents, +10m, finds DISCONNECTED')),
  promised('I2 I5', 'An auth_request_id is base64url, and may end in =',
    verify({ auth_request_id: 'not/base64url', identifier: 'nobody' }, ['auth_request_id']),
    verify({ auth_request_id: 'conformance-nobody-asked-000000000000000000==', identifier: 'nobody' }, 404)),
]);
