/** Access tokens (behaviour E3): RS256 JWTs signed with the fixed test key, and the check that one is valid now. */
import { createPublicKey } from 'node:crypto';
import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { isWritable, toTimestamp } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { absolute, hasEnded } from '../core/moment.ts';
import { getRow } from '../core/table.ts';
import type { Env } from './operation.ts';
import type { ClientRow } from './rows.ts';
import { KEY_ID, PRIVATE_KEY_PEM, PUBLIC_KEY_PEM } from './signing-key.ts';
import type { State } from './state.ts';

/** The claims of a token. Times are seconds since the epoch, as in every JWT. */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly client_id: string;
  /** Always the same as `client_id`. */
  readonly aud: string;
  /** Id of the environment that the token selects (behaviour E2). */
  readonly env: string;
  readonly scope: string;
  /** The scopes of `scope`, as a list. */
  readonly scopes: readonly string[];
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

const ALGORITHM = 'RS256';
const sign = createSigner({ key: PRIVATE_KEY_PEM, algorithm: ALGORITHM, kid: KEY_ID });
const verify = createVerifier({
  key: PUBLIC_KEY_PEM,
  algorithms: [ALGORITHM],
  ignoreExpiration: true,
  ignoreNotBefore: true,
  cache: true,
});

export const signAccessToken = (claims: AccessTokenClaims): string => sign({ ...claims });

/**
 * The claims of a token that this mock signed. `requireLiveToken` checks whether it is still valid.
 * @throws Refusal 401 for a malformed token, or a token signed with another key or algorithm
 */
export const readAccessToken = (token: string): AccessTokenClaims => {
  try {
    const claims: unknown = verify(token);
    if (isAccessTokenClaims(claims)) return claims;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    if (BAD_SIGNATURE.has(error.code)) throw badSignature();
  }
  throw malformed();
};

const BAD_SIGNATURE: ReadonlySet<string> = new Set([
  TokenError.codes.invalidSignature,
  TokenError.codes.invalidAlgorithm,
  TokenError.codes.missingSignature,
]);

/** Checks only the claims that decide whether the token is valid; clients may check the others. */
const isAccessTokenClaims = (value: unknown): value is AccessTokenClaims => {
  if (typeof value !== 'object' || value === null) return false;
  const { client_id, env, exp } = value as Record<string, unknown>; // an object may be read with any names
  return typeof client_id === 'string' && typeof env === 'string' && isInstant(exp);
};

/** Rejects numbers that no date has. Anyone can sign a token with such a number, since the key is public. */
const isInstant = (seconds: unknown): boolean =>
  Number.isSafeInteger(seconds) && isWritable(Number(seconds) * 1000);

/**
 * The client of a token that is valid in this environment now (behaviour E2, E3).
 * @throws Refusal 401 if the token is another environment's or has expired, or its client was removed
 */
export const requireLiveToken = (
  state: State,
  claims: AccessTokenClaims,
  { environment, now }: Pick<Env, 'environment' | 'now'>,
): ClientRow => {
  if (claims.env !== environment.id) throw ofAnotherEnvironment(claims, environment);
  if (hasEnded(absolute(claims.exp * 1000), { now, start: now })) throw expired(claims, now);
  const client = getRow(state.clients, claims.client_id);
  if (!client) throw ofUnknownClient(claims);
  return client;
};

/** A 401; each cause has its own message (behaviour R1). */
export const unauthenticated = (problem: string, hint = RENEW): Refusal =>
  new Refusal('UNAUTHENTICATED', problem, hint);

const RENEW = 'Get a token with POST /oauth/token and send it as "Authorization: Bearer TOKEN".';

const malformed = () =>
  unauthenticated(
    `The bearer token is neither an access token of this mock nor a fixed token of a scenario.`,
  );

const badSignature = () =>
  unauthenticated(
    `This mock did not sign the access token: its signature is wrong, or its algorithm is not ${ALGORITHM}.`,
  );

const expired = ({ exp }: AccessTokenClaims, now: number) =>
  unauthenticated(
    `The access token expired at ${toTimestamp(exp * 1000)}; the environment's clock shows ${toTimestamp(now)}.`,
  );

const ofAnotherEnvironment = ({ env }: AccessTokenClaims, { id, name }: Env['environment']) =>
  unauthenticated(
    `The access token belongs to environment ${env}, not to ${name} (${id}).`,
    `Use a token of a client of ${name}, or leave out the environment.`,
  );

const ofUnknownClient = ({ client_id }: AccessTokenClaims) =>
  unauthenticated(
    `The access token was issued to client ${client_id}, which has been removed from the environment.`,
  );

/** The public half of the key, as `GET /keys` gives it. */
export const publicJwk = () => {
  const { n = '', e = '' } = createPublicKey(PUBLIC_KEY_PEM).export({ format: 'jwk' });
  return { kty: 'RSA', use: 'sig', alg: ALGORITHM, kid: KEY_ID, n, e };
};
