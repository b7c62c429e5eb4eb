/** Checks that the credentials of a scenario's accounts suit the connection, and makes up missing credentials. */

import { hasMembers } from '../../engine/core/object.ts';
import type { WrittenRow } from '../../engine/scenario/loading.ts';
import { described, extend, type MemberSchema, STRING } from '../../engine/scenario/member-schemas.ts';
import type { ConnectionRow } from '../connections/row.ts';
import type { Connector } from '../connections/rules.ts';
import type { Schemas } from '../contract.ts';
import { contract, type OpenNouns } from '../section.ts';
import { credentialFields, pick, renewCredentials, unfitCredentials } from './credentials.ts';
import type { CredentialsRow } from './row.ts';

type CredentialsForm = Schemas['AuthorizationDetails'];

const NEVER_KEPT = described(STRING, 'The mock accepts this value, but does not store it.');

/** Also accepts two secrets that only the real service returns, because users paste its replies (behaviour A5). */
export const CREDENTIALS: MemberSchema<CredentialsForm> = extend(contract('AuthorizationDetails'), {
  trusted_idp: extend(contract('TrustedIdp'), { secret_access_key: NEVER_KEPT, session_token: NEVER_KEPT }),
});

/** A row's credentials, as the mock stores them. Adds a problem if they do not suit the connection (behaviour A5). */
export const formCredentials = (
  { form, problem }: WrittenRow<{ readonly authorization_details?: CredentialsForm }>,
  connector: Connector,
): CredentialsRow | undefined => {
  const written = form.authorization_details ?? {};
  for (const { name, words } of unfitCredentials(written, connector))
    problem(['authorization_details', name], words);
  const row = toRow(written);
  return hasMembers(row) ? row : undefined;
};

const toRow = ({ oauth_token, static_auth, vendorb_dwd, trusted_idp }: CredentialsForm): CredentialsRow => ({
  ...(oauth_token && hasMembers(oauth_token) && { oauth_token }),
  ...(static_auth?.details && hasMembers(static_auth.details) && { static_auth }),
  ...(vendorb_dwd && { vendorb_dwd: pick(vendorb_dwd, ['subject', 'access_token', 'scopes']) ?? {} }),
  ...(trusted_idp && { trusted_idp: pick(trusted_idp, ['db_user', 'access_key_id']) ?? {} }),
});

/**
 * Makes up credentials for an account whose credentials the scenario leaves out.
 * @param isRefreshed whether the provider renews the OAuth token when it expires
 */
export const makeCredentials = (
  { state, token }: OpenNouns,
  { connection, kind }: Connector,
  identifier: string,
  isRefreshed: boolean,
): CredentialsRow | undefined => {
  switch (kind.credentials) {
    case 'oauth_token':
      return { oauth_token: makeOAuthToken(token, connection, isRefreshed) };
    case 'static_auth': {
      const fields = credentialFields(state, connection);
      const details = fields.map(({ name, secret }) => [name, secret ? token() : identifier]);
      return { static_auth: { details: Object.fromEntries(details) } };
    }
    case 'vendorb_dwd':
      return { vendorb_dwd: { subject: identifier } };
    case 'trusted_idp':
      return { trusted_idp: connection.serverless ? {} : { db_user: identifier.replace(/@.*/, '') } };
    default:
      return undefined;
  }
};

export const makeOAuthToken = (
  token: OpenNouns['token'],
  { scopes }: ConnectionRow,
  isRefreshed: boolean,
): Schemas['OAuthToken'] => ({
  access_token: token(),
  ...(isRefreshed && { refresh_token: token() }),
  scopes: [...scopes],
});

/** Adds missing credentials that the API itself issues (behaviour A6). Returns undefined if none are missing. */
export const mintMissing = (
  { settings, token }: OpenNouns,
  { connection }: Connector,
  { vendorb_dwd: delegation, trusted_idp: key }: CredentialsRow,
): CredentialsRow | undefined => {
  const env = { now: 0, settings, token: () => token() };
  if (delegation?.subject !== undefined && delegation.access_token === undefined) {
    const vendorb_dwd = { scopes: [...connection.scopes], ...delegation };
    return renewCredentials({ vendorb_dwd }, env).authorization_details;
  }
  const isMissing = key !== undefined && key.access_key_id === undefined;
  return isMissing ? renewCredentials({ trusted_idp: key }, env).authorization_details : undefined;
};
