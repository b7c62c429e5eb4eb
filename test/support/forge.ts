/** Makes correctly signed tokens with any content, as a caller who knows the published test key can. */
import { sign } from 'node:crypto';
import { KEY_ID, PRIVATE_KEY_PEM } from '../../src/engine/tokens/signing-key.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Makes a JWT that is signed with the published test key. @param payload any text, even if it is not JSON */
export const forgeAccessToken = (payload: string): string => {
  const head = `${encode(JSON.stringify({ alg: 'RS256', typ: 'JWT', kid: KEY_ID }))}.${encode(payload)}`;
  return `${head}.${sign('sha256', Buffer.from(head), PRIVATE_KEY_PEM).toString('base64url')}`;
};
