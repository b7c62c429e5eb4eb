/** Passes a request of one of Node's servers to a handler of the Connect library, and the handler's reply back. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { type ConnectRouter, createContextValues } from '@connectrpc/connect';
import { parseTimeout as parseConnectTimeout } from '@connectrpc/connect/protocol-connect';
import { parseTimeout } from '@connectrpc/connect/protocol-grpc';
import { universalRequestFromNodeRequest } from '@connectrpc/connect-node';
import { newestWorld } from '../engine/core/worlds.ts';
import { CALLER, toApiHeaders, withoutValue } from './methods.ts';

/** A request over HTTP/1.1 or HTTP/2. */
export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;

type Handler = ConnectRouter['handlers'][number];

/** Answers a gRPC, gRPC-Web or Connect call. @throws Error if the client has left, or the reply cannot be written */
export const exchange = async (handler: Handler, request: Incoming, response: Outgoing): Promise<void> => {
  const caller = { headers: toApiHeaders(request.headers), began: newestWorld() }; // before the message arrives
  const values = createContextValues().set(CALLER, caller);
  const asked = universalRequestFromNodeRequest(request, response, undefined, values);
  leaveOutLongTimeouts(asked.header);
  // The library's own reader would destroy a request that is too large, and HTTP/1.1 would end without an answer.
  const message = request.iterator({ destroyOnReturn: false });
  const { status, header, body, trailer } = await handler({ ...asked, body: message });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  const sent = status === 400 ? withoutValues(whole, header) : whole;
  header?.delete('content-length'); // Node sets it
  // Clients retry a refused gRPC call by their own policy only if its headers and trailers come in one frame.
  const isRefusal = sent.length === 0;
  const headers = [...(header ?? []), ...((isRefusal && trailer) || [])];
  for (const [name, value] of headers) response.setHeader(name, value);
  if (trailer && !isRefusal) {
    response.setHeader('trailer', 'grpc-status'); // without it, Node sends no trailers over HTTP/1.1
    response.addTrailers(Object.fromEntries(trailer));
  }
  finish(request, response, status, isRefusal ? undefined : sent);
};

/** The longest time of a timer in milliseconds. A longer one would end at once. */
const LONGEST = 2 ** 31 - 1;

/** A deadline in more than 24 days is none: the library would set a timer of so many milliseconds. */
const leaveOutLongTimeouts = (header: Headers): void => {
  for (const [name, parse] of [
    ['grpc-timeout', parseTimeout],
    ['connect-timeout-ms', parseConnectTimeout],
  ] as const)
    if (Number(parse(header.get(name), LONGEST).timeoutMs) > LONGEST) header.delete(name);
};

/** Removes the value from what the library says of a Connect message in JSON that it cannot read (behaviour R2). */
const withoutValues = (body: Buffer, header?: Headers): Buffer => {
  const isZipped = header?.get('content-encoding') === 'gzip';
  header?.delete('content-encoding');
  const { message, ...error } = JSON.parse((isZipped ? gunzipSync(body) : body).toString());
  return Buffer.from(JSON.stringify({ ...error, message: withoutValue(message) }));
};

/**
 * Sends a reply. What the client still sends is read, since bytes that nobody reads count against its whole connection;
 * when it has sent nothing for a while, its call ends.
 */
export const finish = (
  request: Incoming,
  response: Outgoing,
  status: number,
  body?: Uint8Array | string,
): void => {
  response.statusCode = status;
  // The two kinds of responses have the same method, but TypeScript cannot call a union of overloads.
  (response as ServerResponse).end(body);
  if (request.complete) return;
  request.resume();
  if (!(response instanceof Http2ServerResponse)) return;
  const { stream } = response;
  stream.setTimeout(SILENCE, () => stream.close(constants.NGHTTP2_NO_ERROR));
};

/**
 * How many milliseconds a client may be silent, after its answer and before the end of its message. On a busy machine,
 * clients need some time: Node's never forget the rest of a message that was cut off, and end their connection at 10 MB.
 */
const SILENCE = 2_000;
