/** What the library that serves the protocols leaves to its user: browsers of other origins, unknown methods, broken calls. */
import { constants } from 'node:http2';
import { Code, cors } from '@connectrpc/connect';
import type { connectNodeAdapter } from '@connectrpc/connect-node';
import { Refusal } from '../core/errors.ts';
import { markOrigin } from '../http/grpc-origin.ts';
import type { AskApp } from '../http/in-process.ts';
import { toApiHeaders } from './methods.ts';

/** Over HTTP/1.1 or HTTP/2. */
export type Incoming = Parameters<ReturnType<typeof connectNodeAdapter>>[0];
export type Outgoing = Parameters<ReturnType<typeof connectNodeAdapter>>[1];

/** Whether a request says that it is a call, whatever its path. */
export const isGrpc = ({ headers }: Incoming): boolean =>
  headers['content-type']?.startsWith('application/grpc') ?? false;

const EXPOSED = [
  ...cors.exposedHeaders,
  'X-Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'Preference-Applied',
];

/** As the API has them (behaviour T6): any origin, credentials allowed, whatever headers a preflight asks for. */
export const setCorsHeaders = ({ method, headers }: Incoming, response: Outgoing): void => {
  const { origin, 'access-control-request-headers': asked } = headers;
  response.setHeader('access-control-allow-origin', origin ?? '*');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-expose-headers', EXPOSED.join(', '));
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', [...cors.allowedMethods, 'OPTIONS'].join(', '));
  response.setHeader('access-control-allow-headers', String(asked ?? cors.allowedHeaders.join(', ')));
  response.setHeader('access-control-max-age', '600');
};

/** Answers a call of a method that nobody described, and puts it in the journal. */
export const refuseUnknown = async (
  { headers }: Incoming,
  response: Outgoing,
  name: string,
  reason: string,
  ask: AskApp,
): Promise<void> => {
  const refusal = new Refusal('UNIMPLEMENTED', reason);
  const sent = Object.entries(headers).map(([header, value]): [string, string] => [header, String(value)]);
  const host = String(headers[':authority'] ?? headers.host ?? '');
  const reply = await ask({
    method: 'POST',
    url: `/${name}`,
    headers: toApiHeaders(host, sent),
    mark: (request) => markOrigin(request, { method: name, refusal }),
  });
  reply.body.resume();
  response.setHeader('content-type', headers['content-type'] ?? 'application/grpc');
  response.setHeader('grpc-status', String(Code.Unimplemented));
  response.setHeader('grpc-message', encodeURIComponent(reason));
  response.end();
};

/** Ends a call without an answer. A client of gRPC sees UNAVAILABLE, which SDKs try again. */
export const breakOff = (request: Incoming): void => {
  if ('stream' in request) request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
  else request.socket.destroy();
};
