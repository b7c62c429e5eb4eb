/**
 * Credentials of accounts: what a caller can send, when they are enough to use an account, what the server adds
 * (behaviour A5-A8), the fields of a credential form (behaviour V2), and the credentials of a scenario.
 */
import { absolute, type Moment } from '../../engine/core/moment.ts';
import { defined, hasMembers, valueAt } from '../../engine/core/object.ts';
import { described, extend, type MemberSchema, STRING } from '../../engine/scenario/schema.ts';
import type { WrittenRow } from '../../engine/scenario/section.ts';
import type { Connector } from '../connections.ts';
import type { Schemas } from '../contract.ts';
import { customProviderOf } from '../providers.ts';
import type { AccountRow, ConnectionRow, CredentialsRow, State } from '../state.ts';
import { contract, type Env, type OpenNouns } from '../types.ts';

/** The credentials with which an account becomes ACTIVE. */
export interface LiveCredentials {
  readonly authorization_details?: CredentialsRow;
  /** When the credentials expire. Absent if they never expire (behaviour A8). */
  readonly token_expires_at?: Moment;
}

/** The sent credentials, with only the members that callers can set (behaviour A5). */
export const readCredentials = (sent: Schemas['AuthorizationDetailsInput'] = {}): CredentialsRow => {
  const oauth_token = pick(sent.oauth_token, ['access_token', 'refresh_token', 'domain', 'scopes']);
  const static_auth = pick(sent.static_auth, ['details']);
  const vendorb_dwd = pick(sent.vendorb_dwd, ['subject']);
  const trusted_idp = pick(sent.trusted_idp, ['db_user']);
  const hasDetails = static_auth?.details && hasMembers(static_auth.details);
  return defined({ oauth_token, vendorb_dwd, trusted_idp, ...(hasDetails && { static_auth }) });
};

/** Copies the members in `names`, except absent members and "" (behaviour T5); undefined if none is left. */
export const pick = <Whole extends object, Name extends keyof Whole>(
  whole: Whole | undefined,
  names: readonly Name[],
): Pick<Whole, Name> | undefined => {
  if (!whole) return undefined;
  const present = names
    .filter((name) => whole[name] !== undefined && whole[name] !== '')
    .map((name) => [name, whole[name]]);
  return present.length > 0 ? (Object.fromEntries(present) as Pick<Whole, Name>) : undefined; // the cast is safe: every name in `present` is from `names`
};

/** The kinds of credentials that the connector does not accept, each with the reason in words (behaviour A5). */
export const unfitCredentials = (
  credentials: object,
  { connection, kind }: Connector,
): readonly { readonly name: string; readonly words: string }[] => {
  const takes = kind.credentials ? `${kind.credentials} and nothing else` : 'no credentials';
  const words = `cannot be set: the connection ${connection.key_id} (${connection.type}) takes ${takes}`;
  return Object.keys(credentials).flatMap((name) => (name === kind.credentials ? [] : [{ name, words }]));
};

/** Whether these credentials are enough to use an account of the connector (behaviour A6). */
export const isUsableWith = (credentials: CredentialsRow, { connection, kind }: Connector): boolean => {
  const { oauth_token, static_auth, vendorb_dwd, trusted_idp } = credentials;
  const isEnough = {
    oauth_token: Boolean(oauth_token?.access_token),
    static_auth: static_auth !== undefined,
    vendorb_dwd: Boolean(vendorb_dwd?.subject),
    trusted_idp: connection.serverless || Boolean(trusted_idp?.db_user),
  };
  return kind.credentials === undefined || isEnough[kind.credentials];
};

/** Adds the members that callers cannot send, such as a token and its expiry (behaviour A6, A8). */
export const completeCredentials = (
  credentials: CredentialsRow,
  { connection, kind }: Connector,
  env: Env,
): LiveCredentials => {
  const { vendorb_dwd, trusted_idp } = credentials;
  if (kind.credentials === 'vendorb_dwd')
    return renewCredentials({ vendorb_dwd: { ...vendorb_dwd, scopes: [...connection.scopes] } }, env);
  if (kind.credentials === 'trusted_idp') return renewCredentials({ trusted_idp: { ...trusted_idp } }, env);
  return hasMembers(credentials) ? { authorization_details: credentials } : {};
};

/** Replaces the token with a new one, which is valid for `provider_token_ttl` (behaviour A8). */
export const renewCredentials = (
  credentials: CredentialsRow,
  env: Pick<Env, 'now' | 'settings' | 'token'>,
): Required<LiveCredentials> => {
  const { oauth_token, vendorb_dwd, trusted_idp } = credentials;
  return {
    authorization_details: {
      ...credentials,
      ...(oauth_token && { oauth_token: { ...oauth_token, access_token: env.token() } }),
      ...(vendorb_dwd && { vendorb_dwd: { ...vendorb_dwd, access_token: env.token() } }),
      ...(trusted_idp && { trusted_idp: { ...trusted_idp, access_key_id: drawKeyId(env) } }),
    },
    token_expires_at: absolute(env.now + env.settings.provider_token_ttl),
  };
};

/** Generates a text that looks like the id of a temporary database key, but can never be a real one. */
const drawKeyId = (env: Pick<Env, 'token'>): string =>
  `TESTKEY${env.token().replace(/[-_]/g, '').slice(0, 13).toUpperCase()}`;

/** Replaces stored credentials with sent ones; keeps what was not sent, such as a `refresh_token` (behaviour A7). */
export const mergeCredentials = (stored: CredentialsRow, sent: CredentialsRow): CredentialsRow => ({
  ...stored,
  ...sent,
  ...(sent.oauth_token && { oauth_token: { ...stored.oauth_token, ...sent.oauth_token } }),
  ...(sent.vendorb_dwd && { vendorb_dwd: { ...stored.vendorb_dwd, ...sent.vendorb_dwd } }),
  ...(sent.trusted_idp && { trusted_idp: { ...stored.trusted_idp, ...sent.trusted_idp } }),
});

/** Whether the provider would still issue a new token (behaviour A8). */
export const isRefreshable = ({ refresh, authorization_details: own }: AccountRow): boolean =>
  refresh === 'grant' &&
  own !== undefined &&
  (Boolean(own.oauth_token?.refresh_token) || own.vendorb_dwd !== undefined || own.trusted_idp !== undefined);

export interface CredentialField {
  /** The member of `static_auth.details` that stores the field's value. */
  readonly name: string;
  readonly label: string;
  /** Whether the page hides what the user types, as for a password. */
  readonly secret: boolean;
  readonly required: boolean;
}

const FIELDS_BY_TYPE: { readonly [Type in Schemas['ConnectionType']]?: readonly CredentialField[] } = {
  API_KEY: [{ name: 'api_key', label: 'API key', secret: true, required: true }],
  BASIC: [
    { name: 'username', label: 'User name', secret: false, required: true },
    { name: 'password', label: 'Password', secret: true, required: true },
  ],
  BEARER: [{ name: 'token', label: 'Token', secret: true, required: true }],
};

/** The fields of a credential form: those that the custom provider lists, or the defaults of the connection's type. */
export const credentialFields = (state: State, connection: ConnectionRow): readonly CredentialField[] => {
  const patterns = customProviderOf(state, connection)?.auth_patterns;
  const pattern = patterns?.find(({ type }) => type === connection.type);
  const own = Array.isArray(pattern?.fields) ? pattern.fields.flatMap(readField) : [];
  return own.length > 0 ? own : (FIELDS_BY_TYPE[connection.type] ?? []);
};

/** Reads an item of `fields` in an auth pattern; leaves out an item without a name. */
const readField = (item: unknown): CredentialField[] => {
  const name = textAt(item, 'name') ?? textAt(item, 'field_name');
  if (!name) return [];
  const label = textAt(item, 'label') ?? name;
  const secret = valueAt(item, 'input_type') === 'password';
  return [{ name, label, secret, required: valueAt(item, 'required') !== false }];
};

const textAt = (item: unknown, member: string): string | undefined => {
  const value = valueAt(item, member);
  return typeof value === 'string' ? value : undefined;
};

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
  const { credentials } = kind;
  if (credentials === undefined) return undefined;
  if (credentials === 'oauth_token') return { oauth_token: makeOAuthToken(token, connection, isRefreshed) };
  if (credentials === 'vendorb_dwd') return { vendorb_dwd: { subject: identifier } };
  if (credentials === 'trusted_idp')
    return { trusted_idp: connection.serverless ? {} : { db_user: identifier.replace(/@.*/, '') } };
  const fields = credentialFields(state, connection);
  const details = fields.map(({ name, secret }) => [name, secret ? token() : identifier]);
  return { static_auth: { details: Object.fromEntries(details) } };
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
  { vendorb_dwd, trusted_idp }: CredentialsRow,
): CredentialsRow | undefined => {
  const isMissing = vendorb_dwd
    ? vendorb_dwd.subject !== undefined && vendorb_dwd.access_token === undefined
    : trusted_idp && trusted_idp.access_key_id === undefined;
  if (!isMissing) return undefined;
  const own = vendorb_dwd
    ? { vendorb_dwd: { scopes: [...connection.scopes], ...vendorb_dwd } }
    : defined({ trusted_idp });
  return renewCredentials(own, { now: 0, settings, token: () => token() }).authorization_details;
};
