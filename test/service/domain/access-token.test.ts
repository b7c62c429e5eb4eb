import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSigner } from 'fast-jwt';
import { instantAt } from '../../../src/engine/core/moment.ts';
import { readAccessToken, requireLiveToken, signClaims } from '../../../src/engine/tokens/access-token.ts';
import { PRIVATE_KEY_PEM, PUBLIC_KEY } from '../../../src/engine/tokens/signing-key.ts';
import { refusal, START, stateOf } from '../../support/core.ts';
import { forgeAccessToken } from '../../support/forge.ts';

const CLAIMS = { client_id: 'dev-client', env: 'env_1', iat: START / 1000, exp: START / 1000 + 60 };
const ENV = { environment: { id: 'env_1', name: 'development' }, ...instantAt(START, START) };
const state = stateOf({ clients: [{ client_id: 'dev-client', client_secret: 'dev-secret' }] });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const NO_TOKENS = ['', 'nonsense', 'a.b.c', `${encode({ alg: 'RS256' })}..`, 'x'.repeat(5_000)];

test.each(
  NO_TOKENS,
)('behaviour R1: a text that is not a token is 401, and is not in the message (%#)', (token) => {
  const { errorCode, message } = refusal(() => readAccessToken(token));
  expect(errorCode).toBe('UNAUTHENTICATED');
  expect(message).toMatch(/neither an access token|did not sign/);
  expect(message).toContain('POST /oauth/token');
  if (token) expect(message).not.toContain(token);
});

test('a changed token is 401 because of its signature', () => {
  const [header, , signature] = signClaims(CLAIMS).split('.');
  const forged = `${header}.${encode({ ...CLAIMS, client_id: 'other' })}.${signature}`;
  expect(refusal(() => readAccessToken(forged)).message).toContain('signature is wrong');
});

test('a token with the algorithm `none`, HS256 with the public key, or another RSA algorithm is refused', () => {
  const body = encode(CLAIMS);
  const none = `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`;
  const publicPem = PUBLIC_KEY.export({ type: 'spki', format: 'pem' });
  const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${body}`;
  const hs256 = `${unsigned}.${createHmac('sha256', publicPem).update(unsigned).digest('base64url')}`;
  const rs512 = createSigner({ key: PRIVATE_KEY_PEM, algorithm: 'RS512' })({ ...CLAIMS });
  for (const token of [none, hs256, rs512]) {
    expect(refusal(() => readAccessToken(token)).message).toContain('algorithm is not RS256');
  }
});

test('behaviour E3: a token expires when the clock reaches exp, and is valid again when the clock is set back', () => {
  const end = CLAIMS.exp * 1000;
  expect(requireLiveToken(state, CLAIMS, { ...ENV, ...instantAt(end - 1, 0) }).client_id).toBe('dev-client');
  expect(refusal(() => requireLiveToken(state, CLAIMS, { ...ENV, ...instantAt(end, 0) })).message).toBe(
    'The access token expired at 2026-03-01T12:01:00.000Z; the environment\'s clock shows 2026-03-01T12:01:00.000Z. Get a token with POST /oauth/token and send it as "Authorization: Bearer TOKEN".',
  );
  expect(requireLiveToken(state, CLAIMS, ENV).client_id).toBe('dev-client');
});

test('behaviour E2: a token of another environment is 401, and the message names both environments', () => {
  const environment = { id: 'env_2', name: 'production' };
  const { errorCode, message } = refusal(() => requireLiveToken(state, CLAIMS, { ...ENV, environment }));
  expect(errorCode).toBe('UNAUTHENTICATED');
  expect(message).toContain('belongs to environment env_1, not to production (env_2)');
});

test.each<object>([
  { exp: 9e12 },
  { exp: Number.MAX_SAFE_INTEGER },
  { exp: -1e12 },
  { exp: 1.5 },
  { exp: '1' },
  { env: undefined },
  { client_id: undefined },
])('a well-signed token is refused if it has the claim %j, which no token of the mock has', (claim) => {
  const token = forgeAccessToken(JSON.stringify({ ...CLAIMS, ...claim }));
  expect(refusal(() => readAccessToken(token)).message).toContain('neither an access token');
});

test('behaviour E3: a token is refused after its client is removed', () => {
  expect(refusal(() => requireLiveToken(stateOf({}), CLAIMS, ENV)).message).toContain('dev-client');
});
