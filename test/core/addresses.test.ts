import { expect, test } from '@jest/globals';
import { isWebAddress } from '../../src/core/addresses.ts';

test.each([
  ['https://acme.test', true],
  ['HTTPS://acme.test:8443/path?x=y', true],
  ['https://acme.test./', true],
  ['https://[::1]/', true],
  ['http://127.0.0.1', true],
  ['https://b\u00fccher.test', true],
  ['https://', false],
  ['https://.', false],
  ['https://..test', false],
  ['https://a..test', false],
  ['https://:443', false],
  ['https://a.test:99999', false],
  ['https://xn--.test', false],
  ['https://a.test/\u0000', false],
  ['https://a.test/\n', false],
])('behaviour P1: the check whether %j is a web address gives %s', (url, isValid) => {
  expect(isWebAddress(url)).toBe(isValid);
});
