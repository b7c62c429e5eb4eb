/** Forged access tokens are refused, whatever their header and claims say. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { PRIVATE_KEY_PEM } from '../../src/engine/tokens/signing-key.ts';
import { testServer } from '../support/server.ts';

const server = testServer();
const issued = await server.issueToken('dev-client', 'dev-secret');

const statusWith = async (token: string): Promise<number> =>
  (await server.call('GET', '/api/v1/connections', { token })).status;

const part = (token: string, index: 0 | 1) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const forge = (header: object, claims: object, key: string): string => {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};

const stranger = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

test('any token that is signed with the key of the mock is accepted, even if it was made by hand', async () => {
  expect(await statusWith(issued)).toBe(200);
  expect(await statusWith(forge({ alg: 'RS256' }, part(issued, 1), PRIVATE_KEY_PEM))).toBe(200);
});

test.each([
  ['the key id of the mock', { kid: 'mock-key-1' }],
  ['a key id that is a path', { kid: '../../../dev/null' }],
  ['the key id __proto__', { kid: '__proto__' }],
  ['a URL of other keys', { jku: 'http://evil.test/keys' }],
  ['a URL of a certificate', { x5u: 'http://evil.test/cert' }],
  ['a key of its own', { jwk: { kty: 'RSA' } }],
])('a token that is signed with another key gets a 401, even if its header contains %s', async (_what, members) => {
  const token = forge({ alg: 'RS256', ...members }, part(issued, 1), stranger.privateKey);
  expect(await statusWith(token)).toBe(401);
});

test('a token that requires an unknown extension gets a 401 (RFC 7515, 4.1.11)', async () => {
  for (const crit of [['exp'], ['b64']]) {
    const header = { alg: 'RS256', crit, exp: 1, b64: false };
    expect(await statusWith(forge(header, part(issued, 1), PRIVATE_KEY_PEM))).toBe(401);
  }
});

test.each([
  ['an unknown environment', { env: 'env_404' }],
  ['the environment __proto__', { env: '__proto__' }],
  ['the client constructor', { client_id: 'constructor' }],
])('a token that is signed with the right key gets a 401 if its claims name %s', async (_what, claims) => {
  const token = forge({ alg: 'RS256' }, { ...part(issued, 1), ...claims }, PRIVATE_KEY_PEM);
  expect(await statusWith(token)).toBe(401);
});

test('a very long invalid token gets a 401 quickly, and a token longer than the limit of headers gets a 431', async () => {
  const before = process.cpuUsage();
  expect(await statusWith('a.'.repeat(7_000))).toBe(401);
  expect(await statusWith(`${'x'.repeat(14_000)}=`)).toBe(401);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000); // milliseconds of CPU time, however busy the machine is
  expect(await statusWith('x'.repeat(20_000))).toBe(431);
});
