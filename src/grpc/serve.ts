/** Everything that speaks gRPC, in front of the app: calls of the descriptors' methods, and what gRPC tools ask for. */
import type { RequestListener } from 'node:http';
import {
  type DescMethodUnary,
  type FileRegistry,
  fromBinary,
  type JsonObject,
  type Message,
} from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { didYouMean } from '../core/nearest.ts';
import { BrokenOff } from '../http/in-process.ts';
import type { Http2 } from '../http/listener.ts';
import { type BoundMethod, nameOfMethod, readMethods } from './bind.ts';
import { createErrors } from './errors.ts';
import { createMethod, type GrpcMethod, type MethodParts, refuse } from './methods.ts';
import { createHttp2 } from './port.ts';
import { routeStandardServices } from './standard.ts';
import { createTranscoder } from './transcode.ts';
import { answerUnary, breakOff, type Incoming, isGrpc, LARGE, MOST_BYTES, type Outgoing } from './unary.ts';

export interface GrpcOptions extends Pick<MethodParts, 'ask' | 'onInternalError' | 'contract'> {
  /** See `readDescriptors`. */
  readonly descriptors: readonly string[];
}

/** Answers a request over HTTP/1.1 or HTTP/2; false if it is none of gRPC, gRPC-Web and Connect. */
export type GrpcListener = (request: Incoming, response: Outgoing) => boolean;

export interface Grpc {
  /** A listener that leaves to `app` what is none of gRPC, gRPC-Web and Connect. */
  before(app: RequestListener): RequestListener;
  readonly http2: Http2;
  readonly writeCall: ReturnType<typeof createWriter>;
}

/** @throws Error for descriptors that cannot be read */
export const createGrpc = (options: GrpcOptions): Grpc => {
  const language = { ...options, ...readMethods(options.descriptors, options.contract) };
  const answer = createListener(language);
  return {
    before: (app) => (request, response) => {
      if (!answer(request, response)) app(request, response);
    },
    http2: createHttp2(answer, options.ask),
    writeCall: createWriter(language),
  };
};

type Described = GrpcOptions & ReturnType<typeof readMethods>;

/** Writes a call of the API as one of gRPC; undefined for what no method is, or cannot have in its message. */
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

const createListener = (options: Described): GrpcListener => {
  const { registry, methods } = options;
  const parts = { ...options, toError: createErrors(registry, options) };
  const served = new Map(
    methods.map((bound) => [`/${nameOfMethod(bound.method)}`, { bound, method: createMethod(bound, parts) }]),
  );
  const library = createLibrary(registry, [...served.values()]);
  return (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const known = served.get(path);
    if (known && request.method === 'POST' && isGrpc(request)) {
      const { bound, method } = known;
      void answerUnary(request, response, method, bound.rules.length > 0 ? bound.method.input : undefined);
    } else if (library.paths.has(path)) library.answer(request, response);
    else if (request.headers['content-type']?.startsWith('application/grpc')) {
      const advice = didYouMean(
        path.slice(1),
        [...served.keys()].map((one) => one.slice(1)),
      );
      const reason = `The descriptors have no method ${path.slice(1)}.${advice}`;
      void answerUnary(request, response, refuse(parts, path.slice(1), reason));
    } else return false;
    return true;
  };
};

interface Served {
  readonly bound: BoundMethod;
  readonly method: GrpcMethod;
}

const CALLER = createContextKey<Incoming | undefined>(undefined);

/** What the library serves: gRPC-Web, Connect, and the streams of the standard services. */
const createLibrary = (registry: FileRegistry, served: readonly Served[]) => {
  const paths = new Set<string>();
  const answer = connectNodeAdapter({
    routes: (router) => {
      for (const { bound, method } of served) {
        if (bound.method.methodKind === 'unary')
          router.rpc(bound.method as DescMethodUnary, throughLibrary(method));
      }
      routeStandardServices(router, registry);
      for (const { requestPath } of router.handlers) paths.add(requestPath);
    },
    contextValues: (request) => createContextValues().set(CALLER, request),
    readMaxBytes: MOST_BYTES,
    compressMinBytes: LARGE,
  });
  return {
    paths,
    answer: (request: Incoming, response: Outgoing): void => {
      try {
        answer(request, response);
      } catch {
        response.writeHead(400).end(); // no address can be made of its host
      }
    },
  };
};

const throughLibrary =
  (method: GrpcMethod) =>
  async (message: Message, context: HandlerContext): Promise<Message> => {
    const { values, signal, responseHeader } = context;
    const caller = values.get(CALLER);
    try {
      const reply = await method(message, { headers: caller?.headers ?? {}, signal });
      for (const [name, value] of Object.entries(reply.metadata)) responseHeader.set(name, value);
      return fromBinary(context.method.output, reply.bytes);
    } catch (error) {
      if (!(error instanceof BrokenOff)) throw error;
      if (caller) breakOff(caller);
      throw new ConnectError(error.message, Code.Aborted);
    }
  };
