/** Credentials in messages (behaviour R2). */
import { expect, test } from '@jest/globals';
import { maskSecret, withoutKeys } from '../../src/core/secrets.ts';

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
