/** Connected accounts: lists, credentials, changes, and what a third party does to them (behaviour A1 to A10, I3, I4). */
import type { OperationId } from '../../service/contract.ts';
import { advance, answer, type Came, type Changes, calls, control, event, given, inferred, later, NOTHING, only, opens, promised,
  refused, type Step, type Steps, setsClock, table, toEach, type Wanted } from '../case.ts';
import { absent, aTime, empty, exactly, like, listOf, not, someText, whole } from '../matchers.ts';

const { listConnectedAccounts: list, searchConnectedAccounts: search, createConnectedAccount: create } = calls;
const { getConnectedAccountAuth: auth, getConnectedAccountDetails: details, deleteConnectedAccount: remove } = calls;
const { updateConnectedAccount, createMagicLink, verifyConnectedAccountUser } = calls;

const [TOKEN, REFRESH] = [{ access_token: 'canary-access-token' }, { refresh_token: 'canary-refresh-token' }] as const;
const GRANTED = { oauth_token: TOKEN };
/** Credentials that make an account of each type usable (behaviour A6). */
const CREDENTIALS = {
  OAUTH: { oauth_token: { ...TOKEN, ...REFRESH } },
  OAUTH_M2M: GRANTED, VENDORA_OAUTH1: GRANTED, SMART_FHIR: GRANTED,
  API_KEY: { static_auth: { details: { api_key: 'canary-api-key' } } },
  BASIC: { static_auth: { details: { username: 'canary-user', password: 'canary-password' } } },
  BEARER: { static_auth: { details: { token: 'canary-bearer' } } },
  VENDORB_DWD: { vendorb_dwd: { subject: 'conformance@delegated.test' } },
  TRUSTED_IDP: { trusted_idp: { db_user: 'conformance' } },
  NO_AUTH: undefined,
};
type Kind = keyof typeof CREDENTIALS;

export const VERIFY_URL = 'https://client.test/verified?kept=yes';
export const pair = (type: Kind | 'disabled' | 'draft' | 'signIn') =>
  ({ connector: `{${type}.key_id}`, identifier: '{unique}' });
export const [OAUTH, API_KEY] = [pair('OAUTH'), pair('API_KEY')];
const MINE = { identifier: '{unique}' };
/** These credentials in a reply, and in a body. */
export const holds = (authorization_details: unknown, more: object = {}) => ({ authorization_details, ...more });
const brings = (...credentials: Parameters<typeof holds>) => ({ connected_account: holds(...credentials) });
/** Makes an account of this type, by default a usable one. */
export const make = (type: Kind, credentials: unknown = CREDENTIALS[type], ...came: Came): Step =>
  create({ ...pair(type), ...brings(credentials) }, ...came);
/** The account of the case. */
export const OWN = { id: '{connected_account.id}' };
const [FIRST, SECOND] = ['{1:connected_account.id}', '{2:connected_account.id}'];
export const is = (status: string, more: object = {}) => ({ status, ...more });
export const reads = (status: string, more: object = {}): Step => details(OWN, is(status, more));
const update = (connected_account: object, ...came: Came): Step => updateConnectedAccount({ ...OWN, connected_account }, ...came);
const gives = (authorization_details: object, ...came: Came): Step => update({ authorization_details }, ...came);
/** What a third party does: expire, disconnect, pend, revoke or grant. */
export const does = (action: string, wanted: object = {}, after?: Changes): Step =>
  control(`POST /connected_accounts/{connected_account.id}/${action}`, undefined, { connected_account: wanted }, after);
/** A user approves a link to the account of this type, and is not verified yet. */
export const CONSENTS = [createMagicLink({ ...OAUTH, user_verify_url: VERIFY_URL }), opens('GET {link}?decision=approve')];
export const verifies = (more: object = {}, wanted: Wanted = {}, after?: Changes): Step =>
  verifyConnectedAccountUser({ auth_request_id: '{query.auth_request_id}', ...MINE, ...more }, wanted, after);
/** A flow in words: `make OAUTH, expire, reads EXPIRED, +1h`. Other words are actions, with the status that they give. */
export const walk = (flow: string): Steps => flow.split(', ').map((step): Steps => {
  const [verb = '', word = ''] = step.split(' ');
  if (verb.startsWith('+')) return advance(verb.slice(1));
  return VERBS[verb]?.(word as Kind) ?? does(verb, word === '' ? {} : is(word));
});
const VERBS: Readonly<Record<string, (word: Kind) => Steps>> = {
  make: (type) => make(type), creates: (type) => create(pair(type)), deletes: () => remove(OAUTH),
  reads: (status) => details(OWN, is(status)), finds: (status) => details(OAUTH, is(status)),
  consents: () => CONSENTS, verifies: (status) => verifies({}, Number(status) || {}), rewinds: () => setsClock('{now}'),
};
const changed = (change: string) => [event(`connected_account.${change}`, whole(OWN))];
const EXPIRED = is('EXPIRED');
const ENDING = is('ACTIVE', { token_expires_at: '{now+1h}' });

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

/** Just these accounts, in this order. */
export const shows = (rows: readonly unknown[], more: object = {}) => ({ connected_accounts: exactly(...rows), ...more });
/** Just the account of a flow, after its credentials were fetched. */
const LISTED = shows([whole({ ...OAUTH, ...OWN, connection_id: '{OAUTH.id}', provider: someText, status: 'ACTIVE',
  authorization_type: 'OAUTH', updated_at: '{now}', token_expires_at: '{now+1h}', last_used_at: '{now}' })]);
const size = (length: number, more: object = {}) => shows(Array(length).fill({}), more);
const ids = (...all: string[]) => shows(all.map((id) => ({ id })), { total_size: all.length });
const TWO = [make('OAUTH'), make('API_KEY')];
const OF_TWO = { ...MINE, page_size: 1 };
const NEXT = { page_token: '{next_page_token}' };
/** A page of `TWO`. */
const page = (id: unknown, more: object = {}) => shows([{ id }], { total_size: 2, ...more });
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
const found = (digits = '') => ids(...Array.from(digits, (digit) => `ca_${digit}`));

/** What is sent, and the first status (behaviour A5, A6). */
const FIRST_STATUS: readonly (readonly [Kind, unknown, string])[] = [
  ['OAUTH', { static_auth: {}, trusted_idp: {}, ...CREDENTIALS.OAUTH }, 'ACTIVE'],
  ['OAUTH', { oauth_token: REFRESH }, 'PENDING_AUTH'], ['OAUTH', {}, 'PENDING_AUTH'],
  ['OAUTH', { oauth_token: { access_token: '' } }, 'PENDING_AUTH'], ['NO_AUTH', { oauth_token: {} }, 'ACTIVE'],
  ['API_KEY', { static_auth: { details: {} } }, 'PENDING_AUTH'], ['VENDORB_DWD', { vendorb_dwd: {} }, 'PENDING_AUTH'],
];
const UNFIT: readonly (readonly [Kind, object, ...string[]])[] = [
  ['OAUTH', CREDENTIALS.API_KEY, 'static_auth'], ['API_KEY', { ...CREDENTIALS.API_KEY, ...GRANTED }, 'oauth_token'],
  ['TRUSTED_IDP', { ...CREDENTIALS.TRUSTED_IDP, ...CREDENTIALS.VENDORB_DWD, ...GRANTED }, 'oauth_token', 'vendorb_dwd'],
  ['NO_AUTH', { ...GRANTED, ...CREDENTIALS.API_KEY }, 'oauth_token', 'static_auth'],
];
const unfit = (...names: string[]) => names.map((name) => `connected_account.authorization_details.${name}`);
const SECRETS = { secret_access_key: 'canary-secret', session_token: 'canary-secret', access_key_id: 'canary-secret' };
const FULL = { oauth_token: { ...TOKEN, ...REFRESH, domain: 'a.test', scopes: ['one', 'two'] } };
const NESTED = { static_auth: { details: { key: 'canary-key', nested: { of: ['any', 'form'] } } } };
const MINTED = ['VENDORB_DWD', 'TRUSTED_IDP'] as const;
const FREE = { api_config: { free: { of: ['any', 'form', 1, true] } } };
const NOWHERE = { connector: 'conformance-nothing', identifier: 'nobody' };

/** The cases of an operation on one account. @param more what it sends beside the account's address */
export const addressed = (id: OperationId, more: object = {}) => {
  const send = calls[id] as typeof auth; // each takes the same names for an account
  return [
    promised('A2', `${id} refuses a call that has neither an id nor both connector and identifier`,
      send(more, ['id']), send({ ...more, connector: 'mail' }, ['identifier']),
      send({ ...more, identifier: 'nobody' }, ['connector']), send({ ...more, organization_id: 'org_1' }, ['id'])),
    inferred('A2', `${id} finds an account by id, or by connector in any case and identifier, and the id wins`,
      make('API_KEY'), [OWN, API_KEY].map((one) => send({ ...more, ...one, organization_id: 'org_1' }, 404)),
      send({ ...more, ...OWN, user_id: 'u' }, 404), send({ ...more, id: FIRST, ...NOWHERE }),
      make('OAUTH', {}, id === 'deleteConnectedAccount' ? {} : { id: not(FIRST) }),
      send({ ...more, connector: '{OAUTH.key_id|upper}', ...MINE })),
    promised('I2', `${id} finds an account by its organization and user, though nobody knows these`,
      [{ organization_id: 'nobody-knows' }, { user_id: '42' }].map((owner, nth) => {
        const body = { connector: '{API_KEY.key_id}', identifier: `{unique}-${nth}`, ...owner };
        return [create(body), send({ ...more, ...body })];
      })),
  ];
};

export const ACCOUNTS = table([
  'listConnectedAccounts',
  promised('A1', 'A list of accounts has page tokens and a count, and leaves out credentials and configuration',
    list({}, { connected_accounts: listOf({ id: like(/^ca_/), authorization_details: absent, api_config: absent }),
      next_page_token: like(/^/), prev_page_token: '' })),
  promised('A1', 'Each account in a list and in a search has the ten documented fields and no others',
    walk('consents, verifies'), auth(OAUTH), [list(OAUTH, LISTED), search({ query: '{unique}' }, LISTED)]),
  inferred('A1 I6', 'Filters join by AND, and accounts are listed with the oldest first',
    WORLD, toEach('listConnectedAccounts', FILTERS, found), list(EACH, ids('ca_1')),
    Object.keys(EACH).map((name) => list({ ...EACH, [name]: 'another' }, ids()))),
  inferred('A1', 'An unknown connection and a sign-in connection in connection_names answer 404',
    ['conformance-nothing', '{signIn.key_id}'].map((connection_names) => list({ connection_names }, 404)), WORLD,
    list({ connection_names: ['mail', 'crn'] }, refused('NOT_FOUND', 'Did you mean "crm"?')),
    list({ connection_names: 'oidc' },
      refused('NOT_FOUND', 'is of type OIDC, which signs users in and holds no accounts'))),
  promised('I4', 'A list of accounts with a page_token that no list gave is refused',
    ['no token', 'bm9uc2Vuc2U'].map((page_token) => list({ page_token }, ['page_token']))),
  inferred('I3', 'A page has ten accounts by default and for a page_size of 0',
    MANY, list({}, size(10, { total_size: 32, prev_page_token: '' })), list({ page_size: 0 }, size(10)),
    list({ page_size: 32 }, size(32, { next_page_token: '' })), list({ page_size: 100 }, size(32))),
  promised('I4', 'next_page_token leads to the next page of accounts, and prev_page_token leads back',
    TWO, list(OF_TWO, page(FIRST, { prev_page_token: '', next_page_token: someText })),
    list({ ...OF_TWO, ...NEXT }, page(SECOND, { next_page_token: '', prev_page_token: someText })),
    list({ ...OF_TWO, page_token: '{prev_page_token}' }, page(FIRST, { prev_page_token: '' }))),
  inferred('I4', 'A page token holds the filters of its list, and is refused with others or in another operation',
    TWO, list(OF_TWO), list({ ...NEXT, page_size: 50 }, page(SECOND)),
    [{ identifier: 'another' }, { user_id: '42' }].map((other) =>
      list({ page_token: '{3:next_page_token}', ...other }, Object.keys(other))),
    search({ page_token: '{3:next_page_token}', query: '{unique}' }, ['page_token']),
    search({ query: '{unique}', page_size: 1 }), search(NEXT, ['query'])),
  inferred('I4 I6', 'A page token is accepted with the same filters in another case or order',
    WORLD, ([[{ connector: 'mail' }, { connector: 'MAIL' }, '3'], [{ query: 'acme' }, { query: 'ACME' }, '2'],
      [{ connection_names: ['mail', 'crm'] }, { connection_names: ['CRM', 'Mail', 'mail'] }, '2'],
    ] as const).map(([filter, same, next]) => [list({ ...filter, page_size: 1 }),
      list({ ...same, ...NEXT, page_size: 1 }, shows([{ id: `ca_${next}` }]))])),
  inferred('I4', 'After an account is deleted or made, the next page neither skips nor repeats an account',
    TWO, list(OF_TWO), remove({ id: FIRST }), make('BASIC'),
    list({ ...OF_TWO, ...NEXT }, page(SECOND, { next_page_token: someText }))),
  'searchConnectedAccounts',
  promised('A1', 'A search leaves out the credentials of the accounts, as a list does', search({ query: 'conformance' },
    { connected_accounts: listOf({ authorization_details: absent, api_config: absent }), prev_page_token: '' })),
  promised('A1', 'A search looks for its text in identifier, connector and provider, in any case',
    make('API_KEY'), search({ query: '{unique|upper}' }, shows([OWN])),
    ['{API_KEY.key_id|upper}', '{connected_account.provider|lower}'].map((query) =>
      search({ query }, { connected_accounts: [{}] }))),
  inferred('A1', 'A search finds its text within one of the three, and connection_id narrows it',
    make('API_KEY'), search({ query: '{unique}', connection_id: '{API_KEY.id}' }, ids(FIRST)),
    search({ query: '{unique}', connection_id: 'conn_999999999999999999' },
      shows([], { next_page_token: '', prev_page_token: '', total_size: 0 })),
    WORLD, toEach('searchConnectedAccounts', SEARCHES, found)),
  inferred('I3', 'A page of a search has ten accounts by default, and 30 at most',
    MANY, search({ query: 'user' }, size(10)), search({ query: 'user', page_size: 30 }, size(30))),
  'createConnectedAccount',
  promised('A6', 'Creating an account returns the whole account, with its credentials',
    create({ ...OAUTH, ...brings(CREDENTIALS.OAUTH, FREE) }, holds(CREDENTIALS.OAUTH,
      { ...OAUTH, ...FREE, id: like(/^ca_/), connection_id: someText, updated_at: aTime, status: 'ACTIVE' }))),
  inferred('A3 A10 I1 I6', 'A new account has just the documented members; its connector may be in any case',
    create({ ...OAUTH, connector: '{OAUTH.key_id|upper}', ...brings(CREDENTIALS.OAUTH) }, whole({ ...OAUTH,
      id: like(/^ca_\d{18}$/), connection_id: '{OAUTH.id}', provider: '{OAUTH.provider_key|upper}', api_config: {},
      authorization_type: 'OAUTH', status: 'ACTIVE', updated_at: '{now}', authorization_details: CREDENTIALS.OAUTH }),
      changed('created > ACTIVE'))),
  promised('A4 I6', 'A second account with the same connector and identifier answers 409 and changes nothing',
    make('OAUTH'), make('OAUTH', {}, refused('RESOURCE_ALREADY_EXISTS'), NOTHING),
    create({ ...OAUTH, connector: '{OAUTH.key_id|upper}', organization_id: 'another' },
      answer(409, { details: [{ resource_info: { resource_name: like(FIRST) } }] })),
    reads('ACTIVE', { updated_at: '{1:connected_account.updated_at}' })),
  inferred('R1 T4', 'A new account of a disabled or DRAFT connection is a 403, with wrong credentials a 400',
    (['disabled', 'draft'] as const).map((name) => create(pair(name), refused('CONNECTION_NOT_ENABLED'))),
    create({ ...pair('disabled'), ...brings(CREDENTIALS.API_KEY) }, unfit('static_auth'))),
  inferred('A3', 'An unknown connector and a sign-in connection are refused, with the most similar connector',
    create(NOWHERE, ['connector']), create(pair('signIn'), ['connector']), WORLD,
    create({ connector: 'maill', identifier: 'a' }, refused('INVALID_ARGUMENT', 'Did you mean "mail"?')),
    create({ connector: 'oidx', identifier: 'a' }, answer(400, { message: like(/^(?!.*"oidc")/s) }))),
  promised('I5', 'A connector has letters, digits, spaces, hyphens, underscores and colons, but no slash',
    create({ ...NOWHERE, connector: 'no/such' }, ['connector']), details({ ...NOWHERE, connector: 'Az 09-_:' }, 404)),
  ...(Object.keys(CREDENTIALS) as Kind[]).map((type) => { // these are kinds
    const first = type === 'NO_AUTH' ? 'ACTIVE' : 'PENDING_AUTH';
    const kind = { authorization_type: type === 'BEARER' ? 'BEARER_TOKEN' : type };
    return inferred('A5 A6', `An account of a ${type} connection is ACTIVE with credentials, else ${first}`,
      make(type, CREDENTIALS[type], is('ACTIVE', kind)),
      create({ ...pair(type), identifier: '{unique}-2' }, is(first, { ...kind, token_expires_at: absent })));
  }),
  inferred('A5 A6', 'Credentials without members count as absent, and a refresh token alone is not usable',
    FIRST_STATUS.map(([type, sent, status], nth) =>
      create({ ...pair(type), identifier: `{unique}-${nth}`, ...brings(sent) }, is(status)))),
  promised('A5', 'A new account returns an OAuth token and static credentials in the form in which they were sent',
    make('OAUTH', FULL, holds(whole(FULL), { token_expires_at: absent })), make('API_KEY', NESTED, holds(whole(NESTED)))),
  promised('A5 A6', 'An account of a VENDORB_DWD or TRUSTED_IDP connection returns what the server makes, without secrets',
    make('VENDORB_DWD', undefined, holds({ vendorb_dwd: whole({ ...CREDENTIALS.VENDORB_DWD.vendorb_dwd,
      access_token: someText, scopes: [someText], token_expires_at: '{now+1h}' }) }, { token_expires_at: aTime })),
    make('TRUSTED_IDP', { trusted_idp: { db_user: 'conformance', ...SECRETS } }, holds({ trusted_idp: whole({
      db_user: 'conformance', access_key_id: not('canary-secret'), expiry: '{now+1h}' }) }))),
  inferred('A6', 'What the server makes lasts provider_token_ttl; a serverless connection needs no db_user',
    given({ settings: { provider_token_ttl: '5m' }, connections: [
      { key_id: 'lake', type: 'TRUSTED_IDP', serverless: true }] }),
    make('TRUSTED_IDP', undefined, holds({ trusted_idp: { access_key_id: like(/^TESTKEY[A-Z0-9]+$/),
      expiry: '{now+5m}' } }, { token_expires_at: '{now+5m}' })),
    create({ connector: 'lake', identifier: 'a' },
      holds({ trusted_idp: whole({ access_key_id: someText, expiry: '{now+5m}' }) }, is('ACTIVE')))),
  inferred('A5', 'One error names all credentials that do not fit the connection, also of an update',
    UNFIT.map(([type, sent, ...names]) => make(type, sent, unfit(...names))),
    make('OAUTH'), gives(CREDENTIALS.API_KEY, unfit('static_auth'), NOTHING)),
  inferred('A5', 'Members that only a reply has are dropped, and no secret is kept',
    make('TRUSTED_IDP', { trusted_idp: { db_user: 'ada', ...SECRETS, other: 'canary-secret' } }, {}, { state: {
      connected_accounts: [holds(whole({ trusted_idp: { db_user: 'ada', access_key_id: like(/^TESTKEY/) } }), OWN)] } }),
    make('VENDORB_DWD', { vendorb_dwd: { subject: 's', access_token: 'canary-secret', scopes: ['canary-secret'] } },
      holds({ vendorb_dwd: { access_token: not('canary-secret'), scopes: not(['canary-secret']) } }))),
  'getConnectedAccountAuth',
  ...addressed('getConnectedAccountAuth'),
  promised('A8', 'Fetching the credentials of an account returns them in full, and sets last_used_at',
    make('OAUTH'), reads('ACTIVE', { last_used_at: absent }), later('1h'),
    auth(OWN, holds(CREDENTIALS.OAUTH, { last_used_at: '{now+1h}', updated_at: '{now}' })),
    details(OWN, { last_used_at: '{now+1h}' }), auth(OWN, {}, NOTHING)),
  inferred('A8', 'Without credentials to give, the answer is 200 without them, and last_used_at stays',
    [OAUTH, pair('NO_AUTH')].map((one) => [create(one), auth(OWN, holds(absent, { last_used_at: absent }), NOTHING)])),
  inferred('A8', 'From the end of its token an account without a refresh token reads EXPIRED, until time goes back',
    given({ connected_accounts: [{ ...OAUTH, ...holds(GRANTED, ENDING) }] }),
    setsClock('2026-03-01T12:59:59.999Z'), walk('finds ACTIVE, +1ms'),
    auth(OAUTH, holds(absent, EXPIRED), NOTHING), walk('reads EXPIRED'), list(MINE, shows([EXPIRED])),
    search({ query: '{unique}' }, shows([EXPIRED])), walk('rewinds, reads ACTIVE')),
  inferred('A8', 'An account that the provider would refresh reads ACTIVE, and its token is refreshed once',
    given({ connected_accounts: [{ ...OAUTH, ...holds(CREDENTIALS.OAUTH, ENDING) }] }),
    walk('+1h, finds ACTIVE'), auth(OWN, is('ACTIVE', { updated_at: '{now+1h}', ...holds(
      { oauth_token: { access_token: not(TOKEN.access_token), ...REFRESH } }, { token_expires_at: '{now+2h}' }) })),
    advance('1s'), auth(OWN, { token_expires_at: '{now+2h}', updated_at: '{now+1h}', authorization_details: {
      oauth_token: { access_token: '{4:connected_account.authorization_details.oauth_token.access_token}' } } })),
  inferred('A8', 'The credentials that the server makes are made anew at their end, unless access was revoked',
    MINTED.map((type) => [walk(`rewinds, make ${type}, +1h`), auth(OWN, is('ACTIVE', {
      token_expires_at: '{now+2h}', authorization_details: not('{connected_account.authorization_details}') })),
      walk('revoke, +1h, reads EXPIRED')])),
  inferred('A8', 'A DISCONNECTED account stays so past the end of its token, which is not refreshed',
    [CREDENTIALS.OAUTH, GRANTED].map((credentials) => [setsClock('{now}'), given({ connected_accounts: [
      { ...OAUTH, ...holds(credentials, is('DISCONNECTED')), token_expires_at: '{now+1h}' }] }), advance('2h'),
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
    walk('make VENDORB_DWD, revoke'), does('pend', is('PENDING_AUTH', { token_expires_at: absent }),
      { state: { connected_accounts: [is('PENDING_AUTH', { ...OWN, refresh: not('deny') })] } }), advance('2h'),
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
  ...addressed('getConnectedAccountDetails'),
  promised('A10', 'The details of an account have its configuration, but no credentials',
    create({ ...API_KEY, ...brings(CREDENTIALS.API_KEY, FREE) }),
    details(OWN, holds(absent, { ...API_KEY, ...FREE, provider: someText, updated_at: aTime }))),
  inferred('A10', 'The details have every other member, and reading them changes nothing',
    make('API_KEY'), details(OWN, whole({ ...OWN, ...API_KEY, connection_id: '{API_KEY.id}', status: 'ACTIVE',
      provider: '{API_KEY.provider_key|upper}', authorization_type: 'API_KEY', updated_at: '{now}', api_config: {} }),
      NOTHING)),
  inferred('A2 A3', 'An account that is not there answers 404, and the message names what was looked for',
    WORLD, [{ id: 'ca_9' }, { id: 'ca_1', organization_id: GLOBEX }, { id: 'ca_3', user_id: ADA },
      { connector: 'mail', identifier: 'ADA@acme.test' }, { connector: 'unknown', identifier: 'ada@acme.test' },
      { connector: 'mail', identifier: 'ada@acme.test', organization_id: GLOBEX },
    ].map((query) => Object.values(query).map((value) => details(query, refused('NOT_FOUND', value)))),
    details({ connector: 'Mail', identifier: 'ada@acme.test', organization_id: ACME, user_id: ADA }, { id: 'ca_1' })),
  'updateConnectedAccount',
  ...addressed('updateConnectedAccount', { connected_account: {} }),
  promised('A7', 'An update of api_config replaces the top-level members that are sent, and keeps the others',
    create({ ...OAUTH, connected_account: { api_config: { folder: 'inbox', deep: { one: 1 } } } }), later('1m'),
    update({ api_config: { deep: { two: 2 }, added: true } }, is('PENDING_AUTH', { updated_at: '{now+1m}',
      api_config: whole({ folder: 'inbox', deep: { two: 2 }, added: true }) }),
      [{ type: 'connected_account.updated', resource: whole(OWN), from: absent, to: absent }])),
  promised('A7', 'An update of credentials changes only the members that are sent',
    make('OAUTH', FULL), gives({ oauth_token: { access_token: 'newer', scopes: [] } },
      holds(whole({ oauth_token: { access_token: 'newer', ...REFRESH, domain: 'a.test', scopes: [] } }))),
    make('API_KEY'), gives(CREDENTIALS.BEARER, holds(whole(CREDENTIALS.BEARER))),
    make('SMART_FHIR', { oauth_token: REFRESH }), gives(GRANTED, holds(whole(CREDENTIALS.OAUTH), is('ACTIVE')))),
  inferred('A7', 'Usable credentials make a PENDING_AUTH account ACTIVE; a refresh token alone does not',
    create(OAUTH), update({ api_config: { folder: 'inbox' } }, is('PENDING_AUTH')),
    [{ access_token: '' }, REFRESH].map((oauth_token) => gives({ oauth_token }, is('PENDING_AUTH'))),
    auth(OWN, holds(absent), NOTHING), gives(CREDENTIALS.OAUTH, holds(CREDENTIALS.OAUTH, is('ACTIVE')))),
  inferred('A7', 'An update with the same values, or without values, changes nothing',
    walk('make OAUTH, +1m'), [{}, { api_config: {} }, { authorization_details: CREDENTIALS.OAUTH }].map((same) =>
      update(same, holds(CREDENTIALS.OAUTH, { updated_at: '{1:connected_account.updated_at}' }), NOTHING)),
    updateConnectedAccount(OWN, holds(CREDENTIALS.OAUTH), NOTHING)),
  ...(['OAUTH', 'API_KEY', ...MINTED] as const).map((type) =>
    inferred('A7', `The same credentials of type ${type} change nothing, but bring back an account that has ended`,
      walk(`make ${type}, +1m`), gives(CREDENTIALS[type],
        holds('{1:connected_account.authorization_details}', is('ACTIVE', { updated_at: '{now}' })), NOTHING),
      ['disconnect', 'expire'].map((action) => [does(action), gives(CREDENTIALS[type], is('ACTIVE'))]))),
  ...['disconnect', 'expire', 'revoke'].map((action) =>
    inferred('A7', `After ${action}, new credentials make an account ACTIVE without an end`,
      walk(`make OAUTH, ${action}`), gives({ oauth_token: { access_token: 'newer' } },
        is('ACTIVE', { token_expires_at: absent })), walk('+1000h, reads ACTIVE'))),
  ...['disconnect', 'expire'].map((action) =>
    inferred('A7', `After ${action}, a refresh token alone makes an account ACTIVE, and the access token is new`,
      make('OAUTH', GRANTED), does(action), gives({ oauth_token: REFRESH }, is('ACTIVE')),
      gives({ oauth_token: REFRESH }, is('ACTIVE'), NOTHING), auth(OWN, holds(
        { oauth_token: { access_token: not(TOKEN.access_token), ...REFRESH } }, { token_expires_at: '{now+1h}' })),
      walk(`${action}, consents, reads PENDING_VERIFICATION`),
      gives({ oauth_token: { refresh_token: 'newer' } }, is('ACTIVE')), walk('verifies 404'))),
  inferred('A7 A8', 'After revoke, the same credentials are new only once it has ended, and a refresh token refreshes',
    walk('make OAUTH, revoke'), gives(CREDENTIALS.OAUTH, is('ACTIVE'), NOTHING), walk('expire'),
    gives(CREDENTIALS.OAUTH, is('ACTIVE')), walk('deletes, consents, verifies, finds ACTIVE, revoke'),
    walk('+1h, reads EXPIRED, rewinds'), gives({ oauth_token: REFRESH }), walk('+1h, reads ACTIVE')),
  inferred('V6 A7', 'Usable credentials end the open requests of an account; a refresh token alone does not',
    walk('make OAUTH, consents'), gives(CREDENTIALS.OAUTH, is('ACTIVE'), changed('updated PENDING_VERIFICATION > ACTIVE')),
    walk('verifies 404, pend, consents'), gives({ oauth_token: REFRESH }, is('PENDING_VERIFICATION')), walk('verifies')),
  'deleteConnectedAccount',
  ...addressed('deleteConnectedAccount'),
  promised('A9 I1', 'A deleted account answers 404, and a new one can have its connector and identifier',
    make('OAUTH'), remove(OWN, empty, changed('deleted ACTIVE')), [details, auth, remove].map((send) => send(OWN, 404)),
    list(MINE, { total_size: 0 }), create(OAUTH), details(OAUTH, { id: not(FIRST) })),
  inferred('A9 V2 V6', 'After an account is deleted, its link and its request both answer 404',
    CONSENTS, createMagicLink(OAUTH), remove(OAUTH, empty,
      { events: [event('connected_account.deleted PENDING_VERIFICATION')], state: { authorization_links: absent,
        verification_requests: not([{ account: '{OAUTH.key_id}/{unique}' }]) } }),
    opens('GET {link}?decision=approve', answer(404)), verifies({}, 404)),
]);
