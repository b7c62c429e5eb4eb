/** Serves gRPC, gRPC-Web and Connect: the methods of the descriptors. */
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf';
import { Code, type ConnectRouter, cors, createConnectRouter } from '@connectrpc/connect';
import {
  compressionGzip,
  type connectNodeAdapter,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import { isJsonObject } from '../contract/document.ts';
import { Refusal } from '../core/errors.ts';
import { parseJson } from '../core/object.ts';
import { didYouMean } from '../core/text.ts';
import { type BoundMethod, nameOfMethod, readMethods } from './bind.ts';
import { createErrors } from './errors.ts';
import { createHttp2 } from './http2.ts';
import { createMethod, type MethodParts, reasonOf, toApiHeaders } from './methods.ts';
import { createTranscoder } from './transcode.ts';

/** A request over HTTP/1.1 or HTTP/2. */
type Incoming = Parameters<ReturnType<typeof connectNodeAdapter>>[0];
type Outgoing = Parameters<ReturnType<typeof connectNodeAdapter>>[1];

export interface GrpcOptions extends Pick<MethodParts, 'ask' | 'onInternalError' | 'contract'> {
  /** Paths of descriptors, and of files that map gRPC names to contract names. If empty, every gRPC call is refused. */
  readonly descriptors: readonly string[];
  /** Called for each gRPC call while there are no descriptors. */
  readonly onUnserved: (message: string, address: string) => void;
}

/** Creates the gRPC server. @throws Error if the descriptors cannot be read */
export const createGrpc = (options: GrpcOptions) => {
  const language = { ...options, ...readMethods(options.descriptors, options.contract) };
  const answer = createListener(language);
  return {
    /** A listener that answers gRPC, gRPC-Web and Connect, and passes everything else to `app`. */
    before:
      (app: RequestListener): RequestListener =>
      (request, response) => {
        if (!answer(request, response)) app(request, response);
      },
    http2: createHttp2(answer, options.ask),
    writeCall: createWriter(language),
  };
};

type Described = GrpcOptions & ReturnType<typeof readMethods>;

/** Creates a function that converts an API call to a gRPC call. That function returns undefined if no method fits. */
const createWriter =
  ({ methods, ...languages }: Described) =>
  (operationId: string, parameters: object, body: object) => {
    const bound = methods.find(({ rules }) =>
      rules.some(({ operation }) => operation.operationId === operationId),
    );
    if (!bound) return undefined;
    try {
      const { toMessage } = createTranscoder(bound, languages);
      // The casts are safe: `parameters` and `body` were parsed from JSON.
      const message = toMessage(operationId, parameters as JsonObject, body as JsonObject);
      return { method: nameOfMethod(bound.method), message };
    } catch {
      return undefined; // the method's message cannot hold the values of this call
    }
  };

/** The maximum size of a message in bytes. The API's own limit is lower, so its clearer error usually comes first. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Replies of at least this size in bytes are compressed. Compressing smaller replies saves no time. */
const LARGE = 16 * 1024;

/**
 * Creates the listener. It answers a gRPC request and returns true; it leaves any other request alone and returns
 * false.
 */
const createListener = (options: Described) => {
  const { registry, methods } = options;
  const parts = { ...options, toError: createErrors(registry, options) };
  const limits = { acceptCompression: [compressionGzip], readMaxBytes: MOST_BYTES, compressMinBytes: LARGE };
  const router = createConnectRouter(limits);
  for (const bound of methods.filter(isServed)) router.rpc(bound.method, createMethod(bound, parts));
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request: Incoming, response: Outgoing): boolean => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const handler = handlers.get(path);
    if (!handler && !request.headers['content-type']?.startsWith('application/grpc')) return false;
    setCorsHeaders(request, response);
    if (!handler) void refuseUnknown(request, response, path.slice(1), options);
    else if (request.method === 'OPTIONS') end(response, 204);
    else void serve(handler, request, response);
    return true;
  };
};

type Served = BoundMethod & { readonly method: DescMethodUnary };

const isServed = (bound: BoundMethod): bound is Served =>
  bound.method.methodKind === 'unary' && bound.annotated.length > 0;

const NO_DESCRIPTORS =
  'The mock does not serve gRPC, because it was started without the descriptors of an SDK. Start it with --grpc-descriptors PATH, where PATH is node_modules/your-sdk, for example.';

/** Refuses a call to a method that is not served, and records it in the journal. */
const refuseUnknown = async (
  { headers, socket: { remoteAddress } }: Incoming,
  response: Outgoing,
  name: string,
  { methods, descriptors, onUnserved, ask }: Described,
): Promise<void> => {
  const names = methods.map(({ method }) => nameOfMethod(method));
  const known = methods[names.indexOf(name)];
  const unknown = `The descriptors have no method ${name}.${didYouMean(name, names)}`;
  const reason = descriptors.length === 0 ? NO_DESCRIPTORS : known ? reasonOf(known) : unknown;
  if (reason === NO_DESCRIPTORS) onUnserved(reason, remoteAddress ?? '');
  const sent = Object.entries(headers).map(([header, value]): [string, string] => [header, String(value)]);
  const reply = await ask({
    method: 'POST',
    url: `/${name}`,
    headers: toApiHeaders(String(headers[':authority'] ?? headers.host ?? ''), sent),
    remoteAddress: remoteAddress ?? 'gone',
    grpc: { method: name, refusal: new Refusal('UNIMPLEMENTED', reason) },
  });
  reply.body.resume();
  response.setHeader('content-type', headers['content-type'] ?? 'application/grpc');
  response.setHeader('grpc-status', String(Code.Unimplemented));
  response.setHeader('grpc-message', encodeURIComponent(reason));
  response.end();
};

const EXPOSED = [
  ...cors.exposedHeaders,
  'X-Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'Preference-Applied',
];

/**
 * Lets web pages of any origin call by gRPC-Web and Connect, as they can call the API (behaviour T6). Allows
 * credentials, and every header that a preflight asks for.
 */
const setCorsHeaders = ({ method, headers }: Incoming, response: Outgoing): void => {
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

type Handler = ConnectRouter['handlers'][number];

/** Headers with the time that a client waits for the answer, such as `10S`; in Connect, in milliseconds. */
const DEADLINES = ['grpc-timeout', 'connect-timeout-ms'];

const UNITS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
  '': 1,
};

/** Whether a deadline is later than Node's timers can wait, about 25 days: such a timer would end at once. */
const isEndless = (deadline: string | null): boolean => {
  const [, digits = '0', unit = ''] = /^(\d+)([HMSmun]?)$/.exec(deadline ?? '') ?? [];
  return Number(digits) * (UNITS[unit] ?? 0) >= 2 ** 31;
};

/** Answers a request; never throws. A client that has disconnected gets no answer. */
const serve = async (handler: Handler, request: Incoming, response: Outgoing): Promise<void> => {
  try {
    const asked = universalRequestFromNodeRequest(request, response, undefined, undefined);
    for (const name of DEADLINES) if (isEndless(asked.header.get(name))) asked.header.delete(name);
    const reply = await hideValues(await handler(asked));
    const { status, header = [], trailer } = reply;
    if (Number(trailer?.get('grpc-status') ?? 0) === 0)
      await universalResponseToNodeResponse(reply, response);
    else {
      // Sends headers and trailers in one frame: clients retry a refused call only if both come in one frame.
      for (const [name, value] of [...header, ...(trailer ?? [])]) response.setHeader(name, value);
      end(response, status);
    }
  } catch {
    if (response.headersSent) response.destroy();
    else end(response, 400); // the Host header is invalid, so the request has no valid URL
  }
};

type Reply = Awaited<ReturnType<Handler>>;

/** Removes invalid values from the gRPC library's refusals, since such a value may be a credential (behaviour R2). */
const hideValues = async (reply: Reply): Promise<Reply> => {
  const { status, body, trailer } = reply;
  const message = trailer?.get('grpc-message');
  if (message) trailer?.set('grpc-message', encodeURIComponent(withoutValue(decodeURIComponent(message))));
  if (status !== 400 || !body) return reply;
  const sent = await text(body as AsyncIterable<Uint8Array>); // the cast is safe: the body of a reply is always a stream of bytes
  const refusal = parseJson(sent);
  const shown = isJsonObject(refusal)
    ? JSON.stringify({ ...refusal, message: withoutValue(String(refusal.message ?? '')) })
    : sent;
  const header = new Headers(reply.header);
  header.set('content-length', String(Buffer.byteLength(shown)));
  return { ...reply, header, body: Readable.from([Buffer.from(shown)]) };
};

/** Removes the value from a refusal's message, and keeps the name of the field. */
const withoutValue = (message: string): string =>
  message.replace(
    /^(cannot decode message .*? from JSON)(?!: cannot decode).*$/s,
    '$1: it has the wrong type',
  );

const end = (response: Outgoing, status: number): void => {
  response.statusCode = status;
  response.end();
};
