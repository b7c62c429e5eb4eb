/** What a caller who knows the source, and so the test key, can make: well signed, and saying anything. */
import { createHash, sign } from 'node:crypto';
import { KEY_ID, PRIVATE_KEY_PEM } from '../../src/domain/signing-key.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** A JWT of the fixed key. @param payload as its text, which need not be JSON */
export const forgeAccessToken = (payload: string): string => {
  const head = `${encode(JSON.stringify({ alg: 'RS256', typ: 'JWT', kid: KEY_ID }))}.${encode(payload)}`;
  return `${head}.${sign('sha256', Buffer.from(head), PRIVATE_KEY_PEM).toString('base64url')}`;
};

/** A page token with the check sum of ours. @param payload as its text, which need not be JSON */
export const forgePageToken = (payload: string): string =>
  encode(createHash('sha1').update(payload).digest('base64url').slice(0, 8) + payload);
