/** The operations on accounts, with one promise broken. */

import type { OperationId } from '../../../src/openapi/types.ts';
import type { PromiseId } from '../../../src/verify/promises.ts';
import {
  type Break,
  drop,
  each,
  ignoreMember,
  ignoreQuery,
  on,
  redirect,
  refuse,
  relink,
  replace,
  restatus,
  set,
} from './break.ts';

const ACCOUNT = 'connected_account';
const DETAILS = 'connected_account.authorization_details';
const LIST = 'listConnectedAccounts';
const LONG_AGO = '2001-01-01T00:00:00.000Z';

const addressed = (operationId: OperationId): readonly Break[] =>
  ['id', 'organization_id', 'user_id'].map((name) => refuse(operationId, name, 404));

const inactive = (operationId: OperationId): Break => set(ACCOUNT, 'status', 'PENDING_AUTH', operationId);

let keys = 0;

/** A search that finds nothing of some texts. */
const blind = (isBlind: (text: string) => boolean): Break =>
  on('searchConnectedAccounts', ({ url, body }) => {
    const text = new URL(url, 'http://mock.test').searchParams.get('query') ?? '';
    if (body?.connected_accounts && isBlind(text)) body.connected_accounts = [];
  });

const LIST_FIELDS = [
  ...['authorization_type', 'connection_id', 'connector', 'id', 'identifier', 'last_used_at', 'provider'],
  ...['status', 'token_expires_at', 'updated_at'],
];

export const ACCOUNT_BREAKS: Partial<Record<PromiseId, readonly Break[]>> = {
  'account.connector_characters': [
    restatus('createConnectedAccount', 400, 201),
    restatus('getConnectedAccountDetails', 404, 400),
  ],
  'account.token_ends': [replace(ACCOUNT, 'status', 'EXPIRED', 'ACTIVE')],
  'account.updated_by_credentials': [set(ACCOUNT, 'updated_at', LONG_AGO)],
  'account.updated_by_configuration': [set(ACCOUNT, 'updated_at', LONG_AGO)],
  'vendorb_dwd.sent': [
    on('createConnectedAccount', ({ asked, body }) => {
      Object.assign(
        body.connected_account.authorization_details.vendorb_dwd,
        asked.body.connected_account.authorization_details.vendorb_dwd,
      );
    }),
  ],
  'trusted_idp.sent': [
    on('createConnectedAccount', ({ asked, body }) => {
      Object.assign(
        body.connected_account.authorization_details.trusted_idp,
        asked.body.connected_account.authorization_details.trusted_idp,
      );
    }),
  ],
  'trusted_idp.provisioned': [set(ACCOUNT, 'status', 'ACTIVE')],
  'trusted_idp.serverless': [inactive('createConnectedAccount')],
  'trusted_idp.secret_access_key': [set(`${DETAILS}.trusted_idp`, 'secret_access_key', 'a')],
  'trusted_idp.session_token': [set(`${DETAILS}.trusted_idp`, 'session_token', 'a')],
  'trusted_idp.cached': [
    each(`${DETAILS}.trusted_idp`, (held) => {
      keys += 1;
      held.access_key_id = `key-${keys}`;
    }),
  ],
  'addressing.update': addressed('updateConnectedAccount'),
  'addressing.delete': addressed('deleteConnectedAccount'),
  'addressing.link': addressed('createMagicLink'),
  'addressing.auth': addressed('getConnectedAccountAuth'),
  'addressing.details': addressed('getConnectedAccountDetails'),
  'list.items': LIST_FIELDS.map((name) => drop('connected_accounts.*', name)),
  'list.without_credentials': [set('connected_accounts.*', 'authorization_details', {})],
  'list.organization': [ignoreQuery(LIST, 'organization_id')],
  'list.user': [ignoreQuery(LIST, 'user_id')],
  'list.connector': [ignoreQuery(LIST, 'connector')],
  'list.provider': [ignoreQuery(LIST, 'provider')],
  'list.identifier': [ignoreQuery(LIST, 'identifier')],
  'list.page_token': [ignoreQuery(LIST, 'page_token')],
  'list.next_page_token': [drop('', 'next_page_token', LIST)],
  'list.last_page': [replace('', 'next_page_token', '', 'more')],
  'list.prev_page_token': [drop('', 'prev_page_token', LIST)],
  'list.first_page': [replace('', 'prev_page_token', '', 'more')],
  'list.total_size': [
    drop('', 'total_size', LIST),
    on(LIST, ({ body }) => {
      body.total_size = body.connected_accounts?.length;
    }),
  ],
  'update.api_config': [
    on('updateConnectedAccount', ({ asked, body }) => {
      body.connected_account.api_config = asked.body.connected_account.api_config;
    }),
  ],
  'update.authorization_details': [
    on('updateConnectedAccount', ({ asked, body }) => {
      body.connected_account.authorization_details = asked.body.connected_account.authorization_details;
    }),
  ],
  'update.200': [drop(ACCOUNT, 'authorization_details', 'updateConnectedAccount')],
  'create.organization_id': [ignoreMember('createConnectedAccount', 'organization_id')],
  'create.user_id': [ignoreMember('createConnectedAccount', 'user_id')],
  'create.api_config': [set(ACCOUNT, 'api_config', {}, 'createConnectedAccount')],
  'create.authorization_details': [drop(ACCOUNT, 'authorization_details', 'createConnectedAccount')],
  'create.optional': [restatus('createConnectedAccount', 201, 400)],
  'create.later': [
    restatus('updateConnectedAccount', 200, 400),
    drop(ACCOUNT, 'authorization_details', 'getConnectedAccountAuth'),
  ],
  'create.201': ['id', 'connector', 'identifier', 'connection_id', 'api_config', 'authorization_details'].map(
    (name) => drop(ACCOUNT, name, 'createConnectedAccount'),
  ),
  'auth.200': [drop(ACCOUNT, 'authorization_details', 'getConnectedAccountAuth')],
  'details.200': [
    set(ACCOUNT, 'authorization_details', {}, 'getConnectedAccountDetails'),
    drop(ACCOUNT, 'api_config', 'getConnectedAccountDetails'),
  ],
  'link.state': [redirect(({ searchParams }) => searchParams.set('state', 'another'))],
  'link.state_optional': [redirect(({ searchParams }) => searchParams.append('state', 'made-up'))],
  'link.user_verify_url': [
    redirect((location) => {
      location.host = 'elsewhere.test';
    }),
  ],
  'link.link': [set('', 'link', 'nothing to open', 'createMagicLink')],
  'link.expiry': [drop('', 'expiry', 'createMagicLink')],
  'link.ends': [relink(410, 302), relink(302, 410)],
  'link.invalid_connector': [restatus('createMagicLink', 400, 404)],
  'verify.auth_request_id': [redirect(({ searchParams }) => searchParams.set('auth_request_id', 'a+b/c=='))],
  'verify.auth_request_id_required': [restatus('verifyConnectedAccountUser', 400, 404)],
  'verify.identifier_required': [restatus('verifyConnectedAccountUser', 400, 404)],
  'verify.200': [drop('', 'post_user_verify_redirect_url')],
  'verify.active': [inactive('getConnectedAccountAuth')],
  'verify.consumed': [restatus('verifyConnectedAccountUser', 404, 200)],
  'delete.200': [set('', 'deleted', true, 'deleteConnectedAccount')],
  'search.identifiers': [blind(() => true)],
  'search.providers': [blind(() => true)],
  'search.connectors': [blind(() => true)],
  'search.any_case': [blind((text) => text !== text.toLowerCase())],
  'search.shortest': [restatus('searchConnectedAccounts', 400, 200)],
  'search.without_credentials': [set('connected_accounts.*', 'authorization_details', {})],
  'search.200': [drop('', 'prev_page_token'), drop('', 'connected_accounts')],
  'states.verified': [inactive('getConnectedAccountAuth')],
  'states.tokens_live': [drop(ACCOUNT, 'authorization_details', 'getConnectedAccountAuth')],
  'states.redirect': [drop('', 'post_user_verify_redirect_url')],
  'states.deleted': [restatus('getConnectedAccountDetails', 404, 200)],
  'states.revoked': [restatus('getConnectedAccountAuth', 404, 200)],
  'states.irreversible': [restatus('getConnectedAccountDetails', 404, 200)],
};
