/** Credentials in messages (behaviour R2). */
import { expect, test } from '@jest/globals';
import { maskSecret } from '../../src/core/secrets.ts';

test('a known credential is masked, but a short one not inside of words', () => {
  expect(maskSecret('403 for client_secret=dev-secret', 'dev-secret')).toBe('403 for client_secret=***');
  expect(maskSecret('The reply breaks the contract: "b"', 'b')).toBe('The reply breaks the contract: "***"');
});
