/** Access tokens (behaviour E3): RS256 JWTs signed with the fixed test key, and the check that a token is valid. */
import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { isWritable, realNow, toTimestamp } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { absolute } from '../core/moment.ts';
import { getRow } from '../core/table.ts';
import type { EngineEnv } from '../operation.ts';
import type { ClientRow, EngineState } from '../state.ts';
import { KEY_ID, PRIVATE_KEY_PEM, PUBLIC_KEY } from './signing-key.ts';

/** The claims that this mock checks. The other claims are for clients. */
export interface AccessTokenClaims {
  readonly client_id: string;
  /** The id of the environment that the token selects (behaviour E2). */
  readonly env: string;
  /** Seconds since the epoch, as in every JWT. */
  readonly exp: number;
}

const ALGORITHM = 'RS256';
const RENEW = 'Get a token with POST /oauth/token and send it as "Authorization: Bearer TOKEN".';

const sign = createSigner({ key: PRIVATE_KEY_PEM, algorithm: ALGORITHM, kid: KEY_ID });
const verify = createVerifier({
  key: PUBLIC_KEY.export({ type: 'spki', format: 'pem' }).toString(),
  algorithms: [ALGORITHM],
  ignoreExpiration: true,
  ignoreNotBefore: true,
  cache: true,
});

/** Signs an access token, or a token that a stub issues, with the key of `GET /keys`. */
export const signClaims = (claims: Readonly<Record<string, unknown>>): string => sign({ ...claims });

/** The claim `iat`. Never in the machine's future, where a client would refuse it (behaviour E3). @param now on the environment's clock */
export const issuedAt = (now: number): number => Math.floor(Math.min(now, realNow()) / 1000);

/** A refusal with 401. Every cause has a message of its own (behaviour R1). */
export const unauthenticated = (problem: string, hint = RENEW, rule = 'T4'): Refusal =>
  new Refusal('UNAUTHENTICATED', problem, hint, { rule, guide: 'troubleshooting#401' });

/** The claims of a token, even if the token has expired. @throws Refusal 401 if this mock did not sign the token */
export const readAccessToken = (token: string): AccessTokenClaims => {
  try {
    const claims: unknown = verify(token);
    if (isAccessTokenClaims(claims)) return claims;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    if (BAD_SIGNATURE.has(error.code))
      throw unauthenticated(
        `This mock did not sign the access token: its signature is wrong, or its algorithm is not ${ALGORITHM}.`,
      );
  }
  throw unauthenticated(
    'The bearer token is neither an access token of this mock nor one of the access_tokens of a scenario.',
  );
};

const { invalidSignature, invalidAlgorithm, missingSignature } = TokenError.codes;
const BAD_SIGNATURE: ReadonlySet<string> = new Set([invalidSignature, invalidAlgorithm, missingSignature]);

/** Checks every claim: the signing key is public, so anyone can sign a token with an invalid `exp`. */
const isAccessTokenClaims = (value: unknown): value is AccessTokenClaims => {
  const { client_id, env, exp } = Object(value);
  const isDate = Number.isSafeInteger(exp) && isWritable(Number(exp) * 1000);
  return typeof client_id === 'string' && typeof env === 'string' && isDate;
};

/** The client of a token (behaviour E2, E3). @throws Refusal 401 for a token of another environment, one that has expired, or whose client was removed */
export const requireLiveToken = (
  state: EngineState,
  { env, exp, client_id }: AccessTokenClaims,
  { environment: { id, name }, now, hasEnded }: Pick<EngineEnv, 'environment' | 'now' | 'hasEnded'>,
): ClientRow => {
  if (env !== id)
    throw unauthenticated(
      `The access token belongs to environment ${env}, not to ${name} (${id}).`,
      `Use a token of a client of ${name}, or leave the environment out of the request.`,
      'E2',
    );
  if (hasEnded(absolute(exp * 1000))) {
    const shown = `the environment's clock shows ${toTimestamp(now)}`;
    throw unauthenticated(`The access token expired at ${toTimestamp(exp * 1000)}; ${shown}.`, RENEW, 'E3');
  }
  const client = getRow(state.clients, client_id);
  if (client) return client;
  const problem = `The access token was issued to client ${client_id}, which has been removed from the environment.`;
  throw unauthenticated(problem, RENEW, 'E3');
};

/** The public half of the key, as `GET /keys` returns it. */
export const publicJwk = () => {
  const { n = '', e = '' } = PUBLIC_KEY.export({ format: 'jwk' });
  return { kty: 'RSA', use: 'sig', alg: ALGORITHM, kid: KEY_ID, n, e };
};
