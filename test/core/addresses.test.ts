import { expect, test } from '@jest/globals';
import { isWebAddress } from '../../src/core/addresses.ts';

test.each([
  'https://acme.test',
  'HTTPS://acme.test:8443/path?x=y',
  'https://acme.test./',
  'https://[::1]/',
  'http://127.0.0.1',
  'https://b\u00fccher.test',
])('behaviour P1: %s is a valid address', (url) => {
  expect(isWebAddress(url)).toBe(true);
});

test.each([
  'https://',
  'https://.',
  'https://..test',
  'https://a..test',
  'https://:443',
  'https://a.test:99999',
  'https://xn--.test',
  'https://a.test/\u0000',
  'https://a.test/\n',
])('behaviour P1: %j is not a valid address', (url) => {
  expect(isWebAddress(url)).toBe(false);
});
