/** Lets web pages of any origin call by gRPC-Web and Connect, as they can call the API (behaviour T6). */
import { cors } from '@connectrpc/connect';
import type { connectNodeAdapter } from '@connectrpc/connect-node';

/** A request over HTTP/1.1 or HTTP/2. */
export type Incoming = Parameters<ReturnType<typeof connectNodeAdapter>>[0];
export type Outgoing = Parameters<ReturnType<typeof connectNodeAdapter>>[1];

const EXPOSED = [
  ...cors.exposedHeaders,
  'X-Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'Preference-Applied',
];

/** Allows credentials, and every header that a preflight asks for. */
export const setCorsHeaders = ({ method, headers }: Incoming, response: Outgoing): void => {
  const { origin, 'access-control-request-headers': asked } = headers;
  response.setHeader('access-control-allow-origin', origin ?? '*');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-expose-headers', EXPOSED.join(', '));
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', [...cors.allowedMethods, 'OPTIONS'].join(', '));
  response.setHeader('access-control-allow-headers', asked ?? cors.allowedHeaders.join(', '));
  response.setHeader('access-control-max-age', '600');
};
