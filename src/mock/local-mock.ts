/** A mock in the same process: its methods run what the control plane runs, directly, and answer at once. */
import type { DirectCall } from '../control/call.ts';
import { isForeseen, toErrorReply } from '../control/errors.ts';
import type { Environments } from '../environments/environments.ts';
import { bind, type Transport, toCredentials } from './binding.ts';
import type { Fetch } from './in-process.ts';
import { ENVIRONMENT_CALLS, METHODS, MOCK_METHODS } from './methods.ts';
import type { Mock, MockApp, MockEnvironment } from './mock.ts';
import { MockError } from './mock-error.ts';
import type { ControlSchemas } from './types.ts';
import { bindWaits } from './waits.ts';

export interface LocalParts {
  readonly environments: Environments;
  readonly call: DirectCall;
  readonly url: string;
  readonly app: MockApp;
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

export const createLocalMock = ({ environments, call, url, app, fetch, close }: LocalParts): Mock => {
  let isClosed = false;
  const ask: Transport<unknown> = (name, input) => {
    // What was recorded can still be read.
    if (isClosed && !name.startsWith('GET ')) throw closed();
    return translated(() => call(name, input));
  };
  const calls = bind(ENVIRONMENT_CALLS, ask);
  const handle = (shown: ControlSchemas['Environment']): MockEnvironment => createHandle(ask, shown, url);
  const closeOnce = (): Promise<void> => {
    isClosed = true;
    return close();
  };
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
    app,
    fetch: async (input, init) => fetch(requireAddress(input), init),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
};

const createHandle = (
  ask: Transport<unknown>,
  shown: ControlSchemas['Environment'],
  url: string,
): MockEnvironment => {
  const { id, name } = shown;
  return {
    id,
    name,
    url,
    credentials: toCredentials(shown),
    ...bind(METHODS, ask, id),
    ...bindWaits(async (call, input) => ask(call, input), id),
  };
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
    if (!isForeseen(error)) throw error;
    throw new MockError(toErrorReply(error).body.error);
  }
};
