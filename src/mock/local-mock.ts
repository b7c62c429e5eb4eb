/** A mock in the same process: its methods run what the control plane runs, directly, and answer at once. */
import type { DirectCall } from '../control/direct-calls.ts';
import { isForeseen, toErrorReply } from '../control/errors.ts';
import type { ControlSchemas } from '../control/types.ts';
import type { Environments } from '../environments/environments.ts';
import { bind, bindLater, type Transport, toCredentials } from './binding.ts';
import type { Fetch } from './in-process.ts';
import { ENVIRONMENT_CALLS, METHODS, MOCK_METHODS, WAITS } from './methods.ts';
import type { Mock, MockApp, MockEnvironment } from './mock.ts';
import { MockError } from './mock-error.ts';

export interface LocalParts {
  readonly environments: Environments;
  readonly call: DirectCall;
  readonly url: string;
  readonly app: MockApp;
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

export const createLocalMock = ({ environments, call, url, app, fetch, close }: LocalParts): Mock => {
  const ask: Transport<unknown> = (id, input) => translated(() => call(id, input));
  const handle = (shown: ControlSchemas['Environment']): MockEnvironment => createHandle(ask, shown);
  const calls = bind(ENVIRONMENT_CALLS, ask);
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
    fetch,
    close,
    [Symbol.asyncDispose]: close,
  };
};

const createHandle = (ask: Transport<unknown>, shown: ControlSchemas['Environment']): MockEnvironment => {
  const { id, name } = shown;
  const later: Transport<Promise<unknown>> = async (call, input) => ask(call, input);
  return {
    id,
    name,
    credentials: toCredentials(shown),
    ...bind(METHODS, ask, id),
    ...bindLater(WAITS, later, id),
  };
};

/** Whatever room refuses, a test sees one kind of error. */
const translated = <Value>(run: () => Value): Value => {
  try {
    return run();
  } catch (error) {
    if (!isForeseen(error)) throw error;
    throw new MockError(toErrorReply(error).body.error);
  }
};
