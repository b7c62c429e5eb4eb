/** Serves gRPC, gRPC-Web and Connect over HTTP/1.1 and HTTP/2: the methods of the descriptors. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import type { DescMethodUnary } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  cors,
  createConnectRouter,
  createContextValues,
} from '@connectrpc/connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { compressionGzip, universalRequestFromNodeRequest } from '@connectrpc/connect-node';
import type { Contract } from '../engine/contract/load.ts';
import { Refusal } from '../engine/core/errors.ts';
import { didYouMean, listNames } from '../engine/core/text.ts';
import { newestWorld } from '../engine/environments/environment.ts';
import { nameOfMethod, readMethods } from './bind.ts';
import { createErrors } from './errors.ts';
import { CALLER, createMethod, type MethodParts, reasonOf, toApiHeaders, withoutValue } from './methods.ts';
import type { Http2 } from './share-port.ts';
import { unmappedNames } from './transcode.ts';

export interface GrpcOptions extends Pick<MethodParts, 'ask' | 'onInternalError'> {
  readonly contract: Contract;
  /** Paths of descriptors, and of files that map gRPC names to contract names. If empty, every gRPC call is refused. */
  readonly descriptors: readonly string[];
  /** Called for each gRPC call while there are no descriptors. */
  readonly onUnserved: (message: string, address: string) => void;
  /** Called once if the descriptors have values without a name in the API. */
  readonly onLost: (message: string) => void;
}

/** Creates the gRPC server. @throws Error if the descriptors cannot be read */
export const createGrpc = (options: GrpcOptions) => {
  const language = { ...options, ...readMethods(options.descriptors, options.contract) };
  const answer = createListener(language);
  const { methods, descriptors } = language;
  const lost = descriptors.length === 0 ? [] : unmappedNames(methods, language, true);
  if (lost.length > 0)
    options.onLost(
      `No name in the API matches ${listNames(lost)} of the gRPC descriptors. Values with these names are lost; map them in a YAML file with --grpc-descriptors.`,
    );
  return {
    /** A listener that answers gRPC, gRPC-Web and Connect, and passes everything else to `app`. */
    before:
      (app: RequestListener): RequestListener =>
      (request, response) => {
        if (!answer(request, response)) app(request, response);
      },
    http2: createHttp2(answer),
  };
};

type Described = GrpcOptions & ReturnType<typeof readMethods>;

/** The maximum size of a message in bytes. The API's own limit is lower, so its clearer error usually comes first. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Creates a listener that answers a gRPC request and returns true, or returns false for any other request. */
const createListener = (options: Described) => {
  const { registry, methods, onInternalError } = options;
  const parts = { ...options, toError: createErrors(registry, options.contract, options.names) };
  const { rpc, handlers } = createConnectRouter({
    acceptCompression: [compressionGzip],
    readMaxBytes: MOST_BYTES,
    jsonOptions: { registry },
  });
  for (const bound of methods.filter(({ method }) => method.methodKind === 'unary'))
    rpc(bound.method as DescMethodUnary, createMethod(bound, parts)); // the cast is safe: only unary methods are left
  const byPath = new Map(handlers.map((handler) => [handler.requestPath, handler]));
  return (request: Incoming, response: Outgoing): boolean => {
    const [path = ''] = (request.url ?? '').split('?');
    const type = request.headers['content-type'] ?? '';
    const handler = byPath.get(path);
    if (!handler && !type.startsWith('application/grpc')) return false;
    const fail = (error: unknown): void => {
      if (!response.destroyed) onInternalError(error);
      response.destroy();
    };
    setCorsHeaders(request, response);
    if (request.method === 'OPTIONS') finish(request, response, 204);
    else if (!handler) refuse(request, response, path.slice(1), options).catch(fail);
    else if (JSON_IN_FRAMES.test(type)) finish(request, response, 415);
    else exchange(handler, request, response).catch(fail);
    return true;
  };
};

/** JSON over gRPC and gRPC-Web, which no SDK sends. Refused, since the library's errors would repeat values (behaviour R2). */
const JSON_IN_FRAMES = /^application\/grpc.*\+json/i;

const NO_DESCRIPTORS =
  'The mock does not serve gRPC, because it was started without the descriptors of an SDK. Start it with --grpc-descriptors PATH, where PATH is node_modules/your-sdk, for example.';

/** Refuses a call to a method that is not served, and records it in the journal. */
const refuse = async (
  request: Incoming,
  response: Outgoing,
  name: string,
  { methods, descriptors, onUnserved, ask }: Described,
): Promise<void> => {
  const { remoteAddress = 'gone' } = request.socket;
  const names = methods.map(({ method }) => nameOfMethod(method));
  const known = methods[names.indexOf(name)];
  const unknown = `The descriptors have no method ${name}.${didYouMean(name, names)}`;
  const reason = descriptors.length === 0 ? NO_DESCRIPTORS : known ? reasonOf(known) : unknown;
  if (reason === NO_DESCRIPTORS) onUnserved(reason, remoteAddress);
  const grpc = { method: name, refusal: new Refusal('UNIMPLEMENTED', reason) };
  const headers = toApiHeaders(request.headers);
  const reply = await ask({ method: 'POST', url: `/${name}`, headers, grpc });
  reply.body.resume();
  const status = setTrailerStatus(new Headers(), new ConnectError(reason, Code.Unimplemented));
  response.setHeader('content-type', request.headers['content-type'] ?? '');
  for (const [field, value] of status) response.setHeader(field, value);
  finish(request, response, 200);
};

const OWN = 'X-Request-Id, Retry-After, WWW-Authenticate, Preference-Applied';
const EXPOSED = `${cors.exposedHeaders.join(', ')}, ${OWN}`;
const SENT = `authorization, ${cors.allowedHeaders.join(', ')}`;
const METHODS = `${cors.allowedMethods.join(', ')}, OPTIONS`;

/** Lets web pages of any origin call by gRPC-Web and Connect, as they can call the API (behaviour T6). */
const setCorsHeaders = ({ method, headers }: Incoming, response: Outgoing): void => {
  const { origin, 'access-control-request-headers': asked = SENT } = headers;
  response.setHeader('access-control-allow-origin', origin ?? '*');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', METHODS);
  response.setHeader('access-control-allow-headers', asked);
  response.setHeader('access-control-max-age', '600');
};

/** A request over HTTP/1.1 or HTTP/2. */
type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

/** Answers a gRPC, gRPC-Web or Connect call. @throws Error if the client has left, or the reply cannot be written */
const exchange = async (
  handler: ConnectRouter['handlers'][number],
  request: Incoming,
  response: Outgoing,
): Promise<void> => {
  const caller = { headers: toApiHeaders(request.headers), began: newestWorld() }; // before the message arrives
  const values = createContextValues().set(CALLER, caller);
  const asked = universalRequestFromNodeRequest(request, response, undefined, values);
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

/** Removes the value from what the library says of a Connect message in JSON that it cannot read (behaviour R2). */
const withoutValues = (body: Buffer, header?: Headers): Buffer => {
  const isZipped = header?.get('content-encoding') === 'gzip';
  header?.delete('content-encoding');
  const { message, ...error } = JSON.parse((isZipped ? gunzipSync(body) : body).toString());
  return Buffer.from(JSON.stringify({ ...error, message: withoutValue(message) }));
};

/** Sends a reply, and reads what the client still sends, since unread bytes count against its whole connection. */
const finish = (request: Incoming, response: Outgoing, status: number, body?: Uint8Array | string): void => {
  response.statusCode = status;
  // The two kinds of responses have the same method, but TypeScript cannot call a union of overloads.
  (response as ServerResponse).end(body);
  request.resume();
};

/** @param grpc answers gRPC calls, and returns false for other requests */
const createHttp2 = (
  grpc: (request: Http2ServerRequest, response: Http2ServerResponse) => boolean,
): Http2 => {
  const server = createServer({ maxSessionMemory: 256 /* megabytes */ }, (request, response) => {
    if (!grpc(request, response)) finish(request, response, 505, REST);
  });
  const sessions = new Set<{ close(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  return {
    accept: (socket) => {
      socket.allowHalfOpen = false; // a client that closes its sending side counts as disconnected
      server.emit('connection', socket); // Node's documented way to hand a connection to a server
    },
    close: () => {
      for (const session of sessions) session.close();
    },
  };
};

const REST = 'Over HTTP/2, the mock answers only gRPC calls. Send this request over HTTP/1.1.\n';
