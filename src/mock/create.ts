/**
 * Mocks of this process: with a port that they listen on, or without. Their methods run what the control plane runs,
 * directly, and answer at once.
 */
import { presentRefusal } from '../control/errors.ts';
import { Refusal } from '../core/errors.ts';
import { type Listener, listen } from '../http/listener.ts';
import { assemble, type Parts } from './assemble.ts';
import { bind, identityOf, type Transport } from './binding.ts';
import { openGrpc, openHttp2Later } from './grpc.ts';
import { ENVIRONMENT_CALLS, METHODS, MOCK_METHODS } from './methods.ts';
import type { Mock, MockApp, MockEnvironment } from './mock.ts';
import { MockError } from './mock-error.ts';
import { DEFAULTS, type MockOptions, type StartOptions } from './options.ts';
import { requireMockOptions, requireStartOptions } from './requirements.ts';
import type { ControlSchemas } from './types.ts';
import { bindWaits } from './waits.ts';

/** Milliseconds that calls under way have when the mock closes. */
const GRACE = 5_000;

/**
 * The same as `startMock` without a listening port: `mock.fetch` only.
 * @throws ScenarioError for a scenario that is wrong, naming every problem; TypeError for an option that is
 */
export const createMock = (options: MockOptions = {}): Mock => {
  requireMockOptions(options);
  return toMock(assemble(options));
};

/**
 * Starts a mock that listens. Resolves when the first call will be answered.
 * @throws ScenarioError for a scenario that is wrong, naming every problem; TypeError for an option that is; Error for an
 * address that cannot be listened on, or that other machines can reach while there is no control token
 */
export const startMock = async (options: StartOptions = {}): Promise<Mock> => {
  requireStartOptions(options);
  const parts = assemble(options);
  try {
    const listener = await open(parts, options);
    if (options.baseUrl === undefined) parts.environments.baseUrl = listener.url;
    return toMock(parts, listener);
  } catch (error) {
    parts.stop();
    parts.save();
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
    http2: grpc?.http2 ?? openHttp2Later(parts),
    prefersHttp2: grpc !== undefined,
    ...(tlsCert !== undefined && tlsKey !== undefined && { tls: { cert: tlsCert, key: tlsKey } }),
  });
};

const toMock = (parts: Parts, listener?: Listener): Mock => {
  const { environments, server, appFetch } = parts;
  const url = listener?.url ?? environments.baseUrl;
  const { ask, close } = createLife(parts, listener);
  const calls = bind(ENVIRONMENT_CALLS, ask);
  const handle = (shown: ControlSchemas['Environment']): MockEnvironment => ({
    ...identityOf(shown, url),
    ...bind(METHODS, ask, shown.id),
    ...bindWaits(async (call, input) => ask(call, input), shown.id),
  });
  return {
    url,
    get scenario() {
      const { name, description } = environments.scenario;
      return { name, description };
    },
    environments: () => calls.list().map(handle),
    environment: (nameOrId) => handle(calls.get(nameOrId)),
    createEnvironment: (options) => handle(calls.create(options)),
    ...bind(MOCK_METHODS, ask),
    app: server.app as unknown as MockApp, // only node and Express call it, with their own requests
    fetch: async (input, init) => appFetch.fetch(requireAddress(input), init),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** The calls of a mock until it is closed, and its end. */
const createLife = ({ callControl, appFetch, stop, save }: Parts, listener: Listener | undefined) => {
  let isClosed = false;
  const ask: Transport<unknown> = (name, input) => {
    // What was recorded can still be read.
    if (isClosed && !name.startsWith('GET ')) throw closed();
    return translated(() => callControl(name, input));
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    stop();
    await Promise.all([appFetch.close(GRACE), listener?.close()]);
    save();
  };
  return { ask, close };
};

/** An argument that a caller without types may have left out. */
const requireAddress = <Address>(input: Address): Address => {
  if (input !== undefined && input !== null) return input;
  throw new TypeError('fetch needs a path such as /api/v1/connections, or an address of this mock.');
};

const closed = (): MockError =>
  new MockError({
    code: 'FAILED_PRECONDITION',
    message: 'The mock was closed.',
    hint: 'Start another one, or close it after the last test.',
  });

/** Whatever room refuses, a test sees one kind of error. */
const translated = <Value>(run: () => Value): Value => {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new MockError(presentRefusal(error).body.error);
  }
};
