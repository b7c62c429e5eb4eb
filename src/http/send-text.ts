/** Sends texts; compresses long ones. */
import { gzipSync } from 'node:zlib';
import type { Response } from 'express';

/** Texts with fewer characters are not worth compressing; only the documents and long lists are longer. */
const LONG = 32 * 1024;

/** Compresses a long text if the client accepts that. */
export const sendText = (response: Response, text: string): void => {
  const isCompressed = text.length > LONG && response.req.acceptsEncodings('gzip') !== false;
  response.vary('Accept-Encoding');
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.send(isCompressed ? gzipSync(text) : text);
};
