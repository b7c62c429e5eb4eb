/** Serves gRPC, gRPC-Web and Connect: the methods of the descriptors. */
import type { RequestListener } from 'node:http';
import { Refusal } from '../core/errors.ts';
import { node } from '../core/node-globals.ts';
import { didYouMean, listNames } from '../core/text.ts';
import { newestWorld } from '../core/worlds.ts';
import { nameOfMethod, readMethods } from './bind.ts';
import { createErrors, GrpcError } from './errors.ts';
import { createHttp2 } from './http2.ts';
import { createMethod, type GrpcMethod, type MethodParts, reasonOf, toApiHeaders } from './methods.ts';
import { unmappedNames } from './unmapped.ts';
import {
  type Incoming,
  type Outgoing,
  readMessage,
  timeoutOf,
  wireOf,
  writeError,
  writeReply,
} from './wire.ts';

export interface GrpcOptions extends Pick<MethodParts, 'ask' | 'onInternalError' | 'contract'> {
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
    http2: createHttp2(answer, options.ask),
  };
};

type Described = GrpcOptions & ReturnType<typeof readMethods>;

/** Creates a listener that answers a gRPC request and returns true, or returns false for any other request. */
const createListener = (options: Described) => {
  const parts = { ...options, toError: createErrors(options.registry, options) };
  const byPath = new Map(
    options.methods
      .filter(({ method, annotated }) => method.methodKind === 'unary' && annotated.length > 0)
      .map((bound) => [`/${nameOfMethod(bound.method)}`, createMethod(bound, parts)]),
  );
  return (request: Incoming, response: Outgoing): boolean => {
    const path = request.url ?? '';
    const found = byPath.get(path);
    if (!found && !request.headers['content-type']?.startsWith('application/grpc')) return false;
    setCorsHeaders(request, response);
    if (!found) void refuseUnknown(request, response, path.slice(1), options);
    else if (request.method === 'OPTIONS') end(response, 204);
    else void serve(found, request, response);
    return true;
  };
};

const NO_DESCRIPTORS =
  'The mock does not serve gRPC, because it was started without the descriptors of an SDK. Start it with --grpc-descriptors PATH, where PATH is node_modules/your-sdk, for example.';

/** Refuses a call to a method that is not served, and records it in the journal. */
const refuseUnknown = async (
  request: Incoming,
  response: Outgoing,
  name: string,
  { methods, descriptors, onUnserved, ask }: Described,
): Promise<void> => {
  const { remoteAddress } = request.socket;
  const names = methods.map(({ method }) => nameOfMethod(method));
  const known = methods[names.indexOf(name)];
  const unknown = `The descriptors have no method ${name}.${didYouMean(name, names)}`;
  const reason = descriptors.length === 0 ? NO_DESCRIPTORS : known ? reasonOf(known) : unknown;
  if (reason === NO_DESCRIPTORS) onUnserved(reason, remoteAddress ?? '');
  const reply = await ask({
    method: 'POST',
    url: `/${name}`,
    headers: toApiHeaders(request),
    remoteAddress: remoteAddress ?? 'gone',
    grpc: { method: name, refusal: new Refusal('UNIMPLEMENTED', reason) },
  });
  reply.body.resume();
  const type = request.headers['content-type'] ?? 'application/grpc';
  writeError(request, response, { protocol: 'grpc', type }, new GrpcError('unimplemented', reason));
};

const EXPOSED =
  'Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin, X-Request-Id, Retry-After, WWW-Authenticate, Preference-Applied';

const SENT = 'content-type, authorization, x-grpc-web, grpc-timeout';

/** Lets web pages of any origin call by gRPC-Web and Connect, as they can call the API (behaviour T6). */
const setCorsHeaders = ({ method, headers }: Incoming, response: Outgoing): void => {
  const { origin, 'access-control-request-headers': asked = SENT } = headers;
  response.setHeader('access-control-allow-origin', origin ?? '*');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  response.setHeader('access-control-allow-headers', asked);
  response.setHeader('access-control-max-age', '600');
};

/** Answers a request; never throws. A client that has disconnected gets no answer. */
const serve = async (answer: GrpcMethod, request: Incoming, response: Outgoing): Promise<void> => {
  const wire = wireOf(request.headers['content-type']);
  if (request.method !== 'POST' || !wire) return end(response, wire ? 405 : 415);
  const began = newestWorld(); // before the message arrives
  const stop = new node.AbortController();
  const wait = timeoutOf(request);
  const late = (): void =>
    stop.abort(new GrpcError('deadline_exceeded', 'The deadline of the call has passed.'));
  const timer = wait === undefined ? undefined : setTimeout(late, wait);
  const left = (): void => stop.abort(new GrpcError('canceled', 'The client left.'));
  response.once('close', left);
  try {
    const message = await readMessage(request, wire);
    const headers = toApiHeaders(request);
    const reply = await answer(message, { headers, began, isJson: wire.isJson, signal: stop.signal });
    await writeReply(request, response, wire, reply.bytes, reply.metadata);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else writeError(request, response, wire, error instanceof GrpcError ? error : INTERNAL);
  } finally {
    clearTimeout(timer);
    response.off('close', left);
  }
};

const INTERNAL = new GrpcError('internal', 'The mock failed to answer this call; its log says why.');

const end = (response: Outgoing, status: number): void => {
  response.statusCode = status;
  response.end();
};
