/** Authorization links: a user approves or denies, and the application verifies the user (behaviour V1 to V6). */
import { type After, advance, answer, calls, control, given, inferred, NOTHING, opens, promised, refused, type Step,
  table, type Wanted } from '../case.ts';
import { absent, aTime, exactly, like, not, someText, whole } from '../matchers.ts';
import { ADDRESSES_OF_LINKS, consents, does, holds, is, make, OAUTH, OWN, pair, pending, VERIFY_URL,
  verifies as verify } from './accounts.ts';

const { createMagicLink: link, getConnectedAccountAuth, listConnectedAccounts } = calls;
const { getConnectedAccountDetails: details } = calls;

const LINKED = ['OAUTH', 'OAUTH_M2M', 'VENDORA_OAUTH1', 'SMART_FHIR', 'API_KEY', 'BASIC', 'BEARER'] as const;
const UNLINKED = ['VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const;
/** Makes a link that returns to the application. */
const linked = (more: object = {}, ...wanted: [Wanted?, After?]): Step =>
  link({ ...OAUTH, user_verify_url: VERIFY_URL, ...more }, ...wanted);
const reads = (status: string, more: object = {}): Step => details(OAUTH, is(status, more));
const auth = (authorization_details: unknown, more: object = {}): Step =>
  getConnectedAccountAuth(OAUTH, holds(authorization_details, more));
/** Where a decision sends the user. */
const back = (query: object) => ({ location: 'https://client.test/verified', query });
const SUCCESS = { location: like(/\/connect\/success$/) };
const approves = (...wanted: [Wanted?, After?]): Step => opens('GET {link}?decision=approve', ...wanted);
const denies = (...wanted: [Wanted?, After?]): Step => opens('GET {link}?decision=deny', ...wanted);
/** The decision by the control plane, which shows the address in full. */
const decides = (decision: string, body: object | undefined, wanted: Wanted): Step =>
  control(`POST /links/{link|encoded}/${decision}`, body, wanted);
const wrongDecision = (words: string) => answer(400, { error: { message: like(words) } });
const setting = (settings: object): Step => given({ settings });
const created = (connected_account_id: unknown) =>
  ({ type: 'authorization_link.created', resource: whole({ connected_account_id }) });
const [APPROVED, DENIED] = [{ type: 'authorization_link.approved' }, { type: 'authorization_link.denied' }];
const REQUESTED = { type: 'verification_request.created' };
const moved = (from: string, to: string) => ({ type: 'connected_account.updated', from, to });
const DENIAL = { error: 'access_denied', error_description: someText, auth_request_id: absent };
const CONNECTION = given({ connections: [{ key_id: '{OAUTH.key_id}', scopes: ['read', 'send'] }] });
const granted = (...scopes: string[]): Step => auth({ oauth_token: { scopes: exactly(...scopes) } });

/** What a link has as `user_verify_url`, and the address of an approval. */
const KEPT: readonly (readonly [string, RegExp])[] = [
  ['https://app.test/cb?next=%2Fhome&flag&q=a%20b', /^https:..app.test.cb\?next=%2Fhome&flag&q=a%20b&auth_request_id=/],
  ['https://app.test/cb#part', /^https:..app.test.cb\?auth_request_id=[\w-]+#part$/],
  ['HTTPS://app.test/cb?', /^https:..app.test.cb\?auth_request_id=/],
  ['https://app.test/cb?state=own', /\?state=own&auth_request_id=[\w-]+$/],
];
const STALE = 'https://app.test/?state=old&a=1&st%61te=older&auth_request_id=old&error=old&error_description=old&b=2';
/** The fields of a custom provider's pattern, and the names of the fields of its form. */
const FORMS: readonly (readonly [unknown, readonly string[]])[] = [
  [[{ name: 'site', label: 'Site' }, { field_name: 'secret', input_type: 'password' },
    { name: 'note', required: false }, { label: 'no name' }, 'nonsense'], ['site', 'secret', 'note']],
  ...[[], 'none', [{}]].map((fields) => [fields, ['api_key']] as const),
];
const wiki = (fields: unknown, key_id = 'wiki', provider = 'CUSTOM') => given({
  custom_providers: [{ display_name: 'Wiki', proxy_url: 'https://wiki.test',
    auth_patterns: [{ type: 'OAUTH' }, { type: 'API_KEY', fields }] }],
  connections: [{ key_id, type: 'API_KEY', provider, provider_key: 'Wiki' }],
});
const form = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `test-${name}`]));
/** The credentials of an account are just these. */
const holdsKeys = (details: object, address: object): Step =>
  getConnectedAccountAuth(address, holds(whole({ static_auth: { details } })));
const WIKI = { connector: 'wiki', identifier: '{unique}' };
const USED = (page: Step): readonly Step[] => [page, ...(['GET {link}', 'POST {link} decision=approve',
  'GET {link}?decision=deny'] as const).map((line) => opens(line, answer(410), NOTHING))];

export const LINKS = table({
  createMagicLink: [
    ...ADDRESSES_OF_LINKS,
    promised('V1', 'Creating a link returns its URL and the time when it expires',
      linked({ state: 'opaque' }, { link: like(/^https?:\/\//), expiry: aTime })),
    inferred('V1', 'A link is a page of the server for 15 minutes, and makes a missing account in PENDING_AUTH',
      linked({ organization_id: '{acme}' }, whole({ link: like(/^http.*\/magicLink\/[\w-]{54}$/), expiry: '{now+15m}' }),
        { events: [{ type: 'connected_account.created', to: 'PENDING_AUTH' }, created(someText)] }),
      listConnectedAccounts({ organization_id: '{acme}', identifier: '{unique}' },
        { connected_accounts: exactly({ status: 'PENDING_AUTH', provider: '{OAUTH.provider_key|upper}' }) })),
    ...LINKED.map((type) => inferred('V2', `A link can be created for a ${type} connection`, link(pair(type)))),
    ...UNLINKED.map((type) => inferred('V2', `A link for a ${type} connection is refused: it needs no user`,
      link(pair(type), ['connector']), pending(type), link(OWN, refused(400, 'INVALID_ARGUMENT')))),
    promised('A3', 'Creating a link for an unknown connector is refused',
      link({ connector: 'conformance-nothing', identifier: 'nobody' }, ['connector'])),
    inferred('A3', 'Creating a link for a sign-in connection is refused', link(pair('signIn'), ['connector'])),
    inferred('R1', 'A link on a connection that is disabled or not COMPLETED answers 403, for old accounts too',
      (['disabled', 'draft'] as const).flatMap((name) => [link(pair(name), refused(403, 'CONNECTION_NOT_ENABLED')),
        given({ connected_accounts: [{ ...pair(name), id: `ca_${name}`, status: 'PENDING_AUTH' }] }),
        ...[{ id: `ca_${name}` }, pair(name)].map((old) => link(old, refused(403, 'CONNECTION_NOT_ENABLED')))])),
    inferred('I5', 'A user_verify_url that a browser cannot open is refused',
      ['javascript:alert(1)', 'ftp://client.test', 'https://a.test:99999'].map((user_verify_url) =>
        linked({ user_verify_url }, ['user_verify_url']))),
    inferred('V1', 'An account may have several open links, and making one does not change an ACTIVE account',
      make('OAUTH'), advance('1m'), link(OWN, {}, { events: [created('{1:connected_account.id}')] }),
      link(OAUTH, { link: not('{3:link}') }), reads('ACTIVE', { updated_at: '{now}' }),
      opens('GET {3:link}', answer(200), NOTHING), opens('HEAD {4:link}', answer(200), NOTHING)),
    inferred('A2', 'With an id beside a connector, the link is for the account with the id',
      make('OAUTH'), ...['{API_KEY.key_id}', 'unknown', '{NO_AUTH.key_id}'].map((connector) =>
        link({ ...OWN, connector, identifier: 'other' }, {}, { events: [created('{1:connected_account.id}')] }))),
    inferred('V4', 'Strict verification refuses a link without user_verify_url, with all that is wrong',
      setting({ user_verification: 'strict' }), link(OAUTH, ['user_verify_url']), linked(),
      link({ connector: 'unknown' }, ['identifier', 'user_verify_url', 'connector'])),
    inferred('E6', 'A relative time that is patched counts from now, and so does now itself',
      advance('2h'), Object.entries({ now: '{now+2h}', '+10m': '{now+130m}' }).flatMap(([time, read]) => [
        given({ connected_accounts: [{ ...OAUTH, status: 'ACTIVE', last_used_at: 'now', updated_at: time }] }),
        reads('ACTIVE', { updated_at: read, last_used_at: '{now+2h}' })])),
    inferred('V4', 'Where the service verifies by itself, approval makes the account ACTIVE, whatever user_verify_url says',
      setting({ user_verification: 'platform' }),
      [link(OAUTH), linked({ state: 's' })].flatMap((step) => [step, approves(SUCCESS), reads('ACTIVE')])),
    inferred('V4 V6', 'Consent gives new tokens, and keeps what else the account had, verified or not',
      [[link(OAUTH), approves()], [...consents(), verify()]].flatMap((steps) => [
        make('OAUTH', { oauth_token: { access_token: 'old', refresh_token: 'old', domain: 'a.test', scopes: [] } }),
        ...steps, auth({ oauth_token: whole({ access_token: not('old'), refresh_token: not('old'), domain: 'a.test',
          scopes: not(exactly()) }) }), calls.deleteConnectedAccount(OAUTH)])),
    promised('V3', 'Approving a link sends the user to user_verify_url with auth_request_id and state',
      linked({ state: 'a state & more' }),
      approves(back({ kept: 'yes', state: 'a state & more', auth_request_id: like(/^[\w-]{43,}$/) })),
      auth(absent, { status: 'PENDING_VERIFICATION' })),
    inferred('V3', 'While a request is open, the account has its old credentials, and no reply the new ones',
      make('OAUTH'), linked({ state: 's' }), approves({}, { events: [APPROVED, REQUESTED,
        moved('ACTIVE', 'PENDING_VERIFICATION')], state: { verification_requests: [{ state: 's',
        account: '{OAUTH.key_id}/{unique}', authorization_details: { oauth_token: { access_token: someText } } }] } }),
      auth({ oauth_token: { access_token: 'canary-access-token' } }, { status: 'PENDING_VERIFICATION' }),
      listConnectedAccounts({ identifier: '{unique}' },
        { connected_accounts: exactly({ status: 'PENDING_VERIFICATION' }) }),
      linked(), approves({}, { events: [APPROVED, REQUESTED] })),
    inferred('V3', 'The redirect keeps the query and the fragment of user_verify_url; its own parameters replace others',
      KEPT.flatMap(([user_verify_url, wanted]) =>
        [linked({ user_verify_url }), decides('approve', undefined, { redirect_url: like(wanted) })]),
      linked({ user_verify_url: STALE, state: 's' }),
      decides('approve', {}, { redirect_url: like(/\?a=1&b=2&auth_request_id=[\w-]{43,}&state=s$/) }),
      linked({ user_verify_url: STALE, state: 's' }), decides('deny', {}, { auth_request_id: absent,
        redirect_url: like(/\?a=1&b=2&error=access_denied&error_description=[\w+.]+&state=s$/) })),
    inferred('V3', 'An approval sent again by its page has the same redirect, as long as the request is open',
      linked(), opens('POST {link} decision=approve', back({ auth_request_id: someText })),
      opens('POST {link} decision=approve', back({ auth_request_id: '{2:query.auth_request_id}' }), NOTHING),
      opens('POST {link} decision=deny', answer(410), NOTHING), advance('9m'),
      opens('POST {link} decision=approve', {}, NOTHING), advance('1m'),
      opens('POST {link} decision=approve', answer(410), NOTHING)),
    inferred('V3', 'Denying a link sends the user back with an error, and the account stays as it was',
      linked({ state: 'opaque' }), details(OAUTH),
      denies(back({ ...DENIAL, kept: 'yes', state: 'opaque' }), { events: [DENIED] }),
      reads('PENDING_AUTH', { updated_at: '{connected_account.updated_at}' }),
      make('API_KEY'), link(OWN), denies({ location: like(/\/connect\/denied$/) }), details(OWN, is('ACTIVE'))),
    inferred('V3', 'A user can grant fewer scopes than the page asks for, but no others',
      CONNECTION, link(OAUTH), opens('GET {link}?decision=approve&scopes=send,send'), granted('send'),
      link(OAUTH), opens('POST {link} decision=approve&scopes=&scopes=read'), granted('read'),
      link(OAUTH), opens('POST {link} decision=approve&scopes='), granted(),
      link(OAUTH), decides('approve', { scopes: ['send', 'delete'] }, wrongDecision(
        '"delete" cannot be granted: the page of {OAUTH.key_id} does not ask for it. The scopes are read, send.')),
      decides('approve', { scopes: ['read', 'send'] }, {}), granted('read', 'send')),
    inferred('V3', 'A provider can answer with any error of RFC 6749, and an unknown one is refused',
      ...[['GET {link}?decision=error&error=server_error&error_description=Down',
        { error: 'server_error', error_description: 'Down' }],
        ['POST {link} decision=error&error=temporarily_unavailable', { error: 'temporarily_unavailable' }],
      ].flatMap(([line, query]) => [linked(), opens(line as 'GET x', back(Object(query)))]),
      linked(), opens('GET {link}?decision=error&error=server_eror', answer(400), NOTHING),
      decides('deny', { error: 'server_eror' }, wrongDecision('Did you mean "server_error"?')),
      decides('deny', { error: 'invalid_scope' }, { redirect_url: like('A+requested+scope+is+invalid+or+unknown.') }),
      linked(), decides('deny', { error_description: 'Not now' },
        { redirect_url: like('error=access_denied&error_description=Not+now') })),
    inferred('V1 V2 V4', 'A link works once; approved without user_verify_url it makes the account ACTIVE at once',
      link(OAUTH), USED(approves(SUCCESS)), reads('ACTIVE'), link(OAUTH), USED(denies()),
      decides('approve', undefined, answer(410, { error: { code: 'GONE' } })),
      opens('GET {link}x', answer(404)), decides('x', undefined, answer(400))),
    inferred('V2', 'From its very end on, a link answers 410',
      link(OAUTH), advance('14m'), advance('59s'), opens('GET {link}', answer(200)), advance('1s'),
      opens('GET {link}', answer(410)), approves(answer(410), NOTHING)),
    inferred('V1 V6', 'Settings say how long links and requests last',
      setting({ magic_link_ttl: '1m', auth_request_ttl: '2m' }), linked({}, { expiry: '{now+1m}' }), approves(),
      advance('119s'), reads('PENDING_VERIFICATION'), advance('1s'), reads('PENDING_AUTH')),
    inferred('V2 V5', 'Credentials entered on the page of a link make the account ACTIVE without verification',
      ...['GET {link}?decision=approve', 'POST {link} api_key=entered&other=ignored'].flatMap((line) => [
        link({ ...pair('API_KEY'), user_verify_url: VERIFY_URL, state: 'opaque' }),
        opens(line as 'GET x', back({ kept: 'yes', state: 'opaque', auth_request_id: absent })),
        details(pair('API_KEY'), is('ACTIVE'))]), holdsKeys({ api_key: 'entered' }, OWN)),
    inferred('V2', 'A submitted form replaces all old credentials; one without a required field is a 400',
      make('API_KEY', { static_auth: { details: { api_key: 'old', region: 'eu' } } }), link(OWN),
      opens('POST {link} region=us', answer(400), NOTHING), opens('POST {link} api_key=new', SUCCESS),
      holdsKeys({ api_key: 'new' }, OWN), link(OAUTH), opens('POST {link} api_key=new', answer(400), NOTHING)),
    inferred('V2', 'A custom provider defines the fields of its form; without usable ones the type does',
      FORMS.flatMap(([fields, names]) => [wiki(fields), link(WIKI), approves(SUCCESS), holdsKeys(form(names), WIKI)]),
      wiki(FORMS[0]?.[0], 'other', 'GOOGLE'), link({ ...WIKI, connector: 'other' }), approves(SUCCESS),
      holdsKeys(form(['api_key']), { ...WIKI, connector: 'other' })),
    inferred('V5', 'The setting hosted decides when a link is opened, but not by HEAD and not against the address',
      Object.entries({ approve: { auth_request_id: someText }, deny: DENIAL }).flatMap(([hosted, query], nth, both) => [
        setting({ hosted }), linked(), opens('HEAD {link}', answer(200), NOTHING), opens('GET {link}', back(query)),
        linked(), opens(`GET {link}?decision=${both[1 - nth]?.[0]}`, back(Object(both[1 - nth]?.[1])))])),
    inferred('V5', 'A decision that is unknown, repeated or lacks its error is a 400, and decides nothing',
      linked(), ...['?decision=maybe', '?decision=error', '?decision=approve&decision=deny'].map((query) =>
        opens(`GET {link}${query}`, answer(400), NOTHING)),
      opens('POST {link} decision=maybe', answer(400), NOTHING), opens('GET {link}?decision=', answer(200), NOTHING)),
  ],
  verifyConnectedAccountUser: [
    promised('V6', 'Verifying with the right identifier makes the account ACTIVE with tokens; again, it is 404',
      ...consents(), verify({}, { post_user_verify_redirect_url: like(/^https?:\/\//) }),
      auth({ oauth_token: { access_token: someText } }, { status: 'ACTIVE' }), verify({}, 404)),
    inferred('V6', 'A verified account has the tokens of the request, and the user goes to a page of the server',
      CONNECTION, ...consents(), advance('1m'), verify({}, whole({ post_user_verify_redirect_url: SUCCESS.location }),
        { events: [moved('PENDING_VERIFICATION', 'ACTIVE')] }),
      auth({ oauth_token: { scopes: ['read', 'send'] } }, { updated_at: '{now+1m}', token_expires_at: '{now+1h}' }),
      setting({ post_user_verify_redirect_url: 'https://app.test/done' }), ...consents(),
      verify({}, { post_user_verify_redirect_url: 'https://app.test/done' })),
    promised('V6', 'Verifying with another identifier, or in another case, answers 403, and the request stays open',
      ...consents(), ...['somebody@else.test', '{unique|upper}', '{unique} ', 'x'.repeat(200)].map((identifier) =>
        verify({ identifier }, refused(403, 'PERMISSION_DENIED'), NOTHING)),
      verify()),
    inferred('V6 T9', 'A request that is unknown or has expired answers 404',
      ...consents(), verify({ auth_request_id: 'unknown' }, 404), advance('9m'), advance('59s'),
      reads('PENDING_VERIFICATION'), advance('1s'), verify({}, 404), reads('PENDING_AUTH')),
    inferred('V6', 'Verifying ends the other open requests; the end of the last one brings back the status from before',
      ...consents(), ...consents(), verify(), verify({ auth_request_id: '{2:query.auth_request_id}' }, 404),
      calls.deleteConnectedAccount(OAUTH),
      make('OAUTH'), ...consents(), advance('5m'), ...consents(), advance('5m'), reads('PENDING_VERIFICATION'),
      advance('5m'), reads('ACTIVE'), does('disconnect'), ...consents(), advance('10m'), reads('DISCONNECTED')),
    promised('I2 I5', 'An auth_request_id is base64url, and may end in =',
      verify({ auth_request_id: 'not/base64url', identifier: 'nobody' }, ['auth_request_id']),
      verify({ auth_request_id: 'conformance-nobody-asked-000000000000000000==', identifier: 'nobody' }, 404)),
  ],
});
