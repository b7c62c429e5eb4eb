/** Why no reply came, in words. */
import { expect, test } from '@jest/globals';
import { whyUnreachable } from '../../../src/engine/core/unreachable.ts';

const failed = (code: string, message = '') =>
  Object.assign(new TypeError('fetch failed'), { cause: { code, message } });

test.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it speaks no TLS', 'Write http:// in its address.'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it speaks no TLS', 'Write http:// in its address.'],
  ['UND_ERR_SOCKET', 'it closed the connection', 'write https:// in its address if it serves HTTPS.'],
  ['ECONNRESET', 'it closed the connection', 'write https:// in its address if it serves HTTPS.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted', 'Set NODE_EXTRA_CA_CERTS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is not trusted', 'Set NODE_EXTRA_CA_CERTS'],
])('%s means: %s', (code, why, advice) => {
  expect(whyUnreachable(failed(code))).toEqual({
    why: `${why} (${code})`,
    advice: expect.stringContaining(advice),
  });
});

test('another code or message is shown, but never the text of an address that cannot be used', () => {
  expect(whyUnreachable(failed('ECONNREFUSED')).why).toBe('ECONNREFUSED');
  expect(whyUnreachable(failed('', 'bad port')).why).toBe('bad port');
  const { why } = whyUnreachable(new TypeError('Invalid URL http://user:hush@[/'));
  expect(why).toBe('the address cannot be used');
});
