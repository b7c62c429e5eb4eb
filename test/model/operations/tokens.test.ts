import { createPublicKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createVerifier } from 'fast-jwt';
import { readAccessToken } from '../../../src/model/domain/access-token.ts';
import { call, HOUR, START, stateOf } from '../../support/core.ts';

const state = stateOf({
  clients: [
    { client_id: 'dev-client', client_secret: 'dev-secret' },
    { client_id: 'scoped', client_secret: 'secret', scope: 'read write' },
  ],
});
const GRANT = { grant_type: 'client_credentials' } as const;
const BODY = { ...GRANT, client_id: 'dev-client', client_secret: 'dev-secret' };

test('behaviour E3: a client gets a Bearer token with the claims of its environment, for 86400 seconds', () => {
  const { status, body, state: next } = call(state, 'issueToken', { body: BODY });
  expect(status).toBe(200);
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, scope: '' });
  expect(readAccessToken(body.access_token)).toEqual({
    iss: 'http://mock.local',
    sub: 'dev-client',
    client_id: 'dev-client',
    aud: ['dev-client'],
    env: 'env_100000000000000001',
    scope: '',
    scopes: [],
    iat: START / 1000,
    exp: START / 1000 + 86_400,
    jti: expect.any(String),
  });
  expect(next).toBe(state);
});

test('behaviour E3: a token has the scope of its client, and the setting access_token_ttl decides when it expires', () => {
  const scoped = { ...GRANT, client_id: 'scoped', client_secret: 'secret' };
  const settings = { access_token_ttl: HOUR };
  const { body } = call(state, 'issueToken', { body: scoped }, { settings });
  expect(body).toMatchObject({ expires_in: 3_600, scope: 'read write' });
  expect(readAccessToken(body.access_token)).toMatchObject({
    scope: 'read write',
    scopes: ['read', 'write'],
    exp: START / 1000 + 3_600,
  });
});

test('behaviour E3: a lifetime is a whole number of seconds, and every token expires, also with a lifetime of 0 at the time 0', () => {
  const options = { now: 0, settings: { access_token_ttl: 0 } };
  const { body } = call(state, 'issueToken', { body: BODY }, options);
  expect(readAccessToken(body.access_token)).toMatchObject({ iat: 0, exp: 1 });
  const late = call(state, 'issueToken', { body: BODY }, { now: START + 999 }).body.access_token;
  expect(readAccessToken(late)).toMatchObject({ iat: START / 1000, exp: START / 1000 + 86_400 }); // not ahead of the clock
  const fraction = call(
    state,
    'issueToken',
    { body: BODY },
    { now: 0, settings: { access_token_ttl: 1_500 } },
  );
  expect(fraction.body.expires_in).toBe(1);
  expect(readAccessToken(fraction.body.access_token)).toMatchObject({ iat: 0, exp: 1 });
});

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
