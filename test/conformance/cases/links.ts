/** Authorization links by settings and by the clock, and decisions of the control plane (behaviour V1 to V6). */
import { answer, calls, event, inferred, later, NOTHING, opens, refused, type Step, type Steps, table,
  type Wanted } from '../../../src/conformance/case.ts';
import { CONSENTS, is, OAUTH, pair, verifies as verify } from '../../../src/conformance/cases/accounts.ts';
import { approves, auth, back, DENIAL, denies, holdsKeys, linked, opensOnly,
  SUCCESS } from '../../../src/conformance/cases/links.ts';
import { absent, exactly, like, someText, whole } from '../../../src/conformance/matchers.ts';
import { control, given, sets } from '../steps.ts';
import { walk } from './accounts.ts';

const { createMagicLink: link, getConnectedAccountDetails: details } = calls;
/** The decision by the control plane, which shows the address in full. */
const decides = (decision: string, body: object | undefined, wanted: Wanted): Step =>
  control(`POST /links/{link|encoded}/${decision}`, body, wanted);
const wrong = (words: string) => answer(400, { error: { message: like(words) } });
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
const used = (page: Step): Steps =>
  [page, opensOnly(410, 'GET {link}', 'POST {link} decision=approve', 'GET {link}?decision=deny')];

export const LINKS = table([
  'createMagicLink',
  inferred('R1', 'A link on a connection that is disabled or not COMPLETED answers 403, for old accounts too',
    (['disabled', 'draft'] as const).map((name) => [link(pair(name), refused('CONNECTION_NOT_ENABLED')),
      given({ connected_accounts: [is('PENDING_AUTH', { ...pair(name), id: `ca_${name}` })] }),
      [{ id: `ca_${name}` }, pair(name)].map((old) => link(old, refused('CONNECTION_NOT_ENABLED')))])),
  inferred('V4', 'Strict verification refuses a link without user_verify_url, with all that is wrong',
    sets({ user_verification: 'strict' }), link(OAUTH, ['user_verify_url']), linked(),
    link({ connector: 'unknown' }, ['identifier', 'user_verify_url', 'connector'])),
  inferred('E6', 'A relative time that is patched counts from now, and so does now itself',
    later('2h'), Object.entries({ now: '{now+2h}', '+10m': '{now+130m}' }).map(([time, updated_at]) => [
      given({ connected_accounts: [is('ACTIVE', { ...OAUTH, last_used_at: 'now', updated_at: time })] }),
      details(OAUTH, is('ACTIVE', { updated_at, last_used_at: '{now+2h}' }))])),
  inferred('V4', 'Where the service verifies by itself, approval makes the account ACTIVE, whatever user_verify_url says',
    sets({ user_verification: 'platform' }),
    [link(OAUTH), linked({ state: 's' })].map((step) => [step, approves(SUCCESS), walk('finds ACTIVE')])),
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
    opensOnly(410, 'POST {link} decision=deny'), later('9m'),
    opens('POST {link} decision=approve', {}, NOTHING), later('1m'), opensOnly(410, 'POST {link} decision=approve')),
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
    linked(), opensOnly(400, 'GET {link}?decision=error&error=server_eror'),
    decides('deny', { error: 'server_eror' }, wrong('Did you mean "server_error"?')),
    decides('deny', { error: 'invalid_scope' }, { redirect_url: like('A+requested+scope+is+invalid+or+unknown.') }),
    linked(), decides('deny', { error_description: 'Not now' },
      { redirect_url: like('error=access_denied&error_description=Not+now') })),
  inferred('V1 V2 V4', 'A link works once; approved without user_verify_url it makes the account ACTIVE at once',
    link(OAUTH), used(approves(SUCCESS)), walk('finds ACTIVE'), link(OAUTH), used(denies()),
    decides('approve', undefined, refused('GONE')), opens('GET {link}x', answer(404)),
    decides('x', undefined, answer(400))),
  inferred('V2', 'From its very end on, a link answers 410',
    link(OAUTH), walk('+14m, +59s'), opens('GET {link}', answer(200)), later('1s'),
    opens('GET {link}', answer(410)), approves(answer(410), NOTHING)),
  inferred('V1 V6', 'Settings say how long links and requests last',
    sets({ magic_link_ttl: '1m', auth_request_ttl: '2m' }), linked({}, { expiry: '{now+1m}' }), approves(),
    walk('+119s, finds PENDING_VERIFICATION, +1s, finds PENDING_AUTH')),
  inferred('V2', 'A custom provider defines the fields of its form; without usable ones the type does',
    asks(FIELDS, ['site', 'secret', 'note']), [[], 'none', [{}]].map((fields) => asks(fields, ['api_key'])),
    asks(FIELDS, ['api_key'], 'other', 'GOOGLE')),
  inferred('V5', 'The setting hosted decides when a link is opened, but not by HEAD and not against the address',
    Object.entries({ approve: { auth_request_id: someText }, deny: DENIAL }).map(([hosted, query], nth, both) => [
      sets({ hosted }), linked(), opens('HEAD {link}', answer(200), NOTHING), opens('GET {link}', back(query)),
      linked(), opens(`GET {link}?decision=${both[1 - nth]?.[0]}`, back(Object(both[1 - nth]?.[1])))])),
  'verifyConnectedAccountUser',
  inferred('V6', 'A verified account has the tokens of the request, and the user goes to a page of the server',
    CONNECTION, walk('consents, +1m'), verify({}, whole({ post_user_verify_redirect_url: SUCCESS.location }),
      [event('connected_account.updated PENDING_VERIFICATION > ACTIVE')]),
    auth({ oauth_token: { scopes: ['read', 'send'] } }, { updated_at: '{now+1m}', token_expires_at: '{now+1h}' }),
    sets({ post_user_verify_redirect_url: 'https://app.test/done' }), CONSENTS,
    verify({}, { post_user_verify_redirect_url: 'https://app.test/done' })),
  inferred('V6 T9', 'A request that is unknown or has expired answers 404',
    CONSENTS, verify({ auth_request_id: 'unknown' }, 404),
    walk('+9m, +59s, finds PENDING_VERIFICATION, +1s, verifies 404, finds PENDING_AUTH')),
  inferred('V6', 'Verifying ends the other open requests; the end of the last one brings back the status from before',
    walk('consents, consents, verifies'), verify({ auth_request_id: '{2:query.auth_request_id}' }, 404),
    walk('deletes, make OAUTH, consents, +5m, consents, +5m, finds PENDING_VERIFICATION, +5m, finds ACTIVE'),
    walk('disconnect, consents, +10m, finds DISCONNECTED')),
]);
