/** Creates authorization links, and verifies the user who opened one (behaviour V1-V6). */

import { isWebAddress } from '../core/addresses.ts';
import { toTimestamp } from '../core/clock.ts';
import { type FieldViolation, notFound, Refusal, refuse } from '../core/errors.ts';
import { absolute, hasEnded } from '../core/moment.ts';
import { getRow, putRow } from '../core/table.ts';
import {
  accountCreated,
  accountUpdated,
  activateConsented,
  openAccount,
  putAccount,
} from '../domain/account-changes.ts';
import {
  type AccountAddress,
  addressViolations,
  findByPair,
  requireAccount,
} from '../domain/account-lookup.ts';
import { successUrl } from '../domain/authorization.ts';
import {
  type Connector,
  findConnector,
  requireConnectorOf,
  requireUsable,
  unknownConnector,
} from '../domain/connection.ts';
import type { Change, Env, Operation } from '../domain/operation.ts';
import type { AccountRow, VerificationRequestRow } from '../domain/rows.ts';
import type { State } from '../domain/state.ts';

/**
 * Makes a one-time link for an account; creates the account in PENDING_AUTH if the pair has none (behaviour V1).
 * @throws Refusal 400 for a body that names no account, an unknown connector, a connector without a link page, or a
 * missing `user_verify_url` where the environment requires verification; 403 for a connection that is not enabled;
 * 404 for an unknown account
 */
export const createMagicLink: Operation<'createMagicLink'> = (state, { body }, env) => {
  refuse([
    ...addressViolations(body),
    ...userVerifyUrlViolations(body.user_verify_url, env),
    ...connectorViolations(state, body),
  ]);
  const target = requireTarget(state, body, env);
  const token = env.token();
  const expires_at = env.now + env.settings.magic_link_ttl;
  const link = {
    token,
    account_id: target.account.id,
    expires_at: absolute(expires_at),
    ...(body.state !== undefined && { state: body.state }),
    ...(body.user_verify_url !== undefined && { user_verify_url: body.user_verify_url }),
  };
  const { authorization_links } = target.state;
  return {
    status: 200,
    body: {
      link: `${env.baseUrl}/magicLink/${env.withEnvironmentKey(token)}`,
      expiry: toTimestamp(expires_at),
    },
    state: { ...target.state, authorization_links: putRow(authorization_links, link) },
    changes: [
      ...target.changes,
      { type: 'authorization_link.created', resource: { connected_account_id: link.account_id } },
    ],
  };
};

/**
 * Requires an address to return to where the environment requires verification: without it, nobody could verify the
 * user (behaviour V4). Also refuses addresses that the contract's pattern allows but no browser can open, such as
 * `https://a.test:99999`.
 */
const userVerifyUrlViolations = (url: string | undefined, { settings }: Env): FieldViolation[] => {
  if (url === undefined) return settings.user_verification === 'lenient' ? [] : [USER_VERIFY_URL_MISSING];
  return isWebAddress(url) ? [] : [USER_VERIFY_URL_BROKEN];
};

const USER_VERIFY_URL_MISSING: FieldViolation = {
  field: 'user_verify_url',
  constraint: 'required',
  description:
    'user_verify_url is missing, and the setting user_verification is strict. Send it, or set user_verification to lenient.',
};

const USER_VERIFY_URL_BROKEN: FieldViolation = {
  field: 'user_verify_url',
  constraint: 'format',
  description: 'user_verify_url is not an address that a browser can go to. Check its host and port.',
};

/** Checks the connector (behaviour A3, V2), unless an `id` makes it irrelevant (behaviour A2). */
const connectorViolations = (state: State, { id, connector: name }: AccountAddress): FieldViolation[] => {
  if (id !== undefined || name === undefined) return [];
  const connector = findConnector(state, name);
  return connector ? pageViolations(connector) : [unknownConnector(state, name)];
};

/** Refuses connectors that need no user, since these have no link (behaviour V2). */
const pageViolations = ({ connection, kind }: Connector): FieldViolation[] =>
  kind.page
    ? []
    : [
        {
          field: 'connector',
          constraint: 'connector',
          rule: 'V2',
          description: `Connector ${connection.key_id} of type ${connection.type} needs no authorization by a user, so it has no link. Create or update the account instead.`,
        },
      ];

interface LinkTarget {
  readonly account: AccountRow;
  readonly state: State;
  readonly changes: readonly Change[];
}

/** The account that the request names, or a new one. */
const requireTarget = (state: State, address: AccountAddress, env: Env): LinkTarget => {
  const { id, connector: name = '', identifier = '' } = address;
  const connector = id === undefined ? findConnector(state, name) : undefined;
  if (connector && !findByPair(state, name, identifier)) {
    requireUsable(connector.connection);
    const account = openAccount(state, connector, { ...address, identifier }, env);
    const next = putAccount(state, account);
    return { account, state: next, changes: [accountCreated(next, account, env)] };
  }
  const account = requireAccount(state, address);
  const existing = requireConnectorOf(state, account);
  refuse(pageViolations(existing));
  requireUsable(existing.connection);
  return { account, state, changes: [] };
};

/**
 * Gives the account the tokens of the request, and removes its other open requests (behaviour V6).
 * @throws Refusal 403 if the identifier differs (the request stays open), 404 if no such request is open
 */
export const verifyConnectedAccountUser: Operation<'verifyConnectedAccountUser'> = (state, { body }, env) => {
  const request = requireOpenRequest(state, body.auth_request_id, env);
  const account = getRow(state.connected_accounts, request.account_id);
  if (!account) throw notPending(body.auth_request_id);
  if (account.identifier !== body.identifier) throw identifierMismatch(body.identifier);
  const after = activateConsented(state, account, request, env);
  return {
    status: 200,
    body: { post_user_verify_redirect_url: env.settings.post_user_verify_redirect_url ?? successUrl(env) },
    state: after.state,
    changes: [accountUpdated({ state, account }, after, env)],
  };
};

const requireOpenRequest = (state: State, sealed: string, env: Env): VerificationRequestRow => {
  const request = getRow(state.verification_requests, env.withoutEnvironmentKey(sealed));
  if (!request || hasEnded(request.expires_at, env)) throw notPending(sealed);
  return request;
};

const notPending = (authRequestId: string): Refusal =>
  notFound(
    `pending auth_request ${authRequestId}`,
    'It is unknown, expired or used already. Make a new link with POST /api/v1/connected_accounts/magic_link.',
    'V6',
  );

const identifierMismatch = (identifier: string): Refusal =>
  new Refusal(
    'PERMISSION_DENIED',
    `${identifier} is not the identifier that this authorization was made for.`,
    'Send the identifier of the account exactly as it is stored; the request stays open.',
    { resource: { resource_name: 'auth_request', description: 'It belongs to another identifier.' } },
  );
