import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSigner } from 'fast-jwt';
import { createMock } from '#mock';
import { PRIVATE_KEY_PEM, PUBLIC_KEY, readAccessToken } from '../../src/engine/tokens/access-token.ts';
import { refusal, START } from '../support/core.ts';
import { send, testServer } from '../support/server.ts';

const CLAIMS = { client_id: 'dev-client', env: 'env_1', iat: START / 1000, exp: START / 1000 + 60 };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const forge = (header: object, claims: object, key: string | KeyObject): string => {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};

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

test.each<object>([
  ...[9e12, Number.MAX_SAFE_INTEGER, -1e12, 1.5, '1'].map((exp) => ({ exp })),
  ...[{ env: undefined }, { client_id: undefined }],
])('a well-signed token is refused if it has the claim %j, which no token of the mock has', (claim) => {
  const token = forge({ alg: 'RS256' }, { ...CLAIMS, ...claim }, PRIVATE_KEY_PEM);
  expect(refusal(() => readAccessToken(token)).message).toContain('neither an access token');
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
])('behaviour E3: with the base URL %s, a client that calls the host %s gets the issuer %s, in tokens and in discovery', async (baseUrl, host, issuer) => {
  const { app } = createMock({ baseUrl, log: 'silent' });
  const headers = host === undefined ? {} : { host };
  const { body } = await send(app, 'GET', '/.well-known/openid-configuration', { token: null, headers });
  const endpoints = { token_endpoint: `${issuer}/oauth/token`, jwks_uri: `${issuer}/keys` };
  expect(body).toMatchObject({ issuer, ...endpoints });
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'dev-client' });
  form.set('client_secret', 'dev-secret');
  const issued = await send(app, 'POST', '/oauth/token', { token: null, headers, body: form });
  expect(readAccessToken(issued.body.access_token)).toMatchObject({ iss: issuer });
});

// Forged access tokens are refused, whatever their header and claims say.

const server = testServer();
const issued = await server.issueToken('dev-client', 'dev-secret');

const statusWith = async (token: string): Promise<number> =>
  (await server.call('GET', '/api/v1/connections', { token })).status;

const part = (token: string, index: 0 | 1) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

const { privateKey: stranger } = generateKeyPairSync('rsa', { modulusLength: 2048 });

test('any token that is signed with the key of the mock is accepted, even if it was made by hand', async () => {
  expect(await statusWith(issued)).toBe(200);
  expect(await statusWith(forge({ alg: 'RS256' }, part(issued, 1), PRIVATE_KEY_PEM))).toBe(200);
});

test.each<{ header?: object; claims?: object; key?: KeyObject }>([
  ...['mock-key-1', '../../../dev/null', '__proto__'].map((kid) => ({ header: { kid }, key: stranger })),
  ...[{ jku: 'http://evil.test/keys' }, { x5u: 'http://evil.test/cert' }, { jwk: { kty: 'RSA' } }].map(
    (header) => ({ header, key: stranger }),
  ),
  { header: { crit: ['exp'], exp: 1 } }, // an unknown extension (RFC 7515, 4.1.11)
  { header: { crit: ['b64'], b64: false } },
  ...[{ env: 'env_404' }, { env: '__proto__' }, { client_id: 'constructor' }].map((claims) => ({ claims })),
])('a token gets a 401 with another key, an unknown extension, or claims of nobody: %j', async (forged) => {
  const { header, claims, key = PRIVATE_KEY_PEM } = forged;
  const token = forge({ alg: 'RS256', ...header }, { ...part(issued, 1), ...claims }, key);
  expect(await statusWith(token)).toBe(401);
});

test('a very long invalid token gets a 401 quickly, and a token longer than the limit of headers gets a 431', async () => {
  const before = process.cpuUsage();
  expect(await statusWith('a.'.repeat(7_000))).toBe(401);
  expect(await statusWith(`${'x'.repeat(14_000)}=`)).toBe(401);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000); // milliseconds of CPU time, however busy the machine is
  expect(await statusWith('x'.repeat(20_000))).toBe(431);
});
