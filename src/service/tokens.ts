/**
 * Issues access tokens, and publishes the keys to check them. Tokens themselves are the engine's (`engine/tokens`).
 *
 * Rules: E3 tokens and keys, R3 errors, T8 ids of tokens.
 */
import { withCalledHost } from '../engine/core/addresses.ts';
import { getRow } from '../engine/core/table.ts';
import { cut } from '../engine/core/text.ts';
import type { ClientRow } from '../engine/state.ts';
import { issuedAt, publicJwk, signClaims, unauthenticated } from '../engine/tokens/access-token.ts';
import type { Env, Operation } from './types.ts';

/**
 * Issues a token, or refuses as RFC 6749 says (behaviour R3). The API has already copied the client's id and secret
 * from the header to the body, and has chosen the client's environment. @throws Refusal 401
 */
export const issueToken: Operation<'issueToken'> = (state, { body }, env) => {
  const { client_id = '', client_secret } = body;
  const client = getRow(state.clients, client_id);
  if (client && client.client_secret === client_secret) return { status: 200, body: grant(client, env) };
  throw unauthenticated(
    `No client of this server has the id ${cut(client_id)} and this secret.`,
    'Take both from the scenario, or from the reply to the call that created the environment.',
  );
};

const grant = (client: ClientRow, env: Env) => {
  const { client_id, scope = '' } = client;
  const expires_in = Math.floor(env.settings.access_token_ttl / 1000);
  const access_token = signClaims({
    iss: withCalledHost(env.baseUrl, env.host),
    sub: client_id,
    client_id,
    aud: [client_id], // a list, since clients in Go read nothing else
    env: env.environment.id,
    scope,
    scopes: scope.split(/ +/).filter((each) => each !== ''),
    iat: issuedAt(env.now),
    exp: Math.max(Math.floor(env.now / 1000) + expires_in, 1), // the signing library leaves out `exp` if it is 0
    jti: env.accessTokenId(),
  });
  return { access_token, token_type: 'Bearer' as const, expires_in, scope };
};

export const getKeys: Operation<'getKeys'> = () => ({ status: 200, body: { keys: [publicJwk()] } });

export const getOpenIdConfiguration: Operation<'getOpenIdConfiguration'> = (_state, _input, env) => {
  const issuer = withCalledHost(env.baseUrl, env.host);
  return {
    status: 200,
    body: {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/keys`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: ['token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    },
  };
};
