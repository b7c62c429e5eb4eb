/** A mock that runs elsewhere: the same methods over `/_mock`. */
import { loadControlDocument } from '../control/document.ts';
import type { ControlSchemas } from '../control/types.ts';
import { bindLater, type Transport, toCredentials } from './binding.ts';
import { ENVIRONMENT_CALLS, HEALTH, METHODS, MOCK_METHODS, WAITS } from './methods.ts';
import type { RemoteEnvironment, RemoteMock } from './mock.ts';
import { MockError, requireGiven } from './mock-error.ts';
import { canBeSent } from './option.ts';

export interface ConnectOptions {
  /** The token that the server was started with, if it was. */
  readonly controlToken?: string | undefined;
}

/**
 * The mock that listens at an address, with the same methods as one in the same process, as promises.
 * @throws MockError if it is no address, if nothing answers there, if it is no mock, or for a wrong control token
 */
export const connectMock = async (url: string | URL, options: ConnectOptions = {}): Promise<RemoteMock> => {
  const base = readAddress(String(url));
  if (options.controlToken !== undefined && !canBeSent(options.controlToken)) throw unsendable();
  const ask = createTransport(base, options);
  await bindLater({ health: HEALTH }, ask).health();
  const handle = (shown: ControlSchemas['Environment']): RemoteEnvironment => ({
    id: shown.id,
    name: shown.name,
    credentials: toCredentials(shown),
    ...bindLater(METHODS, ask, shown.id),
    ...bindLater(WAITS, ask, shown.id),
  });
  const environments = bindLater(ENVIRONMENT_CALLS, ask);
  return {
    url: base,
    environments: async () => (await environments.list()).map(handle),
    environment: async (nameOrId) => handle(await environments.get(nameOrId)),
    createEnvironment: async (given) => handle(await environments.create(given)),
    ...bindLater(MOCK_METHODS, ask),
    fetch: (input, init) => fetch(new URL(input, `${base}/`), init),
  };
};

/** Without a slash at its end. @throws MockError */
const readAddress = (url: string): string => {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new MockError({
    code: 'INVALID_ARGUMENT',
    message: `${JSON.stringify(url.slice(0, 200))} is no address of a mock.`,
    hint: 'Give it with its scheme, such as http://127.0.0.1:4720.',
  });
};

/** Tells nothing of the token itself. */
const unsendable = (): MockError =>
  new MockError({
    code: 'INVALID_ARGUMENT',
    message: 'The control token is empty, or holds a character that no header can carry.',
    hint: 'Give the token that the server was started with, without spaces or line ends around it.',
  });

const createTransport = (base: string, { controlToken }: ConnectOptions): Transport<Promise<unknown>> => {
  const operations = new Map(loadControlDocument().operations.map((operation) => [operation.id, operation]));
  return async (id, input) => {
    const operation = operations.get(id);
    if (!operation) throw new Error(`The control plane has no operation ${id}.`);
    const { method, path } = operation;
    const address = `${base}/_mock${fillPath(path, input.path)}${toQuery(input.query)}`;
    const hasBody = input.body !== undefined;
    const response = await reach(address, {
      method,
      headers: {
        accept: 'application/json',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
      },
      ...(hasBody && { body: JSON.stringify(input.body) }),
    });
    return readAnswer(response, base);
  };
};

const fillPath = (path: string, values: object): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(requireGiven(name, Reflect.get(values, name)))),
  );

const toQuery = (query: object): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
};

const reach = async (address: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(address, init);
  } catch (error) {
    throw new MockError(
      {
        code: 'UNREACHABLE',
        message: `Nothing answers at ${new URL(address).origin}.`,
        hint: 'Start the mock first (ca-mock start), or mend the address, such as http://127.0.0.1:4720.',
      },
      { cause: error },
    );
  }
};

/** @throws MockError for a refusal, and for an answer that no mock gives */
const readAnswer = async (response: Response, base: string): Promise<unknown> => {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && typeof body === 'object') return body;
  const refusal = readRefusal(body);
  throw new MockError(
    refusal ?? {
      code: 'UNREACHABLE',
      message: `${base} answered ${response.status}, but not as a mock does.`,
      hint: 'Mend the address: it is that of the server, without a path.',
    },
  );
};

type Refusal = ControlSchemas['Error']['error'];

const readRefusal = (body: unknown): Refusal | undefined => {
  if (typeof body !== 'object' || body === null) return undefined;
  const error: unknown = Reflect.get(body, 'error');
  return typeof error === 'object' && error !== null && 'hint' in error ? (error as Refusal) : undefined;
};
