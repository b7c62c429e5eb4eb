/** Access tokens (behaviour E3): RS256 JWTs signed with the fixed test key, and the check that a token is valid. */
import { createPublicKey } from 'node:crypto';
import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { isWritable, realNow, toTimestamp } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { absolute, type Instant } from '../core/moment.ts';
import { getRow } from '../core/table.ts';
import type { ClientRow, EngineState } from '../state.ts';

/**
 * PUBLIC TEST DATA, NOT A SECRET. Every mock server uses this key pair, so that tokens stay valid after a restart
 * (behaviour E3). Anyone can sign with it: a valid signature proves nothing outside a test.
 */
export const PRIVATE_KEY_PEM = `-----BEGIN PRIVATE KEY-----
MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQCvTE95Gl7w/0ul
M6oXpHVAySL/mXzaSG3dTJGVN8FZNYF0JGWXHqrWnwQjemV+I/oUoojBXzKAIXRi
o7LNc/0Z2TGWIoGUGiiefRbZVYDAFT2FKsNbcRgWx7kzZVMjjrRII6M0R+fayd/e
fzHY1SZRqi+3Md0WOo3VYVPxiFCpOZ2qmoa3/xMUqas6zVEN432PIphOZlVqGL0W
aucU6RJwuXsfH3M+7FcTtsrA9agAYKjx8Vt4TEe7KQo1wiiVnSONr9UcUKUY5JG6
OAJ0v8GOZeCmYP3rGMWL0Hoq67mL2DdXxfpthMvEybQ9elaXvr1uaoz1fITF4Bum
Cb+3l6L7AgMBAAECggEAR+48PilABAv98k/8366wHmFqZw+IV9mYm1Ir+triD8UQ
1aOJvDTtTRv7CsPSmawRlh4Ll62Ef2c65q7dU8jgdpbU7hJCsY76U+5oTc30At20
XMxrVT5W8CIMMLbHIrQP7foRogZPcUuc/SOcRKlSC/iVk8p2OgTU5lYFp/qTfpxi
/+JZF7ZwpSDIkWkidlMR4LxnrZJ5KB+DM/auIiGZRij5Oc9+tkuMLlZ8EjLYWL1F
saHEnW4i3AfRos8v+0uxY+nsQKl9/6CfABjZkdTGCO4z6YBvpV0EhBALqvgG/yIN
7W38YxeLKuQMiN7dml0wUv1fA+dYi0vV1KLJKC41QQKBgQDql0qjHlztZoVbz6Kc
rrBJicpFaFz04WiaSwwzktLDsyW/52cuiBRCQQHuX/1xWm2Qk2z31delZOxYQ+9Q
iAZspGjsfV8Peyp3osdSe1cGZt97LJb+ruUD7NsVUTiH5Az9QnHTUTS1jcffGMNI
ptorD3wIdtYbcD/dt6SE5JVGEwKBgQC/S8TuqUm54oYd+OC4QtEwGcVzvcR3sukR
vYeTyABXk7Ure9976R+4lGKWw+g8BW81A7SmqPDXs7GUVTMxg2fo6WXTnXroRfhC
OBzcgBHMuvYvosvGmH9coI1xYzQR8btWkhynzgZOxqVO1SziECql8PvTazUpmrv9
f5T2e9DseQKBgQC1OGh0+CirUA5nLVAeH6iZNnNmCMf+d/65ao4jbSGaAlOAGr+P
p5mW0OcwAUElBskq7Wg5UB2FbCBT0y8VE+96j8tqHTOJHwlgYAQASL2ieWfcnEaM
ugi6boeTwSmdeGM8Zc7OgqXoNn2Xb2a0Qgi5SP30//BIQ/9iRNI3wuk5twKBgQCB
o9m8XCHIxclaepXgife2f2CfBZYmAKuPCEDfWAVTVJjM9VAJa33B213NCstSEeTB
qtc8svU1WWQZQHxHK+S5paMKfIkU7IZIajq0/F4TvwikU9GBr0tw/KWemDprhsUM
8ExXNHp13I2fFT0rnwUoHF6tctQ+c8y/CT1spZB7EQKBgQC1HJQqAWuioqhLO6n6
Da02DhXGbCs4nFlBHTTTpacObeRmriwi7ELRPT6tk7ck5iBZvtiLmmgv7DIT3Awi
OYe+weCmACllHbvWPqNZa8Zri9gb7d3VKgb7xrfCarBpYdTqzhLiAtCEmOqI1lZ3
gN/oMpLpH7bcfJWDfR3Goc4+zg==
-----END PRIVATE KEY-----
`;
export const PUBLIC_KEY = createPublicKey(PRIVATE_KEY_PEM);
/** The id of the key in a token's header and in the key set. */
const KEY_ID = 'mock-key-1';

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
    const why = `its signature is wrong, or its algorithm is not ${ALGORITHM}`;
    if (BAD_SIGNATURE.has(error.code))
      throw unauthenticated(`This mock did not sign the access token: ${why}.`);
  }
  const known = 'an access token of this mock nor one of the access_tokens of a scenario';
  throw unauthenticated(`The bearer token is neither ${known}.`);
};

const { invalidSignature, invalidAlgorithm, missingSignature } = TokenError.codes;
const BAD_SIGNATURE: ReadonlySet<string> = new Set([invalidSignature, invalidAlgorithm, missingSignature]);

/** Checks every claim: the signing key is public, so anyone can sign a token with an invalid `exp`. */
const isAccessTokenClaims = (value: unknown): value is AccessTokenClaims => {
  const { client_id, env, exp } = Object(value);
  const isDate = Number.isSafeInteger(exp) && isWritable(Number(exp) * 1000);
  return typeof client_id === 'string' && typeof env === 'string' && isDate;
};

/** The client of a token, which must be valid in its environment (behaviour E3). @throws Refusal 401 */
export const requireLiveToken = (
  { clients }: EngineState,
  { exp, client_id }: AccessTokenClaims,
  { now, hasEnded }: Instant,
): ClientRow => {
  if (hasEnded(absolute(exp * 1000))) {
    const shown = `the environment's clock shows ${toTimestamp(now)}`;
    throw unauthenticated(`The access token expired at ${toTimestamp(exp * 1000)}; ${shown}.`, RENEW, 'E3');
  }
  const client = getRow(clients, client_id);
  if (client) return client;
  const problem = `The access token was issued to client ${client_id}, which has been removed from the environment.`;
  throw unauthenticated(problem, RENEW, 'E3');
};

/** The public half of the key, as `GET /keys` returns it. */
export const publicJwk = () => {
  const { n = '', e = '' } = PUBLIC_KEY.export({ format: 'jwk' });
  return { kty: 'RSA', use: 'sig', alg: ALGORITHM, kid: KEY_ID, n, e };
};
