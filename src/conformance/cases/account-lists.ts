/** Lists of connected accounts and their search: filters, pages and page tokens (behaviour A1, I3, I4, I6). */
import { calls, inferred, only, promised, refused, type Step, table, type Wanted } from '../case.ts';
import { absent, exactly, like, listOf, someText, whole } from '../matchers.ts';
import { ACME, ADA, CONNECTIONS, GLOBEX, make, OAUTH, OWN, VERIFIES, WORLD } from './accounts.ts';

const { listConnectedAccounts: list, searchConnectedAccounts: search } = calls;
const { getConnectedAccountAuth: auth, deleteConnectedAccount } = calls;

const NONE = { connected_accounts: exactly(), next_page_token: '', prev_page_token: '', total_size: 0 };
/** Just the accounts with these ids, in this order. */
const ids = (...names: string[]) =>
  ({ connected_accounts: exactly(...names.map((id) => ({ id }))), total_size: names.length });
const [FIRST, SECOND] = ['{1:connected_account.id}', '{2:connected_account.id}'];
const TWO = [make('OAUTH'), make('API_KEY')];
const OF_TWO = { identifier: '{unique}', page_size: 1 };
/** A page of `TWO`. */
const page = (id: unknown, more: object = {}) => ({ connected_accounts: exactly({ id }), total_size: 2, ...more });

const MANY = only({ connections: CONNECTIONS, connected_accounts: Array.from({ length: 32 }, (_, nth) =>
  ({ connector: 'mail', identifier: `user-${nth}`, status: 'PENDING_AUTH' })) });
const size = (length: number) => ({ connected_accounts: exactly(...Array.from({ length }, () => ({}))) });
const EACH = { organization_id: ACME, user_id: ADA, connector: 'mail', identifier: 'ada@acme.test', provider: 'MAIL' };
const FILTERED: readonly (readonly [object, string])[] = [
  [{}, '1234'], [{ organization_id: ACME }, '13'], [{ user_id: ADA }, '12'], [{ connector: 'MAIL' }, '13'],
  [{ connector: 'unknown' }, ''], [{ connector: 'oidc' }, ''], [{ identifier: 'ada@acme.test' }, '12'],
  [{ identifier: 'grace@acme.test' }, ''], [{ provider: 'SALES' }, '24'], [{ provider: 'sales' }, ''],
  [{ provider: 'SALES', connector: 'crm' }, '24'], [{ provider: 'SALES', connector: 'mail' }, ''],
  [{ provider: 'SALES', connection_names: ['mail', 'crm'] }, '24'],
  [{ provider: 'SALES', connection_names: 'mail', organization_id: GLOBEX }, ''],
  [{ provider: 'MAIL', connector: 'mail', query: 'grace' }, '3'], [{ query: 'grace' }, '3'],
  [{ query: 'ACME', connector: 'mail' }, '13'], [{ query: 'ada', user_id: ADA, connector: 'crm' }, '2'],
  [{ connection_names: 'crm' }, '24'], [{ connection_names: ['CRM', 'mail', 'crm'] }, '1234'],
  [{ connection_names: 'crm', organization_id: GLOBEX }, '4'], [{ organization_id: 'org_none' }, ''], [EACH, '1'],
  ...Object.keys(EACH).map((name) => [{ ...EACH, [name]: 'another' }, ''] as const),
];
const SEARCHED: readonly (readonly [object, string])[] = [
  [{ query: 'GRACE' }, '3'], [{ query: 'acme' }, '123'], [{ query: 'sale' }, '24'], [{ query: 'crm' }, '24'],
  [{ query: 'nothing' }, ''], [{ query: 'testmail' }, ''], [{ query: 'acme', connection_id: 'conn_mail' }, '13'],
  [{ query: 'acme', connection_id: 'conn_none' }, ''],
];
const filtered = (send: (values: object, wanted: Wanted) => Step, rows: typeof FILTERED) =>
  rows.map(([query, digits]) => send(query, ids(...Array.from(digits, (digit) => `ca_${digit}`))));

export const ACCOUNT_LISTS = table({
  listConnectedAccounts: [
    promised('A1', 'A list of accounts has page tokens and a count, and leaves out credentials and configuration',
      list({}, { connected_accounts: listOf({ id: like(/^ca_/), authorization_details: absent, api_config: absent }),
        next_page_token: like(/^/), prev_page_token: '' })),
    promised('A1', 'Each account in a list and in a search has the ten documented fields and no others',
      ...VERIFIES, auth(OAUTH),
      ...[list(OAUTH), search({ query: '{unique}' })].map((step): Step => ({ ...step, wanted: { status: 200,
        body: { connected_accounts: exactly(whole({ ...OAUTH, id: '{connected_account.id}',
          connection_id: '{OAUTH.id}', provider: someText, authorization_type: 'OAUTH', status: 'ACTIVE',
          updated_at: '{now}', token_expires_at: '{now+1h}', last_used_at: '{now}' })) } } }))),
    inferred('A1 I6', 'Filters join by AND, and accounts are listed with the oldest first',
      [...WORLD, ...filtered(list, FILTERED)]),
    inferred('A1', 'An unknown connection and a sign-in connection in connection_names answer 404',
      list({ connection_names: 'conformance-nothing' }, 404), list({ connection_names: '{signIn.key_id}' }, 404),
      ...WORLD, list({ connection_names: ['mail', 'crn'] }, refused(404, 'NOT_FOUND', 'Did you mean "crm"?')),
      list({ connection_names: 'oidc' },
        refused(404, 'NOT_FOUND', 'is of type OIDC, which signs users in and holds no accounts'))),
    promised('I4', 'A list of accounts with a page_token that no list gave is refused',
      ['no token', 'bm9uc2Vuc2U'].map((page_token) => list({ page_token }, ['page_token']))),
    inferred('I3', 'A page has ten accounts by default and for a page_size of 0',
      ...MANY, list({}, { ...size(10), total_size: 32, prev_page_token: '' }), list({ page_size: 0 }, size(10)),
      list({ page_size: 32 }, { ...size(32), next_page_token: '' }), list({ page_size: 100 }, size(32))),
    promised('I4', 'next_page_token leads to the next page of accounts, and prev_page_token leads back',
      ...TWO, list(OF_TWO, page(FIRST, { prev_page_token: '', next_page_token: someText })),
      list({ ...OF_TWO, page_token: '{next_page_token}' },
        page(SECOND, { next_page_token: '', prev_page_token: someText })),
      list({ ...OF_TWO, page_token: '{prev_page_token}' }, page(FIRST, { prev_page_token: '' }))),
    inferred('I4', 'A page token holds the filters of its list, and is refused with others or in another operation',
      ...TWO, list(OF_TWO), list({ page_token: '{next_page_token}', page_size: 50 }, page(SECOND)),
      list({ page_token: '{3:next_page_token}', identifier: 'another' }, ['identifier']),
      list({ page_token: '{3:next_page_token}', user_id: '42' }, ['user_id']),
      search({ page_token: '{3:next_page_token}', query: '{unique}' }, ['page_token']),
      search({ query: '{unique}', page_size: 1 }), search({ page_token: '{next_page_token}' }, ['query'])),
    inferred('I4 I6', 'A page token is accepted with the same filters in another case or order',
      ...WORLD, ...[[{ connector: 'mail' }, { connector: 'MAIL' }, '3'], [{ query: 'acme' }, { query: 'ACME' }, '2'],
        [{ connection_names: ['mail', 'crm'] }, { connection_names: ['CRM', 'Mail', 'mail'] }, '2'],
      ].flatMap(([first, second, next]) => [list({ ...Object(first), page_size: 1 }),
        list({ ...Object(second), page_size: 1, page_token: '{next_page_token}' },
          { connected_accounts: exactly({ id: `ca_${next}` }) })])),
    inferred('I4', 'After an account is deleted or made, the next page neither skips nor repeats an account',
      ...TWO, list(OF_TWO), deleteConnectedAccount({ id: FIRST }), make('BASIC'),
      list({ ...OF_TWO, page_token: '{next_page_token}' }, page(SECOND, { next_page_token: someText }))),
  ],
  searchConnectedAccounts: [
    promised('A1', 'A search leaves out the credentials of the accounts, as a list does',
      search({ query: 'conformance' },
        { connected_accounts: listOf({ authorization_details: absent, api_config: absent }), prev_page_token: '' })),
    promised('A1', 'A search looks for its text in identifier, connector and provider, in any case',
      make('API_KEY'), search({ query: '{unique|upper}' }, { connected_accounts: exactly(OWN) }),
      search({ query: '{API_KEY.key_id|upper}' }, { connected_accounts: [{}] }),
      search({ query: '{connected_account.provider|lower}' }, { connected_accounts: [{}] })),
    inferred('A1', 'A search finds its text within one of the three, and connection_id narrows it',
      make('API_KEY'), search({ query: '{unique}', connection_id: '{API_KEY.id}' }, ids(FIRST)),
      search({ query: '{unique}', connection_id: 'conn_999999999999999999' }, NONE),
      ...WORLD, ...filtered(search, SEARCHED)),
    inferred('I3', 'A page of a search has ten accounts by default, and 30 at most',
      [...MANY, search({ query: 'user' }, size(10)), search({ query: 'user', page_size: 30 }, size(30))]),
  ],
});
