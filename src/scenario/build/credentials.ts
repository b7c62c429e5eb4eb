/** Credentials of a scenario's accounts: held against the connection, and made up where an account must have some. */

import { defined } from '../../core/defined.ts';
import type { Connector } from '../../domain/connector.ts';
import { hasMembers, renewCredentials } from '../../domain/credentials.ts';
import type { ConnectionRow, CredentialsRow } from '../../domain/rows.ts';
import type { Schemas } from '../../openapi/types.ts';
import type { Draft } from '../draft.ts';
import type { CredentialsForm } from '../written.ts';
import { type Build, fault, tokenOr } from './build.ts';

/** The credentials that are written, without what is never kept; a kind that does not fit is a fault (behaviour A5). */
export const readCredentials = (
  build: Build,
  draft: Draft<unknown>,
  { connection, kind }: Connector,
  form: CredentialsForm = {},
): CredentialsRow | undefined => {
  const row = toRow(form);
  const unfit = Object.keys(form).filter((name) => name !== kind.credentials);
  if (unfit.length > 0) {
    const expected = kind.credentials ? `takes ${kind.credentials} and nothing else` : 'takes no credentials';
    const message = `${unfit.join(', ')} does not fit: the connection ${connection.key_id} (${connection.type}) ${expected}`;
    fault(build, draft, 'authorization_details', message);
  }
  return hasMembers(row) ? row : undefined;
};

const toRow = ({ oauth_token, static_auth, vendorb_dwd, trusted_idp }: CredentialsForm): CredentialsRow => ({
  ...(oauth_token && hasMembers(oauth_token) && { oauth_token }),
  ...(static_auth?.details && hasMembers(static_auth.details) && { static_auth }),
  ...(vendorb_dwd && { vendorb_dwd: delegation(vendorb_dwd) }),
  ...(trusted_idp && { trusted_idp: databaseKey(trusted_idp) }),
});

const delegation = ({ subject, access_token, scopes }: Schemas['VendorbDwd']) =>
  defined({ subject, access_token, scopes });

/** The temporary secrets that a pasted answer might hold are left behind (behaviour A5). */
const databaseKey = ({ db_user, access_key_id }: Schemas['TrustedIdp']) =>
  defined({ db_user, access_key_id });

/** When written credentials end: the account says so, or the sub-object as the contract shows it. */
export const writtenEnd = (form: CredentialsForm | undefined): string | undefined =>
  form?.vendorb_dwd?.token_expires_at ?? form?.trusted_idp?.expiry;

/** Credentials for an account that has to have some and of which the scenario says nothing. */
export const makeCredentials = (
  build: Build,
  { connection, kind }: Connector,
  identifier: string,
): CredentialsRow | undefined => {
  switch (kind.credentials) {
    case 'oauth_token':
      return { oauth_token: makeOAuthToken(build, connection) };
    case 'static_auth':
      return { static_auth: { details: staticDetails(build, connection, identifier) } };
    case 'vendorb_dwd':
      return { vendorb_dwd: { subject: identifier } };
    case 'trusted_idp':
      return { trusted_idp: connection.serverless ? {} : { db_user: identifier.replace(/@.*/, '') } };
    default:
      return undefined;
  }
};

export const makeOAuthToken = (build: Build, { scopes }: ConnectionRow): Schemas['OAuthToken'] => ({
  access_token: tokenOr(build, undefined),
  refresh_token: tokenOr(build, undefined),
  scopes: [...scopes],
});

const staticDetails = (build: Build, { type }: ConnectionRow, identifier: string): Record<string, string> => {
  if (type === 'BASIC') return { username: identifier, password: tokenOr(build, undefined) };
  return type === 'BEARER' ? { token: tokenOr(build, undefined) } : { api_key: tokenOr(build, undefined) };
};

/** Credentials with the members that the server mints, or undefined where none are missing (behaviour A6). */
export const mintMissing = (
  build: Build,
  { connection }: Connector,
  { vendorb_dwd, trusted_idp }: CredentialsRow,
): CredentialsRow | undefined => {
  const env = { now: 0, settings: build.settings, token: () => tokenOr(build, undefined) };
  if (vendorb_dwd?.subject !== undefined && vendorb_dwd.access_token === undefined) {
    const scoped = { ...vendorb_dwd, scopes: vendorb_dwd.scopes ?? [...connection.scopes] };
    return renewCredentials({ vendorb_dwd: scoped }, env).authorization_details;
  }
  const isMissing = trusted_idp && trusted_idp.access_key_id === undefined;
  return isMissing ? renewCredentials({ trusted_idp }, env).authorization_details : undefined;
};
