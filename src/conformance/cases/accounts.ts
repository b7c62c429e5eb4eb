/** Connected accounts: lists, credentials, changes, and what a third party does to them (behaviour A1 to A10). */
import { type After, advance, answer, calls, control, given, inferred, later, NOTHING, only, opens, promised,
  refused, type Step, sends, setsClock, table, type Wanted } from '../case.ts';
import { absent, aTime, empty, exactly, like, not, someText, whole } from '../matchers.ts';

const { listConnectedAccounts: list, searchConnectedAccounts: search, createConnectedAccount: create } = calls;
const { getConnectedAccountAuth: auth, getConnectedAccountDetails: details } = calls;
const { updateConnectedAccount, deleteConnectedAccount, createMagicLink, verifyConnectedAccountUser } = calls;

const TOKEN = { oauth_token: { access_token: 'canary-access-token' } };
/** Credentials that make an account of each type usable (behaviour A6). */
export const CREDENTIALS = {
  OAUTH: { oauth_token: { access_token: 'canary-access-token', refresh_token: 'canary-refresh-token' } },
  OAUTH_M2M: TOKEN, VENDORA_OAUTH1: TOKEN, SMART_FHIR: TOKEN,
  API_KEY: { static_auth: { details: { api_key: 'canary-api-key' } } },
  BASIC: { static_auth: { details: { username: 'canary-user', password: 'canary-password' } } },
  BEARER: { static_auth: { details: { token: 'canary-bearer' } } },
  VENDORB_DWD: { vendorb_dwd: { subject: 'conformance@delegated.test' } },
  TRUSTED_IDP: { trusted_idp: { db_user: 'conformance' } },
  NO_AUTH: undefined,
};
type Kind = keyof typeof CREDENTIALS;
const REFRESH = { oauth_token: { refresh_token: 'canary-refresh-token' } };

export const VERIFY_URL = 'https://client.test/verified?kept=yes';
export const pair = (type: Kind | 'disabled' | 'draft' | 'signIn') =>
  ({ connector: `{${type}.key_id}`, identifier: '{unique}' });
export const [OAUTH, API_KEY] = [pair('OAUTH'), pair('API_KEY')];
export const account = (connected_account: object) => ({ connected_account });
/** An account with these credentials, in a body or in a reply. */
export const holds = (authorization_details: unknown, more: object = {}) => account({ authorization_details, ...more });
/** Makes an account of this type, by default a usable one. */
export const make = (type: Kind, credentials: unknown = CREDENTIALS[type], ...wanted: [Wanted?, After?]): Step =>
  create({ ...pair(type), ...holds(credentials) }, ...wanted);
export const pending = (type: Kind, more: object = {}): Step => create({ ...pair(type), ...more });
/** The account of the case. */
export const OWN = { id: '{connected_account.id}' };
export const is = (status: string, more: object = {}) => account({ status, ...more });
export const reads = (status: string, more: object = {}): Step => details(OWN, is(status, more));
const update = (connected_account: object, ...wanted: [Wanted?, After?]): Step =>
  updateConnectedAccount({ ...OWN, connected_account }, ...wanted);
const gives = (authorization_details: object, ...wanted: [Wanted?, After?]): Step =>
  update({ authorization_details }, ...wanted);
/** What a third party does: expire, disconnect, pend, revoke or grant. */
export const does = (action: string, wanted: object = {}, after?: After): Step =>
  control(`POST /connected_accounts/{connected_account.id}/${action}`, undefined, account(wanted), after);
/** A user approves a link to the account of this type, and is not verified yet. */
export const consents = (type: Kind = 'OAUTH', more: object = {}): readonly Step[] => [
  createMagicLink({ ...pair(type), user_verify_url: VERIFY_URL, ...more }), opens('GET {link}?decision=approve'),
];
export const verifies = (more: object = {}, wanted: Wanted = {}, after?: After): Step => verifyConnectedAccountUser(
  { auth_request_id: '{query.auth_request_id}', identifier: '{unique}', ...more }, wanted, after);
/** Makes an account by consent and verification, whose token has an end. */
export const VERIFIES = [...consents(), verifies()];
const event = (verb: string, more: object = {}) =>
  ({ type: `connected_account.${verb}`, resource: whole(OWN), ...more });

const FIRST = '{1:connected_account.id}';

export const [ACME, GLOBEX, ADA] = ['org_100000000000000001', 'org_100000000000000002', 'usr_100000000000000001'];
export const CONNECTIONS = [{ id: 'conn_mail', key_id: 'mail', type: 'OAUTH' }, { key_id: 'oidc', type: 'OIDC' },
  { id: 'conn_crm', key_id: 'crm', type: 'API_KEY', provider_key: 'sales' }];
export const WORLD = only({
  organizations: [{ id: ACME, name: 'acme' }, { id: GLOBEX, name: 'globex' }],
  users: [{ id: ADA, email: 'ada@acme.test' }], connections: CONNECTIONS,
  connected_accounts: [
    { id: 'ca_1', connector: 'mail', identifier: 'ada@acme.test', organization_id: ACME, user_id: ADA },
    { id: 'ca_2', connector: 'crm', identifier: 'ada@acme.test', user_id: ADA },
    { id: 'ca_3', connector: 'mail', identifier: 'Grace@acme.test', organization_id: ACME },
    { id: 'ca_4', connector: 'crm', identifier: 'linus@globex.test', organization_id: GLOBEX },
  ].map((row) => ({ ...row, status: 'PENDING_AUTH' })),
});

/** What is sent, and the first status (behaviour A5, A6). */
const FIRST_STATUS: readonly (readonly [Kind, unknown, string])[] = [
  ['OAUTH', { static_auth: {}, trusted_idp: {}, ...CREDENTIALS.OAUTH }, 'ACTIVE'], ['OAUTH', REFRESH, 'PENDING_AUTH'],
  ['OAUTH', {}, 'PENDING_AUTH'], ['OAUTH', { oauth_token: { access_token: '' } }, 'PENDING_AUTH'],
  ['API_KEY', { static_auth: { details: {} } }, 'PENDING_AUTH'], ['VENDORB_DWD', { vendorb_dwd: {} }, 'PENDING_AUTH'],
  ['NO_AUTH', { oauth_token: {} }, 'ACTIVE'],
];
const UNFIT: readonly (readonly [Kind, object, readonly string[]])[] = [
  ['OAUTH', CREDENTIALS.API_KEY, ['static_auth']],
  ['API_KEY', { ...CREDENTIALS.API_KEY, ...CREDENTIALS.OAUTH }, ['oauth_token']],
  ['TRUSTED_IDP', { ...CREDENTIALS.TRUSTED_IDP, ...CREDENTIALS.VENDORB_DWD, ...TOKEN }, ['oauth_token', 'vendorb_dwd']],
  ['NO_AUTH', { ...TOKEN, ...CREDENTIALS.API_KEY }, ['oauth_token', 'static_auth']],
];
const named = (names: readonly string[]) => names.map((name) => `connected_account.authorization_details.${name}`);
const SECRETS = { secret_access_key: 'canary-secret', session_token: 'canary-secret', access_key_id: 'canary-secret' };
const FULL = { oauth_token: { ...CREDENTIALS.OAUTH.oauth_token, domain: 'a.test', scopes: ['one', 'two'] } };
const NESTED = { static_auth: { details: { key: 'canary-key', nested: { of: ['any', 'form'] } } } };
const MINTED = ['VENDORB_DWD', 'TRUSTED_IDP'] as const;
const FREE = { api_config: { free: { of: ['any', 'form', 1, true] } } };
const NOWHERE = { connector: 'conformance-nothing', identifier: 'nobody' };

/** The operations on one account, each with what it sends beside the account's address. */
const ADDRESSED = Object.entries({
  getConnectedAccountAuth: [auth, {}], getConnectedAccountDetails: [details, {}],
  updateConnectedAccount: [updateConnectedAccount, account({})], deleteConnectedAccount: [deleteConnectedAccount, {}],
  createMagicLink: [createMagicLink, { user_verify_url: VERIFY_URL }],
} as unknown as Readonly<Record<string, [typeof auth, object]>>); // each takes the same names for an account

const addressing = ([id, [send, more]]: (typeof ADDRESSED)[number]) => [
  promised('A2', `${id} refuses a call that has neither an id nor both connector and identifier`,
    send(more, ['id']), send({ ...more, connector: 'mail' }, ['identifier']),
    send({ ...more, identifier: 'nobody' }, ['connector']), send({ ...more, organization_id: 'org_1' }, ['id'])),
  inferred('A2', `${id} finds an account by id, or by connector in any case and identifier, and the id wins`,
    make('API_KEY'), ...[{ organization_id: 'org_1' }, { user_id: 'u' }].map((owner) =>
      send({ ...more, ...OWN, ...owner }, 404)),
    send({ ...more, ...API_KEY, organization_id: 'org_1' }, 404),
    send({ ...more, id: FIRST, ...NOWHERE }),
    make('OAUTH', {}, id === 'deleteConnectedAccount' ? {} : account({ id: not(FIRST) })),
    send({ ...more, connector: '{OAUTH.key_id|upper}', identifier: '{unique}' })),
  promised('I2', `${id} finds an account by its organization and user, though nobody knows these`,
    ...[{ organization_id: 'nobody-knows' }, { user_id: '42' }].flatMap((owner, nth) => {
      const body = { connector: '{API_KEY.key_id}', identifier: `{unique}-${nth}`, ...owner };
      return [create(body), send({ ...more, ...body })];
    })),
];
const address = Object.fromEntries(ADDRESSED.map((each) => [each[0], addressing(each)]));
export const ADDRESSES_OF_LINKS = address.createMagicLink ?? [];

export const ACCOUNTS = table({
  createConnectedAccount: [
    promised('A6', 'Creating an account returns the whole account, with its credentials',
      create({ ...OAUTH, ...holds(CREDENTIALS.OAUTH, { api_config: { folder: 'inbox' } }) }, holds(CREDENTIALS.OAUTH, {
        ...OAUTH, id: like(/^ca_/), connection_id: someText, updated_at: aTime, status: 'ACTIVE', api_config: { folder: 'inbox' } }))),
    inferred('A3 A10 I1 I6', 'A new account has just the documented members; its connector may be in any case',
      create({ ...OAUTH, connector: '{OAUTH.key_id|upper}', ...holds(CREDENTIALS.OAUTH) }, account(whole({ ...OAUTH,
        id: like(/^ca_\d{18}$/), connection_id: '{OAUTH.id}', provider: '{OAUTH.provider_key|upper}',
        authorization_type: 'OAUTH', status: 'ACTIVE', updated_at: '{now}', api_config: {},
        authorization_details: CREDENTIALS.OAUTH })), { events: [event('created', { to: 'ACTIVE' })] })),
    promised('A4 I6', 'A second account with the same connector and identifier answers 409 and changes nothing',
      make('OAUTH'), make('OAUTH', {}, refused(409, 'RESOURCE_ALREADY_EXISTS'), NOTHING),
      create({ connector: '{OAUTH.key_id|upper}', identifier: '{unique}', organization_id: 'another' },
        answer(409, { details: [{ resource_info: { resource_name: like('{1:connected_account.id}') } }] })),
      details(OWN, is('ACTIVE', { updated_at: '{1:connected_account.updated_at}' }))),
    inferred('R1 T4', 'A new account of a disabled or DRAFT connection is a 403, with wrong credentials a 400',
      (['disabled', 'draft'] as const).map((name) => create(pair(name), refused(403, 'CONNECTION_NOT_ENABLED'))),
      create({ ...pair('disabled'), ...holds(CREDENTIALS.API_KEY) }, named(['static_auth']))),
    inferred('A3', 'An unknown connector and a sign-in connection are refused, with the most similar connector',
      create(NOWHERE, ['connector']), create(pair('signIn'), ['connector']), WORLD,
      create({ connector: 'maill', identifier: 'a' }, refused(400, 'INVALID_ARGUMENT', 'Did you mean "mail"?')),
      create({ connector: 'oidx', identifier: 'a' }, answer(400, { message: like(/^(?!.*"oidc")/s) }))),
    promised('I5', 'A connector has letters, digits, spaces, hyphens, underscores and colons, but no slash',
      create({ ...NOWHERE, connector: 'no/such' }, ['connector']), details({ ...NOWHERE, connector: 'Az 09-_:' }, 404)),
    ...Object.entries(CREDENTIALS).map(([type, credentials]) => {
      const first = type === 'NO_AUTH' ? 'ACTIVE' : 'PENDING_AUTH';
      const kind = { authorization_type: type === 'BEARER' ? 'BEARER_TOKEN' : type };
      return inferred('A5 A6', `An account of a ${type} connection is ACTIVE with credentials, else ${first}`,
        make(type as Kind, credentials, is('ACTIVE', kind)), // the keys of `CREDENTIALS` are kinds
        create({ ...pair(type as Kind), identifier: '{unique}-2' }, is(first, { ...kind, token_expires_at: absent })));
    }),
    inferred('A5 A6', 'Credentials without members count as absent, and a refresh token alone is not usable',
      FIRST_STATUS.map(([type, sent, status], nth) =>
        create({ ...pair(type), identifier: `{unique}-${nth}`, ...holds(sent) }, is(status)))),
    promised('A5', 'A new account returns an OAuth token and static credentials in the form in which they were sent',
      make('OAUTH', FULL, holds(whole(FULL), { token_expires_at: absent })), make('API_KEY', NESTED, holds(whole(NESTED)))),
    promised('A5 A6', 'An account of a VENDORB_DWD or TRUSTED_IDP connection returns what the server makes, without secrets',
      make('VENDORB_DWD', undefined, holds({ vendorb_dwd: whole({ subject: 'conformance@delegated.test', access_token: someText,
        scopes: [someText], token_expires_at: '{now+1h}' }) }, { token_expires_at: aTime })),
      make('TRUSTED_IDP', { trusted_idp: { db_user: 'conformance', ...SECRETS } }, holds({ trusted_idp: whole({
        db_user: 'conformance', access_key_id: not('canary-secret'), expiry: '{now+1h}' }) }))),
    inferred('A6', 'What the server makes lasts provider_token_ttl; a serverless connection needs no db_user',
      given({ settings: { provider_token_ttl: '5m' },
        connections: [{ key_id: 'lake', type: 'TRUSTED_IDP', serverless: true }] }),
      make('TRUSTED_IDP', undefined, holds({ trusted_idp: { access_key_id: like(/^TESTKEY[A-Z0-9]+$/),
        expiry: '{now+5m}' } }, { token_expires_at: '{now+5m}' })),
      create({ connector: 'lake', identifier: 'a' },
        holds({ trusted_idp: whole({ access_key_id: someText, expiry: '{now+5m}' }) }, { status: 'ACTIVE' }))),
    inferred('A5', 'One error names all credentials that do not fit the connection, also of an update',
      ...UNFIT.map(([type, sent, names]) => make(type, sent, named(names))),
      make('OAUTH'), gives(CREDENTIALS.API_KEY, named(['static_auth']), NOTHING)),
    inferred('A5', 'Members that only a reply has are dropped, and no secret is kept',
      make('TRUSTED_IDP', { trusted_idp: { db_user: 'ada', ...SECRETS, other: 'canary-secret' } }, {}, { state: {
        connected_accounts: [{ ...OWN, authorization_details: whole({ trusted_idp: { db_user: 'ada',
          access_key_id: like(/^TESTKEY/) } }) }] } }),
      make('VENDORB_DWD', { vendorb_dwd: { subject: 's', access_token: 'canary-secret', scopes: ['canary-secret'] } },
        holds({ vendorb_dwd: { access_token: not('canary-secret'), scopes: not(['canary-secret']) } }))),
  ],
  getConnectedAccountAuth: [
    ...(address.getConnectedAccountAuth ?? []),
    promised('A8', 'Fetching the credentials of an account returns them in full, and sets last_used_at',
      make('OAUTH'), reads('ACTIVE', { last_used_at: absent }), later('1h'),
      auth(OWN, holds(CREDENTIALS.OAUTH, { last_used_at: '{now+1h}', updated_at: '{now}' })),
      details(OWN, account({ last_used_at: '{now+1h}' })), auth(OWN, {}, NOTHING)),
    inferred('A8', 'Without credentials to give, the answer is 200 without them, and last_used_at stays',
      (['OAUTH', 'NO_AUTH'] as const).flatMap((type) => [pending(type),
        auth(OWN, holds(absent, { last_used_at: absent }), NOTHING)])),
    inferred('A8', 'From the end of its token an account without a refresh token reads EXPIRED, until time goes back',
      given({ connected_accounts: [{ ...OAUTH, id: 'ca_1', status: 'ACTIVE', token_expires_at: '{now+1h}',
        authorization_details: TOKEN }] }),
      setsClock('2026-03-01T12:59:59.999Z'), details({ id: 'ca_1' }, is('ACTIVE')), advance('1ms'),
      auth({ id: 'ca_1' }, is('EXPIRED', { authorization_details: absent }), NOTHING), reads('EXPIRED'),
      list({ identifier: '{unique}' }, { connected_accounts: exactly({ status: 'EXPIRED' }) }),
      search({ query: '{unique}' }, { connected_accounts: exactly({ status: 'EXPIRED' }) }),
      setsClock('{now}'), reads('ACTIVE')),
    inferred('A8', 'An account that the provider would refresh reads ACTIVE, and its token is refreshed once',
      given({ connected_accounts: [{ ...OAUTH, status: 'ACTIVE', token_expires_at: '{now+1h}',
        authorization_details: CREDENTIALS.OAUTH }] }),
      advance('1h'), details(OAUTH, is('ACTIVE')),
      auth(OWN, is('ACTIVE', { token_expires_at: '{now+2h}', updated_at: '{now+1h}', authorization_details: {
        oauth_token: { access_token: not('canary-access-token'), refresh_token: 'canary-refresh-token' } } })),
      advance('1s'), auth(OWN, account({ token_expires_at: '{now+2h}', updated_at: '{now+1h}', authorization_details: {
        oauth_token: { access_token: '{4:connected_account.authorization_details.oauth_token.access_token}' } } }))),
    inferred('A8', 'The credentials that the server makes are made anew at their end, unless access was revoked',
      ...MINTED.flatMap((type) => [setsClock('{now}'), make(type), advance('1h'),
        auth(OWN, is('ACTIVE', { token_expires_at: '{now+2h}',
          authorization_details: not('{connected_account.authorization_details}') })),
        does('revoke'), advance('1h'), reads('EXPIRED')])),
    inferred('A8', 'A DISCONNECTED account stays so past the end of its token, which is not refreshed',
      ...([CREDENTIALS.OAUTH, TOKEN] as const).flatMap((authorization_details) => [setsClock('{now}'),
        given({ connected_accounts: [{ ...OAUTH, status: 'DISCONNECTED', token_expires_at: '{now+1h}',
          authorization_details }] }),
        advance('2h'), auth(OAUTH, is('DISCONNECTED', { token_expires_at: '{now+1h}',
          authorization_details: absent }), NOTHING)])),
    ...(['OAUTH', 'API_KEY', 'VENDORB_DWD', 'TRUSTED_IDP', 'NO_AUTH'] as const).map((type) =>
      inferred('A8', `The action expire makes an account of type ${type} EXPIRED now, until grant or time goes back`,
        make(type), advance('1h'), does('expire', { status: 'EXPIRED', token_expires_at: '{now+1h}' },
          { events: [event('updated', { from: 'ACTIVE', to: 'EXPIRED' })] }),
        auth(OWN, holds(absent)), setsClock('{now}'), reads('ACTIVE'), does('disconnect'), advance('1h'),
        does('expire', { status: 'EXPIRED' }), does('grant', { status: 'ACTIVE' }))),
    inferred('A8', 'The action grant undoes expire and disconnect for an account that has no token to refresh',
      [make('API_KEY'), pending('NO_AUTH')].flatMap((step) => [step, ...['expire', 'disconnect'].flatMap((action) =>
        [does(action), does('grant', { status: 'ACTIVE', token_expires_at: absent })])]),
      pending('BASIC'), does('disconnect'), does('grant', { status: 'PENDING_AUTH' }),
      does('expire', { status: 'EXPIRED' }, { events: [event('updated', { from: 'PENDING_AUTH', to: 'EXPIRED' })] })),
    inferred('A8', 'The action grant lets an expired token be refreshed, and leaves a disconnected account as it is',
      make('OAUTH'), does('expire'), does('grant', { status: 'ACTIVE', token_expires_at: '{now}' }),
      does('disconnect'), does('grant', { status: 'DISCONNECTED' })),
    inferred('A8', 'The action pend takes away the credentials with their end and a revocation, so that nothing expires later',
      make('VENDORB_DWD'), does('revoke'), does('pend', { status: 'PENDING_AUTH', token_expires_at: absent },
        { state: { connected_accounts: [{ ...OWN, refresh: not('deny'), status: 'PENDING_AUTH' }] } }), advance('2h'),
      auth(OWN, is('PENDING_AUTH', { authorization_details: absent }))),
    inferred('A8 V3', 'The actions disconnect, expire and pend end open verification requests, until a new consent',
      make('OAUTH'), Object.entries({ disconnect: 'DISCONNECTED', expire: 'EXPIRED', pend: 'PENDING_AUTH' }).flatMap(
        ([action, status]) => [...consents(), reads('PENDING_VERIFICATION'), does(action, { status }), verifies({}, 404)]),
      consents(), reads('PENDING_VERIFICATION')),
    inferred('A8', 'No action shows credentials or moves updated_at, and an unknown account answers 404',
      make('OAUTH'), advance('1h'), ['expire', 'disconnect', 'pend', 'revoke', 'grant'].flatMap((action) => [
        does(action, { updated_at: '{now}', authorization_details: absent }),
        control(`POST /connected_accounts/ca_9/${action}`, undefined, answer(404, { error: { code: 'NOT_FOUND' } }))])),
  ],
  getConnectedAccountDetails: [
    ...(address.getConnectedAccountDetails ?? []),
    promised('A10', 'The details of an account have its configuration, but no credentials',
      create({ ...API_KEY, ...holds(CREDENTIALS.API_KEY, FREE) }), details(OWN,
        account({ ...API_KEY, ...FREE, provider: someText, updated_at: aTime, authorization_details: absent }))),
    inferred('A10', 'The details have every other member, and reading them changes nothing',
      make('API_KEY'), details(OWN, account(whole({ ...OWN, ...API_KEY, connection_id: '{API_KEY.id}',
        provider: '{API_KEY.provider_key|upper}', authorization_type: 'API_KEY', status: 'ACTIVE', updated_at: '{now}',
        api_config: {} })), NOTHING)),
    inferred('A2 A3', 'An account that is not there answers 404, and the message names what was looked for',
      ...WORLD, ...[{ id: 'ca_9' }, { id: 'ca_1', organization_id: GLOBEX }, { id: 'ca_3', user_id: ADA },
        { connector: 'mail', identifier: 'ADA@acme.test' }, { connector: 'unknown', identifier: 'ada@acme.test' },
        { connector: 'mail', identifier: 'ada@acme.test', organization_id: GLOBEX },
      ].flatMap((query) => Object.values(query).map((value) => details(query, refused(404, 'NOT_FOUND', value)))),
      details({ connector: 'Mail', identifier: 'ada@acme.test', organization_id: ACME, user_id: ADA },
        account({ id: 'ca_1' }))),
  ],
  updateConnectedAccount: [
    ...(address.updateConnectedAccount ?? []),
    promised('A7', 'An update of api_config replaces the top-level members that are sent, and keeps the others',
      create({ ...OAUTH, ...account({ api_config: { folder: 'inbox', deep: { one: 1 } } }) }), later('1m'),
      update({ api_config: { deep: { two: 2 }, added: true } }, is('PENDING_AUTH', { updated_at: '{now+1m}',
        api_config: whole({ folder: 'inbox', deep: { two: 2 }, added: true }) }),
        { events: [event('updated', { from: absent, to: absent })] })),
    promised('A7', 'An update of credentials changes only the members that are sent',
      make('OAUTH', { oauth_token: { ...CREDENTIALS.OAUTH.oauth_token, domain: 'a.test', scopes: ['one'] } }),
      gives({ oauth_token: { access_token: 'newer', scopes: [] } }, holds(whole({ oauth_token: {
        access_token: 'newer', refresh_token: 'canary-refresh-token', domain: 'a.test', scopes: [] } }))),
      make('API_KEY'), gives({ static_auth: { details: { token: 'newer' } } },
        holds(whole({ static_auth: { details: { token: 'newer' } } }))),
      pending('SMART_FHIR', holds(REFRESH)), gives(TOKEN, holds(whole(CREDENTIALS.OAUTH), { status: 'ACTIVE' }))),
    inferred('A7', 'Usable credentials make a PENDING_AUTH account ACTIVE; a refresh token alone does not',
      pending('OAUTH'), update({ api_config: { folder: 'inbox' } }, is('PENDING_AUTH')),
      gives({ oauth_token: { access_token: '' } }, is('PENDING_AUTH')), gives(REFRESH, is('PENDING_AUTH')),
      auth(OWN, holds(absent), NOTHING), gives(CREDENTIALS.OAUTH, holds(CREDENTIALS.OAUTH, { status: 'ACTIVE' }))),
    inferred('A7', 'An update with the same values, or without values, changes nothing',
      make('OAUTH'), advance('1m'),
      ...[{}, { api_config: {} }, { authorization_details: CREDENTIALS.OAUTH }].map((same) =>
        update(same, holds(CREDENTIALS.OAUTH, { updated_at: '{1:connected_account.updated_at}' }), NOTHING)),
      sends('updateConnectedAccount', { body: OWN }, holds(CREDENTIALS.OAUTH), NOTHING)),
    ...(['OAUTH', 'API_KEY', ...MINTED] as const).map((type) =>
      inferred('A7', `The same credentials of type ${type} change nothing, but bring back an account that has ended`,
        make(type), advance('1m'), gives(CREDENTIALS[type],
          holds('{1:connected_account.authorization_details}', { status: 'ACTIVE', updated_at: '{now}' }), NOTHING),
        ...['disconnect', 'expire'].flatMap((action) => [does(action), gives(CREDENTIALS[type], is('ACTIVE'))]))),
    ...['disconnect', 'expire', 'revoke'].map((action) =>
      inferred('A7', `After ${action}, new credentials make an account ACTIVE without an end`,
        make('OAUTH'), does(action), gives({ oauth_token: { access_token: 'newer' } }, is('ACTIVE',
          { token_expires_at: absent })), advance('1000h'), reads('ACTIVE'))),
    ...['disconnect', 'expire'].map((action) =>
      inferred('A7', `After ${action}, a refresh token alone makes an account ACTIVE, and the access token is new`,
        make('OAUTH', TOKEN), does(action), gives(REFRESH, is('ACTIVE')), gives(REFRESH, is('ACTIVE'), NOTHING),
        auth(OWN, account({ token_expires_at: '{now+1h}', authorization_details: { oauth_token: {
          access_token: not('canary-access-token'), refresh_token: 'canary-refresh-token' } } })),
        does(action), ...consents(), reads('PENDING_VERIFICATION'),
        gives({ oauth_token: { refresh_token: 'newer' } }, is('ACTIVE')), verifies({}, 404))),
    inferred('A7 A8', 'After revoke, the same credentials are new only once it has ended, and a refresh token refreshes',
      make('OAUTH'), does('revoke'), gives(CREDENTIALS.OAUTH, is('ACTIVE'), NOTHING),
      does('expire'), gives(CREDENTIALS.OAUTH, is('ACTIVE')),
      deleteConnectedAccount(OAUTH), ...VERIFIES, details(OAUTH), does('revoke'), advance('1h'),
      reads('EXPIRED'), setsClock('{now}'), gives(REFRESH), advance('1h'), reads('ACTIVE')),
    inferred('V6 A7', 'Usable credentials end the open requests of an account; a refresh token alone does not',
      make('OAUTH'), ...consents(), gives(CREDENTIALS.OAUTH, is('ACTIVE'),
        { events: [event('updated', { from: 'PENDING_VERIFICATION', to: 'ACTIVE' })] }),
      verifies({}, 404), does('pend'), ...consents(), gives(REFRESH, is('PENDING_VERIFICATION')), verifies()),
  ],
  deleteConnectedAccount: [
    ...(address.deleteConnectedAccount ?? []),
    promised('A9 I1', 'A deleted account answers 404, and a new one can have its connector and identifier',
      make('OAUTH'), deleteConnectedAccount(OWN, empty, { events: [event('deleted', { from: 'ACTIVE' })] }),
      details(OWN, 404), auth(OWN, 404), deleteConnectedAccount(OWN, 404),
      list({ identifier: '{unique}' }, { total_size: 0 }),
      pending('OAUTH'), details(OAUTH, account({ id: not(FIRST) }))),
    inferred('A9 V2 V6', 'After an account is deleted, its link and its request both answer 404',
      ...consents(), createMagicLink(OAUTH), deleteConnectedAccount(OAUTH, empty,
        { events: [{ type: 'connected_account.deleted', from: 'PENDING_VERIFICATION' }],
          state: { authorization_links: absent,
          verification_requests: not([{ account: '{OAUTH.key_id}/{unique}' }]) } }),
      opens('GET {link}?decision=approve', answer(404)), verifies({}, 404)),
  ],
});
