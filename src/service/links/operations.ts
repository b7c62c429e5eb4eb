/** Creates authorization links, and verifies the users who approved them (behaviour V1-V6). */
import { isWebAddress } from '../../engine/core/addresses.ts';
import { type FieldViolation, notFound, Refusal, refuse } from '../../engine/core/errors.ts';
import { absolute, wireTime } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow, putRow } from '../../engine/core/table.ts';
import {
  type AccountAddress,
  accountChange,
  activateConsented,
  addressViolations,
  findByPair,
  openAccount,
  putAccount,
  requireAccount,
  successUrl,
} from '../accounts/rules.ts';
import {
  type Connector,
  findConnector,
  requireConnectorOf,
  requireUsable,
  unknownConnector,
} from '../connections.ts';
import type { State } from '../state.ts';
import type { Env, Operation } from '../types.ts';

/** Creates a one-time link for an account. If the account does not exist, creates it in PENDING_AUTH (behaviour V1). */
export const createMagicLink: Operation<'createMagicLink'> = (state, { body }, env) => {
  refuse([
    ...addressViolations(body),
    ...userVerifyUrlViolations(body.user_verify_url, env),
    ...connectorViolations(state, body),
  ]);
  const target = requireTarget(state, body, env);
  const account_id = target.account.id;
  const token = env.token();
  const link = `${env.baseUrl}/magicLink/${env.withEnvironmentKey(token)}`;
  const expires_at = absolute(env.now + env.settings.magic_link_ttl);
  const { state: passedOn, user_verify_url } = body;
  const row = { token, account_id, expires_at, ...defined({ state: passedOn, user_verify_url }) };
  const isNew = target.state !== state;
  return {
    status: 200,
    body: { link, expiry: wireTime(expires_at, env) },
    state: { ...target.state, authorization_links: putRow(state.authorization_links, row) },
    changes: [
      ...(isNew ? [accountChange(state, target.state, account_id, env)] : []),
      { type: 'authorization_link.created', resource: { connected_account_id: account_id } },
    ],
  };
};

/**
 * Refuses addresses such as `https://a.test:99999`, which the contract's pattern allows but no browser can open. If the
 * environment requires verification, also refuses a missing address, since nobody could verify the user (behaviour V4).
 */
const userVerifyUrlViolations = (url: string | undefined, { settings }: Env): FieldViolation[] => {
  const field = 'user_verify_url';
  if (url !== undefined) {
    const description = 'user_verify_url is not an address that a browser can open. Check its host and port.';
    return isWebAddress(url) ? [] : [{ field, constraint: 'format', rule: 'I5', description }];
  }
  if (settings.user_verification !== 'strict') return [];
  const description =
    'user_verify_url is missing, and the setting user_verification is strict. Send user_verify_url, or set user_verification to lenient.';
  return [{ field, constraint: 'required', rule: 'V4', description }];
};

/** Without an account id, refuses a connector that is unknown or has no authorization page (behaviour A2, A3, V2). */
const connectorViolations = (state: State, { id, connector: name }: AccountAddress): FieldViolation[] => {
  if (id !== undefined || name === undefined) return [];
  const connector = findConnector(state, name);
  return connector ? pageViolations(connector) : [unknownConnector(state, name)];
};

/** Refuses a connector that has no authorization page, such as one of type NO_AUTH (behaviour V2). */
const pageViolations = ({ connection, kind }: Connector): FieldViolation[] => {
  if (kind.page) return [];
  const description = `Connector ${connection.key_id} of type ${connection.type} needs no authorization by a user, so it has no link. Create or update the account instead.`;
  return [{ field: 'connector', constraint: 'connector', rule: 'V2', description }];
};

/** Finds or creates the account that the request refers to. @returns the account, and the state with this account */
const requireTarget = (state: State, address: AccountAddress, env: Env) => {
  const { id, connector: name = '', identifier = '' } = address;
  const connector = id === undefined ? findConnector(state, name) : undefined;
  if (connector && !findByPair(state, name, identifier)) {
    requireUsable(connector.connection);
    const account = openAccount(state, connector, { ...address, identifier }, env);
    return { account, state: putAccount(state, account) };
  }
  const account = requireAccount(state, address, env);
  const existing = requireConnectorOf(state, account);
  refuse(pageViolations(existing));
  requireUsable(existing.connection);
  return { account, state };
};

/** Gives the account the tokens of a verification request, and removes all its verification requests (behaviour V6). */
export const verifyConnectedAccountUser: Operation<'verifyConnectedAccountUser'> = (state, { body }, env) => {
  const request = getRow(state.verification_requests, env.withoutEnvironmentKey(body.auth_request_id));
  const account = request && getRow(state.connected_accounts, request.account_id);
  if (!account || env.hasEnded(request.expires_at))
    throw notFound(
      `pending auth_request ${body.auth_request_id}`,
      'The auth_request_id is unknown, has expired or has already been used. Create a new link with POST /api/v1/connected_accounts/magic_link.',
      'V6',
    );
  if (account.identifier !== body.identifier)
    throw new Refusal(
      'PERMISSION_DENIED',
      `${body.identifier} is not the identifier of the account that the user authorized.`,
      'Send the identifier of the account exactly as it is stored. The auth request stays open.',
      {
        rule: 'V6',
        resource: {
          resource_name: 'auth_request',
          description: 'The auth request belongs to an account with another identifier.',
        },
      },
    );
  const next = activateConsented(state, account, request, env);
  return {
    status: 200,
    body: { post_user_verify_redirect_url: env.settings.post_user_verify_redirect_url ?? successUrl(env) },
    state: next,
    changes: [accountChange(state, next, account.id, env)],
  };
};
