/** Credentials in messages (behaviour R2). */
import { expect, test } from '@jest/globals';
import {
  isSecretName,
  looksSecret,
  maskSecret,
  maskUrl,
  mentionsSecret,
  withoutKeys,
} from '../../src/core/secrets.ts';

const NAMES = [
  ...['authorization_details', 'static_auth', 'vendorb_dwd', 'trusted_idp', 'cookie', 'Set-Cookie', 'bearer'],
  ...['access_key_id', 'dsn', 'Proxy-Authorization', 'client_secret', 'idToken', 'password', 'passwd'],
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
  expect(others.filter(isSecretName)).toEqual([]);
});

test('a text mentions a credential if it assigns one, or has the form of one', () => {
  const words = ['secret', 'token', 'passwd', 'password', 'passphrase', 'api_key', 'apikey', 'access-key'];
  const more = ['private_key', 'assertion', 'authorization', 'cookie', 'jwt', 'dpop', 'code_verifier'];
  const texts = [...words, ...more].flatMap((word) => [
    `my ${word}=x`,
    `"${word.toUpperCase()}" => x`,
    `${word}[a]: x`,
  ]);
  const forms = ['bearer x', 'Basic x', 'DPoP x', 'eyJhbGciOi.eyJzdWIi.x', '-----BEGIN KEY-----'];
  expect([...texts, ...forms].filter((text) => !mentionsSecret(text))).toEqual([]);
  const others = ['a=secret', 'the token is old', 'bearer', 'basics x', 'eyJ.eyJ.x', 'a: b'];
  expect(others.filter(mentionsSecret)).toEqual([]);
});

test('a long value of small and capital letters and digits looks like a key, unless its name says what it is', () => {
  const key = 'aB3'.repeat(13);
  const known = [
    'auth_request_id',
    'X-Request-Id',
    'state',
    'identifier',
    'external_id',
    'query',
    'link',
    'n',
  ];
  const headers = [
    'etag',
    'If-None-Match',
    'Sec-WebSocket-Key',
    'traceparent',
    'request_id',
    'next_page_token',
  ];
  expect([...known, ...headers].filter((name) => looksSecret(name, `${key}x==`))).toEqual([]);
  const values = [
    `${key}x`,
    `${key}x==`,
    key,
    `${key} x`,
    'ab3'.repeat(20),
    'AB3'.repeat(20),
    'aBc'.repeat(20),
  ];
  expect(values.map((value) => looksSecret('note', value))).toEqual([true, true, ...Array(5).fill(false)]);
});

test.each(['+', '/', '='])('a key in an address is masked, also if its %s is percent-encoded', (sign) => {
  const key = `${'aB3'.repeat(14)}${sign}`;
  const written = encodeURIComponent(key);
  expect(maskUrl(`/a/${written}?note=${written}&page=1`)).toBe('/a/***?note=***&page=1');
});

test('a known credential is masked, but a short one not inside of words', () => {
  expect(maskSecret('403 for client_secret=dev-secret', 'dev-secret')).toBe('403 for client_secret=***');
  expect(maskSecret('403 for x=8letters', '8letters')).toBe('403 for x=***');
  expect(maskSecret('The reply breaks the contract: "b"', 'b')).toBe('The reply breaks the contract: "***"');
});

test('a sentence is shown with every token masked, and a long path whole', () => {
  const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln';
  expect(withoutKeys(`${token} or ${token}`)).toBe('*** or ***');
  const path = 'GET /api/v1/connected_accounts/Mail1/and/another/segment was not found.';
  expect(withoutKeys(path)).toBe(path);
});
