/** Connected accounts: lists, credentials, changes, and what a third party does to them (behaviour A1 to A10, I3, I4). */
import type { OperationId } from '../../service/contract.ts';
import { answer, type Came, type Changes, calls, event, inferred, later, NOTHING, opens, promised,
  refused, type Step, sees, table, type Wanted } from '../case.ts';
import { absent, aTime, empty, exactly, like, listOf, not, someText, whole } from '../matchers.ts';

const { listConnectedAccounts: list, searchConnectedAccounts: search, createConnectedAccount: create } = calls;
const { getConnectedAccountAuth: auth, getConnectedAccountDetails: details, deleteConnectedAccount: remove } = calls;
const { updateConnectedAccount, createMagicLink, verifyConnectedAccountUser } = calls;

const TOKEN = { access_token: 'canary-access-token' };
export const REFRESH = { refresh_token: 'canary-refresh-token' };
export const GRANTED = { oauth_token: TOKEN };
/** Credentials that make an account of each type usable (behaviour A6). */
export const USABLE = {
  OAUTH: { oauth_token: { ...TOKEN, ...REFRESH } },
  OAUTH_M2M: GRANTED, VENDORA_OAUTH1: GRANTED, SMART_FHIR: GRANTED,
  API_KEY: { static_auth: { details: { api_key: 'canary-api-key' } } },
  BASIC: { static_auth: { details: { username: 'canary-user', password: 'canary-password' } } },
  BEARER: { static_auth: { details: { token: 'canary-bearer' } } },
  VENDORB_DWD: { vendorb_dwd: { subject: 'conformance@delegated.test' } },
  TRUSTED_IDP: { trusted_idp: { db_user: 'conformance' } },
  NO_AUTH: undefined,
};
type Kind = keyof typeof USABLE;

export const VERIFY_URL = 'https://client.test/verified?kept=yes';
export const pair = (type: Kind | 'disabled' | 'draft' | 'signIn') =>
  ({ connector: `{${type}.key_id}`, identifier: '{unique}' });
export const [OAUTH, API_KEY] = [pair('OAUTH'), pair('API_KEY')];
export const MINE = { identifier: '{unique}' };
/** These credentials in a reply, and in a body. */
export const holds = (authorization_details: unknown, more: object = {}) => ({ authorization_details, ...more });
const brings = (...credentials: Parameters<typeof holds>) => ({ connected_account: holds(...credentials) });
/** Makes an account of this type, by default a usable one. */
export const make = (type: Kind, credentials: unknown = USABLE[type], ...came: Came): Step =>
  create({ ...pair(type), ...brings(credentials) }, ...came);
/** The account of the case. */
export const OWN = { id: '{connected_account.id}' };
export const [FIRST, SECOND] = ['{1:connected_account.id}', '{2:connected_account.id}'];
export const is = (status: string, more: object = {}) => ({ status, ...more });
export const reads = (status: string, more: object = {}): Step => details(OWN, is(status, more));
const update = (connected_account: object, ...came: Came): Step =>
  updateConnectedAccount({ ...OWN, connected_account }, ...came);
export const gives = (authorization_details: object, ...came: Came): Step => update({ authorization_details }, ...came);
/** A user approves a link to the account of this type, and is not verified yet. */
export const CONSENTS = [createMagicLink({ ...OAUTH, user_verify_url: VERIFY_URL }), opens('GET {link}?decision=approve')];
export const verifies = (more: object = {}, wanted: Wanted = {}, after?: Changes): Step =>
  verifyConnectedAccountUser({ auth_request_id: '{query.auth_request_id}', ...MINE, ...more }, wanted, after);
export const changed = (change: string) => [event(`connected_account.${change}`, whole(OWN))];

/** Just these accounts, in this order. */
export const shows = (rows: readonly unknown[], more: object = {}) => ({ connected_accounts: exactly(...rows), ...more });
/** Just the account of a flow, after its credentials were fetched. */
const LISTED = shows([whole({ ...OAUTH, ...OWN, connection_id: '{OAUTH.id}', provider: someText, status: 'ACTIVE',
  authorization_type: 'OAUTH', updated_at: '{now}', token_expires_at: '{now+1h}', last_used_at: '{now}' })]);
const _ids = (...all: string[]) => shows(all.map((id) => ({ id })), { total_size: all.length });
const TWO = [make('OAUTH'), make('API_KEY')];
const OF_TWO = { ...MINE, page_size: 1 };
export const NEXT = { page_token: '{next_page_token}' };
/** A page of `TWO`. */
const page = (id: unknown, more: object = {}) => shows([{ id }], { total_size: 2, ...more });

/** What is sent, and the first status (behaviour A5, A6). */
const FIRST_STATUS: readonly (readonly [Kind, unknown, string])[] = [
  ['OAUTH', { static_auth: {}, trusted_idp: {}, ...USABLE.OAUTH }, 'ACTIVE'],
  ['OAUTH', { oauth_token: REFRESH }, 'PENDING_AUTH'], ['OAUTH', {}, 'PENDING_AUTH'],
  ['OAUTH', { oauth_token: { access_token: '' } }, 'PENDING_AUTH'], ['NO_AUTH', { oauth_token: {} }, 'ACTIVE'],
  ['API_KEY', { static_auth: { details: {} } }, 'PENDING_AUTH'], ['VENDORB_DWD', { vendorb_dwd: {} }, 'PENDING_AUTH'],
];
const UNFIT: readonly (readonly [Kind, object, ...string[]])[] = [
  ['OAUTH', USABLE.API_KEY, 'static_auth'], ['API_KEY', { ...USABLE.API_KEY, ...GRANTED }, 'oauth_token'],
  ['TRUSTED_IDP', { ...USABLE.TRUSTED_IDP, ...USABLE.VENDORB_DWD, ...GRANTED }, 'oauth_token', 'vendorb_dwd'],
  ['NO_AUTH', { ...GRANTED, ...USABLE.API_KEY }, 'oauth_token', 'static_auth'],
];
const unfit = (...names: string[]) => names.map((name) => `connected_account.authorization_details.${name}`);
const SECRETS = { secret_access_key: 'canary-secret', session_token: 'canary-secret', access_key_id: 'canary-secret' };
const FULL = { oauth_token: { ...TOKEN, ...REFRESH, domain: 'a.test', scopes: ['one', 'two'] } };
const NESTED = { static_auth: { details: { key: 'canary-key', nested: { of: ['any', 'form'] } } } };
const _MINTED = ['VENDORB_DWD', 'TRUSTED_IDP'] as const;
const FREE = { api_config: { free: { of: ['any', 'form', 1, true] } } };
export const NOWHERE = { connector: 'conformance-nothing', identifier: 'nobody' };

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
    CONSENTS, verifies(), auth(OAUTH), [list(OAUTH, LISTED), search({ query: '{unique}' }, LISTED)]),
  promised('I4', 'A list of accounts with a page_token that no list gave is refused',
    ['no token', 'bm9uc2Vuc2U'].map((page_token) => list({ page_token }, ['page_token']))),
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
  'createConnectedAccount',
  promised('A6', 'Creating an account returns the whole account, with its credentials',
    create({ ...OAUTH, ...brings(USABLE.OAUTH, FREE) }, holds(USABLE.OAUTH,
      { ...OAUTH, ...FREE, id: like(/^ca_/), connection_id: someText, updated_at: aTime, status: 'ACTIVE' }))),
  inferred('A3 A10 I1 I6', 'A new account has just the documented members; its connector may be in any case',
    create({ ...OAUTH, connector: '{OAUTH.key_id|upper}', ...brings(USABLE.OAUTH) }, whole({ ...OAUTH,
      id: like(/^ca_\d{18}$/), connection_id: '{OAUTH.id}', provider: '{OAUTH.provider_key|upper}', api_config: {},
      authorization_type: 'OAUTH', status: 'ACTIVE', updated_at: '{now}', authorization_details: USABLE.OAUTH }),
      changed('created > ACTIVE'))),
  promised('A4 I6', 'A second account with the same connector and identifier answers 409 and changes nothing',
    make('OAUTH'), make('OAUTH', {}, refused('RESOURCE_ALREADY_EXISTS'), NOTHING),
    create({ ...OAUTH, connector: '{OAUTH.key_id|upper}', organization_id: 'another' },
      answer(409, { details: [{ resource_info: { resource_name: like(FIRST) } }] })),
    reads('ACTIVE', { updated_at: '{1:connected_account.updated_at}' })),
  inferred('R1 T4', 'A new account of a disabled or DRAFT connection is a 403, with wrong credentials a 400',
    (['disabled', 'draft'] as const).map((name) => create(pair(name), refused('CONNECTION_NOT_ENABLED'))),
    create({ ...pair('disabled'), ...brings(USABLE.API_KEY) }, unfit('static_auth'))),
  promised('I5', 'A connector has letters, digits, spaces, hyphens, underscores and colons, but no slash',
    create({ ...NOWHERE, connector: 'no/such' }, ['connector']), details({ ...NOWHERE, connector: 'Az 09-_:' }, 404)),
  ...(Object.keys(USABLE) as Kind[]).map((type) => { // these are kinds
    const first = type === 'NO_AUTH' ? 'ACTIVE' : 'PENDING_AUTH';
    const kind = { authorization_type: type === 'BEARER' ? 'BEARER_TOKEN' : type };
    return inferred('A5 A6', `An account of a ${type} connection is ACTIVE with credentials, else ${first}`,
      make(type, USABLE[type], is('ACTIVE', kind)),
      create({ ...pair(type), identifier: '{unique}-2' }, is(first, { ...kind, token_expires_at: absent })));
  }),
  inferred('A5 A6', 'Credentials without members count as absent, and a refresh token alone is not usable',
    FIRST_STATUS.map(([type, sent, status], nth) =>
      create({ ...pair(type), identifier: `{unique}-${nth}`, ...brings(sent) }, is(status)))),
  promised('A5', 'A new account returns an OAuth token and static credentials in the form in which they were sent',
    make('OAUTH', FULL, holds(whole(FULL), { token_expires_at: absent })), make('API_KEY', NESTED, holds(whole(NESTED)))),
  promised('A5 A6', 'An account of a VENDORB_DWD or TRUSTED_IDP connection returns what the server makes, without secrets',
    make('VENDORB_DWD', undefined, holds({ vendorb_dwd: whole({ ...USABLE.VENDORB_DWD.vendorb_dwd,
      access_token: someText, scopes: [someText], token_expires_at: '{now+1h}' }) }, { token_expires_at: aTime })),
    make('TRUSTED_IDP', { trusted_idp: { db_user: 'conformance', ...SECRETS } }, holds({ trusted_idp: whole({
      db_user: 'conformance', access_key_id: not('canary-secret'), expiry: '{now+1h}' }) }))),
  inferred('A5', 'One error names all credentials that do not fit the connection, also of an update',
    UNFIT.map(([type, sent, ...names]) => make(type, sent, unfit(...names))),
    make('OAUTH'), gives(USABLE.API_KEY, unfit('static_auth'), NOTHING)),
  inferred('A5', 'Members that only a reply has are dropped, and no secret is kept',
    make('TRUSTED_IDP', { trusted_idp: { db_user: 'ada', ...SECRETS, other: 'canary-secret' } }), sees('state', {
      connected_accounts: [holds(whole({ trusted_idp: { db_user: 'ada', access_key_id: like(/^TESTKEY/) } }), OWN)] }),
    make('VENDORB_DWD', { vendorb_dwd: { subject: 's', access_token: 'canary-secret', scopes: ['canary-secret'] } },
      holds({ vendorb_dwd: { access_token: not('canary-secret'), scopes: not(['canary-secret']) } }))),
  'getConnectedAccountAuth',
  ...addressed('getConnectedAccountAuth'),
  promised('A8', 'Fetching the credentials of an account returns them in full, and sets last_used_at',
    make('OAUTH'), reads('ACTIVE', { last_used_at: absent }), later('1h'),
    auth(OWN, holds(USABLE.OAUTH, { last_used_at: '{now+1h}', updated_at: '{now}' })),
    details(OWN, { last_used_at: '{now+1h}' }), auth(OWN, {}, NOTHING)),
  inferred('A8', 'Without credentials to give, the answer is 200 without them, and last_used_at stays',
    [OAUTH, pair('NO_AUTH')].map((one) => [create(one), auth(OWN, holds(absent, { last_used_at: absent }), NOTHING)])),
  'getConnectedAccountDetails',
  ...addressed('getConnectedAccountDetails'),
  promised('A10', 'The details of an account have its configuration, but no credentials',
    create({ ...API_KEY, ...brings(USABLE.API_KEY, FREE) }),
    details(OWN, holds(absent, { ...API_KEY, ...FREE, provider: someText, updated_at: aTime }))),
  inferred('A10', 'The details have every other member, and reading them changes nothing',
    make('API_KEY'), details(OWN, whole({ ...OWN, ...API_KEY, connection_id: '{API_KEY.id}', status: 'ACTIVE',
      provider: '{API_KEY.provider_key|upper}', authorization_type: 'API_KEY', updated_at: '{now}', api_config: {} }),
      NOTHING)),
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
    make('API_KEY'), gives(USABLE.BEARER, holds(whole(USABLE.BEARER))),
    make('SMART_FHIR', { oauth_token: REFRESH }), gives(GRANTED, holds(whole(USABLE.OAUTH), is('ACTIVE')))),
  inferred('A7', 'Usable credentials make a PENDING_AUTH account ACTIVE; a refresh token alone does not',
    create(OAUTH), update({ api_config: { folder: 'inbox' } }, is('PENDING_AUTH')),
    [{ access_token: '' }, REFRESH].map((oauth_token) => gives({ oauth_token }, is('PENDING_AUTH'))),
    auth(OWN, holds(absent), NOTHING), gives(USABLE.OAUTH, holds(USABLE.OAUTH, is('ACTIVE')))),
  inferred('A7', 'An update with the same values, or without values, changes nothing',
    make('OAUTH'), later('1m'), [{}, { api_config: {} }, { authorization_details: USABLE.OAUTH }].map((same) =>
      update(same, holds(USABLE.OAUTH, { updated_at: '{1:connected_account.updated_at}' }), NOTHING)),
    updateConnectedAccount(OWN, holds(USABLE.OAUTH), NOTHING)),
  'deleteConnectedAccount',
  ...addressed('deleteConnectedAccount'),
  promised('A9 I1', 'A deleted account answers 404, and a new one can have its connector and identifier',
    make('OAUTH'), remove(OWN, empty, changed('deleted ACTIVE')), [details, auth, remove].map((send) => send(OWN, 404)),
    list(MINE, { total_size: 0 }), create(OAUTH), details(OAUTH, { id: not(FIRST) })),
  inferred('A9 V2 V6', 'After an account is deleted, its link and its request both answer 404',
    CONSENTS, createMagicLink(OAUTH), remove(OAUTH, empty,
      [event('connected_account.deleted PENDING_VERIFICATION')]), sees('state', { authorization_links: absent,
      verification_requests: not([{ account: '{OAUTH.key_id}/{unique}' }]) }),
    opens('GET {link}?decision=approve', answer(404)), verifies({}, 404)),
]);
