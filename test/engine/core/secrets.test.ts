/** Credentials in messages (behaviour R2). */
import { expect, test } from '@jest/globals';
import { isSecretName, MASK, maskSecret, withoutTokens } from '../../../src/engine/core/secrets.ts';

const NAMES = [
  ...[
    'cookie',
    'Set-Cookie',
    'bearer',
    'dsn',
    'Proxy-Authorization',
    'client_secret',
    'idToken',
    'password',
    'passwd',
  ],
  ...['passphrase', 'passcode', 'pwd', 'credential', 'api_key', 'access_key', 'secret_key', 'privateKey'],
  ...['ssh_key', 'private_key_pem', 'connection_string', 'client_assertion', 'jwt', 'DPoP', 'code_verifier'],
  ...['tokens', 'token_value', 'secret_old', 'secret_new', 'api_key_v2', 'secret2', 'secret[]', 'a[token]'],
];

test('the name of a credential is known in any spelling, and page tokens are not credentials', () => {
  expect(NAMES.filter((name) => !isSecretName(name))).toEqual([]);
  const others = [
    'page_token',
    'nextPageToken',
    'prev_page_token',
    'token_type',
    'secretary',
    'cookies',
    'dsns',
  ];
  expect(others.filter((name) => isSecretName(name))).toEqual([]);
});

test('a known credential is masked, but a short one not inside of words', () => {
  expect(maskSecret('403 for client_secret=dev-secret', 'dev-secret')).toBe('403 for client_secret=***');
  expect(maskSecret('403 for x=8letters', '8letters')).toBe('403 for x=***');
  expect(maskSecret('The reply breaks the contract: "b"', 'b')).toBe('The reply breaks the contract: "***"');
});

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln';

test.each([
  [`${JWT} or ${JWT}`, '*** or ***'],
  [`Bearer ${JWT}.`, 'Bearer ***'],
  [JWT.slice(0, 30), MASK],
  ['a key: -----BEGIN EC KEY-----\nabc', 'a key: ***'],
  ['eyJ.eyJ.x, eyJhbGciOi and --BEGIN', 'eyJ.eyJ.x, eyJhbGciOi and --BEGIN'],
  ['/Mail1/and/another/segment', '/Mail1/and/another/segment'],
])('of the text %j, %j is shown', (text, shown) => {
  expect(withoutTokens(text)).toBe(shown);
});

test.each([
  '-eyJ',
  'eyJaaaaa',
  'eyJaaaaa.',
  '-----BEGIN',
  '.',
  '-',
])('a mebibyte of %j is searched in one pass', (part) => {
  const text = part.repeat(2 ** 20 / part.length);
  expect([text, MASK]).toContain(withoutTokens(text)); // a search that begins anew at each part would take minutes
});
