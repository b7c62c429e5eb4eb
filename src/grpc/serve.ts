/** Everything that speaks gRPC, gRPC-Web or Connect: calls of the descriptors' methods, and what gRPC tools ask for. */
import type { RequestListener } from 'node:http';
import type { DescMethod, JsonObject, Message } from '@bufbuild/protobuf';
import {
  type ConnectRouter,
  createContextValues,
  type HandlerContext,
  type MethodImpl,
} from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { didYouMean } from '../core/nearest.ts';
import { nameOfMethod, readMethods } from './bind.ts';
import { createErrors } from './errors.ts';
import { BREAK_OFF, createMethod, type GrpcMethod, type MethodParts } from './methods.ts';
import { createHttp2 } from './port.ts';
import { breakOff, type Incoming, isGrpc, type Outgoing, refuseUnknown, setCorsHeaders } from './protocol.ts';
import { routeStandardServices } from './standard.ts';
import { createTranscoder } from './transcode.ts';

export interface GrpcOptions extends Pick<MethodParts, 'ask' | 'onInternalError' | 'contract'> {
  /** See `readDescriptors`. */
  readonly descriptors: readonly string[];
}

/** @throws Error for descriptors that cannot be read */
export const createGrpc = (options: GrpcOptions) => {
  const language = { ...options, ...readMethods(options.descriptors, options.contract) };
  const answer = createListener(language);
  return {
    /** A listener that leaves to `app` everything but gRPC, gRPC-Web and Connect. */
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

/** Writes a call of the API as a gRPC call; undefined where no method, or no message, can express it. */
const createWriter =
  ({ methods, ...languages }: Described) =>
  (operationId: string, parameters: object, body: object) => {
    const bound = methods.find(({ rules }) =>
      rules.some(({ operation }) => operation.operationId === operationId),
    );
    if (!bound) return undefined;
    try {
      const { toMessage } = createTranscoder(bound, languages);
      // Both came as JSON.
      const message = toMessage(operationId, parameters as JsonObject, body as JsonObject);
      return { method: nameOfMethod(bound.method), message };
    } catch {
      return undefined; // values that the message cannot have
    }
  };

/** Bytes of a message, as gRPC servers limit it: the API's own limit is smaller, and says more. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Smaller replies are not compressed: on one machine that does not pay. */
const LARGE = 16 * 1024;

/** @returns a listener that answers and returns true, or leaves the request alone and returns false */
const createListener = (options: Described) => {
  const { registry, methods } = options;
  const parts = { ...options, toError: createErrors(registry, options) };
  const paths = new Set<string>();
  const names = methods.map(({ method }) => nameOfMethod(method));
  const answer = connectNodeAdapter({
    routes: (router) => {
      for (const bound of methods) route(router, bound.method, createMethod(bound, parts));
      routeStandardServices(router, registry);
      for (const { requestPath } of router.handlers) paths.add(requestPath);
    },
    fallback: (request, response) => {
      const name = pathOf(request).slice(1);
      const reason = `The descriptors have no method ${name}.${didYouMean(name, names)}`;
      void refuseUnknown(request, response, name, reason, options.ask);
    },
    contextValues: (request) => createContextValues().set(BREAK_OFF, () => breakOff(request)),
    readMaxBytes: MOST_BYTES,
    compressMinBytes: LARGE,
  });
  return (request: Incoming, response: Outgoing): boolean => {
    if (!paths.has(pathOf(request)) && !isGrpc(request)) return false;
    setCorsHeaders(request, response);
    try {
      if (request.method === 'OPTIONS') end(response, 204);
      else answer(request, response);
    } catch {
      end(response, 400); // its host does not make an address
    }
    return true;
  };
};

const end = (response: Outgoing, status: number): void => {
  response.statusCode = status;
  response.end();
};

const pathOf = ({ url = '' }: Incoming): string => url.split('?', 1)[0] ?? '';

/** A stream is routed too, so that its calls are refused in words. */
const route = (router: ConnectRouter, method: DescMethod, answer: GrpcMethod): void => {
  const hasOneReply = method.methodKind === 'unary' || method.methodKind === 'client_streaming';
  async function* stream(message: Message, context: HandlerContext) {
    yield await answer(message, context);
  }
  router.rpc(method, (hasOneReply ? answer : stream) as MethodImpl<DescMethod>); // of the kind that the descriptors say
};
