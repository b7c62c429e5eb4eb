/** Connected accounts in a world of rows, as time passes, and third parties at work (behaviour A1 to A10, I3, I4). */
import { answer, type Changes, calls, inferred, later, NOTHING, refused, type Step, type Steps, sees,
  table } from '../../../src/conformance/case.ts';
import { CONSENTS, changed, FIRST, GRANTED, gives, holds, is, MINE, make, NEXT, NOWHERE,
  OAUTH, OWN, pair, REFRESH, shows, USABLE, verifies } from '../../../src/conformance/cases/accounts.ts';
import { absent, like, not, someText, whole } from '../../../src/conformance/matchers.ts';
import { control, given, only, setsClock, toEach } from '../steps.ts';

const { listConnectedAccounts: list, searchConnectedAccounts: search, createConnectedAccount: create } = calls;
const { getConnectedAccountAuth: auth, getConnectedAccountDetails: details, deleteConnectedAccount: remove } = calls;
type Kind = Parameters<typeof make>[0];

/** What a third party does: expire, disconnect, pend, revoke or grant. */
export const does = (action: string, wanted: object = {}, after?: Changes): Step =>
  control(`POST /connected_accounts/{connected_account.id}/${action}`, undefined, { connected_account: wanted }, after);
/** A flow in words: `make OAUTH, expire, reads EXPIRED, +1h`. Other words are actions, with the status that they give. */
export const walk = (flow: string): Steps => flow.split(', ').map((step): Steps => {
  const [verb = '', word = ''] = step.split(' ');
  if (verb.startsWith('+')) return later(verb.slice(1));
  return VERBS[verb]?.(word as Kind) ?? does(verb, word === '' ? {} : is(word));
});
const VERBS: Readonly<Record<string, (word: Kind) => Steps>> = {
  make: (type) => make(type), creates: (type) => create(pair(type)), deletes: () => remove(OAUTH),
  reads: (status) => details(OWN, is(status)), finds: (status) => details(OAUTH, is(status)),
  consents: () => CONSENTS, verifies: (status) => verifies({}, Number(status) || {}), rewinds: () => setsClock('{now}'),
};
const EXPIRED = is('EXPIRED');
const ENDING = is('ACTIVE', { token_expires_at: '{now+1h}' });

const MINTED = ['VENDORB_DWD', 'TRUSTED_IDP'] as const;

const [ACME, GLOBEX, ADA] = ['org_100000000000000001', 'org_100000000000000002', 'usr_100000000000000001'];
const CONNECTIONS = [{ id: 'conn_mail', key_id: 'mail', type: 'OAUTH' }, { key_id: 'oidc', type: 'OIDC' },
  { id: 'conn_crm', key_id: 'crm', type: 'API_KEY', provider_key: 'sales' }];
const WORLD = only({
  organizations: [{ id: ACME, name: 'acme' }, { id: GLOBEX, name: 'globex' }],
  users: [{ id: ADA, email: 'ada@acme.test' }], connections: CONNECTIONS,
  connected_accounts: [
    { id: 'ca_1', connector: 'mail', identifier: 'ada@acme.test', organization_id: ACME, user_id: ADA },
    { id: 'ca_2', connector: 'crm', identifier: 'ada@acme.test', user_id: ADA },
    { id: 'ca_3', connector: 'mail', identifier: 'Grace@acme.test', organization_id: ACME },
    { id: 'ca_4', connector: 'crm', identifier: 'linus@globex.test', organization_id: GLOBEX },
  ].map((row) => ({ ...row, status: 'PENDING_AUTH' })),
});
const MANY = only({ connections: CONNECTIONS, connected_accounts: [
  { repeat: 32, connector: 'mail', identifier: 'user-{n}', status: 'PENDING_AUTH' }] });

const size = (length: number, more: object = {}) => shows(Array(length).fill({}), more);
const ids = (...all: string[]) => shows(all.map((id) => ({ id })), { total_size: all.length });
/** Queries, and the last digit of each account in `WORLD` that they find. */
const FILTERS = {
  '': '1234', [`organization_id=${ACME}`]: '13', [`user_id=${ADA}`]: '12', 'connector=MAIL': '13', 'connector=oidc': '',
  'connector=unknown': '', 'identifier=ada@acme.test': '12', 'identifier=grace@acme.test': '', 'provider=SALES': '24',
  'provider=sales': '', 'provider=SALES&connector=crm': '24', 'provider=SALES&connector=mail': '',
  'provider=SALES&connection_names=mail&connection_names=crm': '24', 'organization_id=org_none': '',
  [`provider=SALES&connection_names=mail&organization_id=${GLOBEX}`]: '', 'provider=MAIL&connector=mail&query=grace': '3',
  'query=grace': '3', 'query=ACME&connector=mail': '13', [`query=ada&user_id=${ADA}&connector=crm`]: '2',
  'connection_names=crm': '24', 'connection_names=CRM&connection_names=mail&connection_names=crm': '1234',
  [`connection_names=crm&organization_id=${GLOBEX}`]: '4',
};
const EACH = { organization_id: ACME, user_id: ADA, connector: 'mail', identifier: 'ada@acme.test', provider: 'MAIL' };
const SEARCHES = {
  'query=GRACE': '3', 'query=acme': '123', 'query=sale': '24', 'query=crm': '24', 'query=nothing': '', 'query=testmail': '',
  'query=acme&connection_id=conn_mail': '13', 'query=acme&connection_id=conn_none': '',
};
const found = (digits: string) => ids(...Array.from(digits, (digit) => `ca_${digit}`));

export const ACCOUNTS = table([
  'listConnectedAccounts',
  inferred('A1 I6', 'Filters join by AND, and accounts are listed with the oldest first',
    WORLD, toEach('listConnectedAccounts', FILTERS, found), list(EACH, ids('ca_1')),
    Object.keys(EACH).map((name) => list({ ...EACH, [name]: 'another' }, ids()))),
  inferred('A1', 'An unknown connection and a sign-in connection in connection_names answer 404',
    ['conformance-nothing', '{signIn.key_id}'].map((connection_names) => list({ connection_names }, 404)), WORLD,
    list({ connection_names: ['mail', 'crn'] }, refused('NOT_FOUND', 'Did you mean "crm"?')),
    list({ connection_names: 'oidc' },
      refused('NOT_FOUND', 'is of type OIDC, which signs users in and holds no accounts'))),
  inferred('I3', 'A page has ten accounts by default and for a page_size of 0',
    MANY, list({}, size(10, { total_size: 32, prev_page_token: '' })), list({ page_size: 0 }, size(10)),
    list({ page_size: 32 }, size(32, { next_page_token: '' })), list({ page_size: 100 }, size(32))),
  inferred('I4 I6', 'A page token is accepted with the same filters in another case or order',
    WORLD, ([[{ connector: 'mail' }, { connector: 'MAIL' }, '3'], [{ query: 'acme' }, { query: 'ACME' }, '2'],
      [{ connection_names: ['mail', 'crm'] }, { connection_names: ['CRM', 'Mail', 'mail'] }, '2'],
    ] as const).map(([filter, same, next]) => [list({ ...filter, page_size: 1 }),
      list({ ...same, ...NEXT, page_size: 1 }, shows([{ id: `ca_${next}` }]))])),
  'searchConnectedAccounts',
  inferred('A1', 'A search finds its text within one of the three, and connection_id narrows it',
    make('API_KEY'), search({ query: '{unique}', connection_id: '{API_KEY.id}' }, ids(FIRST)),
    search({ query: '{unique}', connection_id: 'conn_999999999999999999' },
      shows([], { next_page_token: '', prev_page_token: '', total_size: 0 })),
    WORLD, toEach('searchConnectedAccounts', SEARCHES, found)),
  inferred('I3', 'A page of a search has ten accounts by default, and 30 at most',
    MANY, search({ query: 'user' }, size(10)), search({ query: 'user', page_size: 30 }, size(30))),
  'createConnectedAccount',
  inferred('A3', 'An unknown connector and a sign-in connection are refused, with the most similar connector',
    create(NOWHERE, ['connector']), create(pair('signIn'), ['connector']), WORLD,
    create({ connector: 'maill', identifier: 'a' }, refused('INVALID_ARGUMENT', 'Did you mean "mail"?')),
    create({ connector: 'oidx', identifier: 'a' }, answer(400, { message: like(/^(?!.*"oidc")/s) }))),
  inferred('A6', 'What the server makes lasts provider_token_ttl; a serverless connection needs no db_user',
    given({ settings: { provider_token_ttl: '5m' }, connections: [
      { key_id: 'lake', type: 'TRUSTED_IDP', serverless: true }] }),
    make('TRUSTED_IDP', undefined, holds({ trusted_idp: { access_key_id: like(/^TESTKEY[A-Z0-9]+$/),
      expiry: '{now+5m}' } }, { token_expires_at: '{now+5m}' })),
    create({ connector: 'lake', identifier: 'a' },
      holds({ trusted_idp: whole({ access_key_id: someText, expiry: '{now+5m}' }) }, is('ACTIVE')))),
  'getConnectedAccountAuth',
  inferred('A8', 'From the end of its token an account without a refresh token reads EXPIRED, until time goes back',
    given({ connected_accounts: [{ ...OAUTH, ...holds(GRANTED, ENDING) }] }),
    setsClock('2026-03-01T12:59:59.999Z'), walk('finds ACTIVE, +1ms'),
    auth(OAUTH, holds(absent, EXPIRED), NOTHING), walk('reads EXPIRED'), list(MINE, shows([EXPIRED])),
    search({ query: '{unique}' }, shows([EXPIRED])), walk('rewinds, reads ACTIVE')),
  inferred('A8', 'An account that the provider would refresh reads ACTIVE, and its token is refreshed once',
    given({ connected_accounts: [{ ...OAUTH, ...holds(USABLE.OAUTH, ENDING) }] }),
    walk('+1h, finds ACTIVE'), auth(OWN, is('ACTIVE', { updated_at: '{now+1h}', ...holds(
      { oauth_token: { access_token: not('canary-access-token'), ...REFRESH } }, { token_expires_at: '{now+2h}' }) })),
    later('1s'), auth(OWN, { token_expires_at: '{now+2h}', updated_at: '{now+1h}', authorization_details: {
      oauth_token: { access_token: '{4:connected_account.authorization_details.oauth_token.access_token}' } } })),
  inferred('A8', 'The credentials that the server makes are made anew at their end, unless access was revoked',
    MINTED.map((type) => [walk(`rewinds, make ${type}, +1h`), auth(OWN, is('ACTIVE', {
      token_expires_at: '{now+2h}', authorization_details: not('{connected_account.authorization_details}') })),
      walk('revoke, +1h, reads EXPIRED')])),
  inferred('A8', 'A DISCONNECTED account stays so past the end of its token, which is not refreshed',
    [USABLE.OAUTH, GRANTED].map((credentials) => [setsClock('{now}'), given({ connected_accounts: [
      { ...OAUTH, ...holds(credentials, is('DISCONNECTED')), token_expires_at: '{now+1h}' }] }), later('2h'),
      auth(OAUTH, holds(absent, is('DISCONNECTED', { token_expires_at: '{now+1h}' })), NOTHING)])),
  ...(['OAUTH', 'API_KEY', 'VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const).map((type) =>
    inferred('A8', `The action expire makes an account of type ${type} EXPIRED now, until grant or time goes back`,
      walk(`make ${type}, +1h`), does('expire', is('EXPIRED', { token_expires_at: '{now+1h}' }),
        changed('updated ACTIVE > EXPIRED')), auth(OWN, holds(absent)),
      walk('rewinds, reads ACTIVE, disconnect, +1h, expire EXPIRED, grant ACTIVE'))),
  inferred('A8', 'The action grant undoes expire and disconnect for an account that has no token to refresh',
    ['make API_KEY', 'creates NO_AUTH'].map((first) => [walk(first), ['expire', 'disconnect'].map((action) =>
      [does(action), does('grant', is('ACTIVE', { token_expires_at: absent }))])]),
    walk('creates BASIC, disconnect, grant PENDING_AUTH'),
    does('expire', EXPIRED, changed('updated PENDING_AUTH > EXPIRED'))),
  inferred('A8', 'The action grant lets an expired token be refreshed, and leaves a disconnected account as it is',
    walk('make OAUTH, expire'), does('grant', is('ACTIVE', { token_expires_at: '{now}' })),
    walk('disconnect, grant DISCONNECTED')),
  inferred('A8', 'The action pend takes away the credentials with their end and a revocation, so that nothing expires later',
    walk('make VENDORB_DWD, revoke'), does('pend', is('PENDING_AUTH', { token_expires_at: absent })),
    sees('state', { connected_accounts: [is('PENDING_AUTH', { ...OWN, refresh: not('deny') })] }), later('2h'),
    auth(OWN, holds(absent, is('PENDING_AUTH')))),
  inferred('A8 V3', 'The actions disconnect, expire and pend end open verification requests, until a new consent',
    walk('make OAUTH'), ['disconnect DISCONNECTED', 'expire EXPIRED', 'pend PENDING_AUTH'].map((action) =>
      walk(`consents, reads PENDING_VERIFICATION, ${action}, verifies 404`)),
    walk('consents, reads PENDING_VERIFICATION')),
  inferred('A8', 'No action shows credentials or moves updated_at, and an unknown account answers 404',
    walk('make OAUTH, +1h'), ['expire', 'disconnect', 'pend', 'revoke', 'grant'].map((action) => [
      does(action, holds(absent, { updated_at: '{now}' })),
      control(`POST /connected_accounts/ca_9/${action}`, undefined, refused('NOT_FOUND'))])),
  'getConnectedAccountDetails',
  inferred('A2 A3', 'An account that is not there answers 404, and the message names what was looked for',
    WORLD, [{ id: 'ca_9' }, { id: 'ca_1', organization_id: GLOBEX }, { id: 'ca_3', user_id: ADA },
      { connector: 'mail', identifier: 'ADA@acme.test' }, { connector: 'unknown', identifier: 'ada@acme.test' },
      { connector: 'mail', identifier: 'ada@acme.test', organization_id: GLOBEX },
    ].map((query) => Object.values(query).map((value) => details(query, refused('NOT_FOUND', value)))),
    details({ connector: 'Mail', identifier: 'ada@acme.test', organization_id: ACME, user_id: ADA }, { id: 'ca_1' })),
  'updateConnectedAccount',
  ...(['OAUTH', 'API_KEY', ...MINTED] as const).map((type) =>
    inferred('A7', `The same credentials of type ${type} change nothing, but bring back an account that has ended`,
      walk(`make ${type}, +1m`), gives(USABLE[type],
        holds('{1:connected_account.authorization_details}', is('ACTIVE', { updated_at: '{now}' })), NOTHING),
      ['disconnect', 'expire'].map((action) => [does(action), gives(USABLE[type], is('ACTIVE'))]))),
  ...['disconnect', 'expire', 'revoke'].map((action) =>
    inferred('A7', `After ${action}, new credentials make an account ACTIVE without an end`,
      walk(`make OAUTH, ${action}`), gives({ oauth_token: { access_token: 'newer' } },
        is('ACTIVE', { token_expires_at: absent })), walk('+1000h, reads ACTIVE'))),
  ...['disconnect', 'expire'].map((action) =>
    inferred('A7', `After ${action}, a refresh token alone makes an account ACTIVE, and the access token is new`,
      make('OAUTH', GRANTED), does(action), gives({ oauth_token: REFRESH }, is('ACTIVE')),
      gives({ oauth_token: REFRESH }, is('ACTIVE'), NOTHING), auth(OWN, holds(
        { oauth_token: { access_token: not('canary-access-token'), ...REFRESH } }, { token_expires_at: '{now+1h}' })),
      walk(`${action}, consents, reads PENDING_VERIFICATION`),
      gives({ oauth_token: { refresh_token: 'newer' } }, is('ACTIVE')), walk('verifies 404'))),
  inferred('A7 A8', 'After revoke, the same credentials are new only once it has ended, and a refresh token refreshes',
    walk('make OAUTH, revoke'), gives(USABLE.OAUTH, is('ACTIVE'), NOTHING), walk('expire'),
    gives(USABLE.OAUTH, is('ACTIVE')), walk('deletes, consents, verifies, finds ACTIVE, revoke'),
    walk('+1h, reads EXPIRED, rewinds'), gives({ oauth_token: REFRESH }), walk('+1h, reads ACTIVE')),
  inferred('V6 A7', 'Usable credentials end the open requests of an account; a refresh token alone does not',
    walk('make OAUTH, consents'), gives(USABLE.OAUTH, is('ACTIVE'), changed('updated PENDING_VERIFICATION > ACTIVE')),
    walk('verifies 404, pend, consents'), gives({ oauth_token: REFRESH }, is('PENDING_VERIFICATION')), walk('verifies')),
]);
