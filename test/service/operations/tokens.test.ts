import { createPublicKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createVerifier } from 'fast-jwt';
import { readAccessToken } from '../../../src/engine/tokens/access-token.ts';
import { call, START, stateOf } from '../../support/core.ts';

const state = stateOf({
  clients: [{ client_id: 'dev-client', client_secret: 'dev-secret' }],
});
const BODY = {
  grant_type: 'client_credentials',
  client_id: 'dev-client',
  client_secret: 'dev-secret',
} as const;

test('behaviour E3: GET /keys returns the key that verifies tokens', () => {
  const { body: token } = call(state, 'issueToken', { body: BODY });
  const [jwk] = call(state, 'getKeys').body.keys;
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const verify = createVerifier({ key: String(key), clockTimestamp: START, complete: true });
  const header = { alg: 'RS256', typ: 'JWT', kid: 'mock-key-1' };
  expect(verify(token.access_token)).toMatchObject({ header, payload: { sub: 'dev-client' } });
  expect(jwk).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'mock-key-1' });
});

const BASE = 'http://127.0.0.1:4720';

test.each([
  [BASE, undefined, BASE],
  [BASE, 'localhost:4720', 'http://localhost:4720'],
  [BASE, '[::1]:4720', 'http://[::1]:4720'],
  [BASE, 'localhost:4721', BASE],
  [BASE, 'localhost.evil.test:4720', BASE],
  [BASE, 'production.localhost:4720', BASE],
  [BASE, 'a b', BASE],
  ['https://localhost/mock', '127.0.0.1', 'https://127.0.0.1/mock'],
  ['http://mock.local', 'localhost', 'http://mock.local'],
])('behaviour E3: with the base URL %s, a client that calls the host %s gets the issuer %s, in tokens and in discovery', (baseUrl, host, issuer) => {
  const { body } = call(state, 'getOpenIdConfiguration', {}, { baseUrl, host });
  const endpoints = { token_endpoint: `${issuer}/oauth/token`, jwks_uri: `${issuer}/keys` };
  expect(body).toMatchObject({ issuer, ...endpoints });
  const token = call(state, 'issueToken', { body: BODY }, { baseUrl, host }).body.access_token;
  expect(readAccessToken(token)).toMatchObject({ iss: issuer });
});
