/** Small states with connections of many kinds, for tests of accounts. */

import type { InputFor } from '../../src/contract/types.ts';
import { fromStart } from '../../src/core/moment.ts';
import type { AccountRow } from '../../src/model/domain/rows.ts';
import type { State } from '../../src/model/domain/state.ts';
import { approve } from '../../src/model/simulation/links.ts';
import { call, HOUR, type Options, simulate, stateOf } from './core.ts';
import { accountRow, connectionRow } from './rows.ts';

export const ACME = 'org_100000000000000001';
export const GLOBEX = 'org_100000000000000002';
export const ADA = 'usr_100000000000000001';

/** A state with connections of many kinds, two organizations and a user, but no accounts. */
export const connectors: State = stateOf({
  organizations: [
    { id: ACME, name: 'acme', display_name: 'Acme' },
    { id: GLOBEX, name: 'globex', display_name: 'Globex' },
  ],
  users: [
    { id: ADA, email: 'ada@acme.test', create_time: fromStart(0), update_time: fromStart(0), metadata: {} },
  ],
  connections: [
    connectionRow({ key_id: 'mail', type: 'OAUTH', scopes: ['mail.read'] }),
    connectionRow({ key_id: 'calendar', type: 'OAUTH', provider_key: 'days' }),
    connectionRow({ key_id: 'crm', type: 'API_KEY', provider_key: 'sales' }),
    connectionRow({ key_id: 'helpdesk', type: 'BASIC' }),
    connectionRow({ key_id: 'events', type: 'BEARER' }),
    connectionRow({ key_id: 'workspace', type: 'VENDORB_DWD', scopes: ['directory'] }),
    connectionRow({ key_id: 'warehouse', type: 'TRUSTED_IDP' }),
    connectionRow({ key_id: 'lakehouse', type: 'TRUSTED_IDP', serverless: true }),
    connectionRow({ key_id: 'boards', type: 'VENDORA_OAUTH1' }),
    connectionRow({ key_id: 'billing', type: 'OAUTH_M2M' }),
    connectionRow({ key_id: 'health', type: 'SMART_FHIR' }),
    connectionRow({ key_id: 'weather', type: 'NO_AUTH' }),
    connectionRow({ key_id: 'paused', type: 'OAUTH', enabled: false }),
    connectionRow({ key_id: 'drafty', type: 'OAUTH', status: 'DRAFT' }),
    connectionRow({ key_id: 'acme-oidc', type: 'OIDC' }),
  ],
});

type CreateBody = InputFor<'createConnectedAccount'>['body'];
type Details = NonNullable<CreateBody['connected_account']>['authorization_details'];

export const OAUTH: Details = { oauth_token: { access_token: 'access-1', refresh_token: 'refresh-1' } };
export const API_KEY: Details = { static_auth: { details: { api_key: 'key-1' } } };

/** The actions that a tester can apply to an account. */
export const ACTIONS = ['expire', 'disconnect', 'pend', 'revoke', 'grant'] as const;

/** Creates an account. Returns the answer, the next state and the id of the account. */
export const create = (
  state: State,
  connector: string,
  authorization_details?: Details,
  { options, ...body }: Partial<CreateBody> & { readonly options?: Options } = {},
) => {
  const connected_account = authorization_details ? { authorization_details } : {};
  const answer = call(
    state,
    'createConnectedAccount',
    { body: { connector, identifier: 'ada@acme.test', connected_account, ...body } },
    options,
  );
  return { ...answer, account: answer.body.connected_account, id: answer.body.connected_account.id };
};

/** Reads an account by `/details`. */
export const details = (state: State, id: string, options?: Options) =>
  call(state, 'getConnectedAccountDetails', { query: { id } }, options).body.connected_account;

export const statusOf = (state: State, id: string, options?: Options) => details(state, id, options).status;

/** The token in the address of a link. */
export const tokenOf = (link: string): string => link.split('/').at(-1) ?? '';

/** Creates an authorization link for the account `ada@acme.test` of `mail`, and approves the link. */
export const consent = (
  state: State,
  { options, ...body }: Omit<InputFor<'createMagicLink'>['body'], 'id'> & { readonly options?: Options } = {},
) => {
  const pair = { connector: 'mail', identifier: 'ada@acme.test' };
  const linked = call(state, 'createMagicLink', { body: { ...pair, ...body } }, options);
  const token = tokenOf(linked.body.link);
  const { reply, ...approved } = simulate(linked.state, approve, { token }, options);
  return {
    ...approved,
    token,
    auth_request_id: 'auth_request_id' in reply ? (reply.auth_request_id ?? '') : '',
  };
};

const TIMES = { token_expires_at: fromStart(HOUR), last_used_at: fromStart(-HOUR) };
const row = (nth: number, connector: string, identifier: string, more: Partial<AccountRow>) =>
  accountRow({ id: `ca_${nth}`, connector, identifier, ...more });

/** Accounts of two connectors, two organizations and two users, in the order of their ids. */
const LISTED = [
  row(1, 'mail', 'ada@acme.test', { organization_id: ACME, user_id: ADA }),
  row(2, 'crm', 'ada@acme.test', { provider: 'SALES', user_id: ADA }),
  row(3, 'mail', 'Grace@acme.test', { organization_id: ACME, ...TIMES }),
  row(4, 'crm', 'linus@globex.test', { provider: 'SALES', organization_id: GLOBEX }),
];
/** A state with the accounts of `LISTED`, for tests of lists and look-ups. */
export const listed = stateOf({ connected_accounts: LISTED }, connectors);
