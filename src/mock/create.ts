/** Mocks in this process, which listen on a port or not. */
import { text as readText } from 'node:stream/consumers';
import { credentialsOf } from '../environments/environment.ts';
import { nextTurn } from '../http/in-process.ts';
import { type Listener, listen } from '../http/listener.ts';
import { createAsk } from './ask.ts';
import { assemble, IN_PROCESS_HOST, type Parts } from './assemble.ts';
import { type MockEnvironment, toCredentials } from './environment.ts';
import { openGrpc, openHttp2OnDemand } from './grpc.ts';
import { type Mock, type MockApp, MockClient } from './mock.ts';
import { MockError } from './mock-error.ts';
import { DEFAULTS, type MockOptions, type StartOptions } from './options.ts';
import { requireMockOptions, requireStartOptions } from './requirements.ts';

/** Milliseconds in which calls under way may finish when the mock closes. */
const GRACE = 5_000;

/**
 * The same as `startMock`, but without a port: call it with `mock.fetch` or `mock.app`.
 * @throws ScenarioError for a scenario with problems, naming all of them; TypeError for a wrong option
 */
export const createMock = (options: MockOptions = {}): Mock => {
  requireMockOptions(options);
  return toMock(assemble(options), options.controlToken);
};

/**
 * Starts a mock that listens. Resolves once it answers calls.
 * @throws ScenarioError for a scenario with problems, naming all of them; TypeError for a wrong option; Error for an
 * address that it cannot listen on, or that other machines can reach while there is no control token
 */
export const startMock = async (options: StartOptions = {}): Promise<Mock> =>
  (await startServer(options)).mock;

/** A mock that has just started, and the credentials for its clients, known without a call. */
export interface Started {
  readonly mock: Mock;
  readonly environments: readonly Pick<MockEnvironment, 'name' | 'credentials'>[];
}

/** Like `startMock`, for commands that print the address. */
export const startServer = async (options: StartOptions): Promise<Started> => {
  requireStartOptions(options);
  const parts = assemble(options);
  try {
    const listener = await open(parts, options);
    if (options.baseUrl === undefined) parts.environments.baseUrl = listener.url;
    const environments = Array.from(parts.environments.byId.values(), (environment) => ({
      name: environment.name,
      credentials: toCredentials(credentialsOf(environment)),
    }));
    return { mock: toMock(parts, options.controlToken, listener), environments };
  } catch (error) {
    parts.stop();
    await parts.save();
    throw error;
  }
};

const open = async (parts: Parts, options: StartOptions): Promise<Listener> => {
  const { port = DEFAULTS.port, host = DEFAULTS.host, tlsCert, tlsKey, grpcDescriptors = [] } = options;
  const { app, messages } = parts.server;
  const grpc = grpcDescriptors.length > 0 ? await openGrpc(parts, grpcDescriptors) : undefined;
  if (grpc) parts.environments.writeGrpcCall = grpc.writeCall;
  return listen(grpc ? grpc.before(app) : app, messages, {
    port,
    host,
    http2: grpc?.http2 ?? openHttp2OnDemand(parts),
    prefersHttp2: grpc !== undefined,
    ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { cert: tlsCert, key: tlsKey } }),
  });
};

const toMock = (parts: Parts, controlToken: string | undefined, listener?: Listener): Mock => {
  const { environments, server, inProcess, appFetch } = parts;
  const url = listener?.url ?? environments.baseUrl;
  let isClosed = false;
  const ask = createAsk(
    async (path, message) => {
      if (isClosed) throw closed();
      const length = String(Buffer.byteLength(message.body ?? ''));
      const headers = { host: IN_PROCESS_HOST, 'content-length': length, ...message.headers };
      const reply = await inProcess.ask({ ...message, headers, url: path });
      await nextTurn();
      return { status: reply.status, text: await readText(reply.body) };
    },
    url,
    controlToken,
  );
  const close = async (): Promise<void> => {
    isClosed = true;
    parts.stop();
    await Promise.all([appFetch.close(GRACE), listener?.close()]);
    await parts.save();
  };
  const fetch: Mock['fetch'] = async (input, init) => appFetch.fetch(requireAddress(input), init);
  const scenario = {
    get: () => {
      const { name, description } = environments.scenario;
      return { name, description };
    },
  };
  const mock = Object.assign(new MockClient(ask, url), {
    app: server.app as unknown as MockApp, // only node and Express call it, with their own requests
    fetch,
    close,
    [Symbol.asyncDispose]: close,
  });
  return Object.defineProperty(mock, 'scenario', { ...scenario, enumerable: true }) as unknown as Mock;
};

/** Requires an argument, which untyped callers may have left out. */
const requireAddress = <Address>(input: Address): Address => {
  if (input !== undefined && input !== null) return input;
  throw new TypeError('fetch needs a path such as /api/v1/connections, or an address of this mock.');
};

const closed = (): MockError =>
  new MockError({
    code: 'FAILED_PRECONDITION',
    message: 'The mock was closed.',
    hint: 'Start a new mock, or close this one after the last test.',
  });
