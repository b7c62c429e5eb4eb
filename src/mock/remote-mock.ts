/** A mock that runs elsewhere: the same methods over `/_mock`. */

import { parseJson, valueAt } from '../core/object.ts';
import { cut } from '../core/text.ts';
import { isScenarioName } from '../domain/scenario.ts';
import { bindLater, identityOf, type Transport } from './binding.ts';
import { ENVIRONMENT_CALLS, HEALTH, METHODS, MOCK_METHODS } from './methods.ts';
import type { RemoteEnvironment, RemoteMock } from './mock.ts';
import { MockError, requireGiven } from './mock-error.ts';
import { canBeSent } from './option.ts';
import { DEFAULTS } from './options.ts';
import { type HttpReply, type Message, send } from './send.ts';
import type { ControlSchemas } from './types.ts';
import { bindWaits } from './waits.ts';

export interface ConnectOptions {
  /** The token that the server was started with, if it was. Default: `CA_MOCK_CONTROL_TOKEN`. */
  readonly controlToken?: string | undefined;
  /** What makes the calls. Default: node's own client. */
  readonly send?: typeof send | undefined;
}

/**
 * The mock that listens at an address, with the same methods as one in the same process, as promises.
 * @param url default: `CA_MOCK_URL`, which `ca-mock exec` and the setup of test runners set; else that of `ca-mock start`
 * @throws MockError if it is no address, if nothing answers there, if it is no mock, or for a wrong control token
 */
export const connectMock = async (
  url: string | URL = process.env.CA_MOCK_URL || DEFAULTS.url,
  { controlToken = process.env.CA_MOCK_CONTROL_TOKEN, ...options }: ConnectOptions = {},
): Promise<RemoteMock> => {
  const base = readAddress(String(url));
  if (controlToken !== undefined && !canBeSent(controlToken)) throw unsendable();
  const ask = createTransport(base, { controlToken, ...options });
  await bindLater({ health: HEALTH }, ask).health();
  const handle = (shown: ControlSchemas['Environment']): RemoteEnvironment => ({
    ...identityOf(shown, base),
    ...bindLater(METHODS, ask, shown.id),
    ...bindWaits(ask, shown.id),
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
    message: `${JSON.stringify(cut(url))} is not the address of a mock.`,
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

const createTransport =
  (base: string, options: ConnectOptions): Transport<Promise<unknown>> =>
  async (call, { path, query, body: given }) => {
    const body = await withScenario(given);
    const { controlToken, send: make = send } = options;
    const [method = '', template = ''] = call.split(' ');
    const address = new URL(`${base}/_mock${fillPath(template, path)}${toQuery(query)}`);
    const answer = await reach(make, address, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return readAnswer(answer, base);
  };

/** A scenario that is a file of this machine is read here, and sent as an object. */
const withScenario = async (body: unknown): Promise<unknown> => {
  const { scenario: named } = (body ?? {}) as { readonly scenario?: unknown }; // of any body
  if (typeof named !== 'string' || isScenarioName(named)) return body;
  const { inlineScenario } = await import('../scenario/files.ts'); // reads no YAML unless a file is named
  try {
    return { ...Object(body), scenario: inlineScenario(named) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ScenarioError') throw error;
    throw new MockError({ code: 'INVALID_ARGUMENT', message: error.message, hint: 'Nothing was sent.' });
  }
};

const fillPath = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(requireGiven(name, values[name]))),
  );

const toQuery = (query: object): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
};

const reach = async (make: typeof send, address: URL, message: Message): Promise<HttpReply> => {
  try {
    return await make(address, message);
  } catch (error) {
    throw new MockError(
      {
        code: 'UNREACHABLE',
        message: `Nothing answers at ${address.origin}.`,
        hint: 'Start the mock first (ca-mock start), or mend the address, such as http://127.0.0.1:4720.',
      },
      { cause: error },
    );
  }
};

/** @throws MockError for a refusal, and for an answer that no mock gives */
const readAnswer = ({ status, text }: HttpReply, base: string): unknown => {
  const body = parseJson(text);
  if (status < 300 && typeof body === 'object') return body;
  if (valueAt(body, 'error', 'hint') !== undefined)
    throw new MockError(valueAt(body, 'error') as ControlSchemas['Error']['error']); // it has a hint
  throw new MockError({
    code: 'UNREACHABLE',
    message: `${base} answered ${status}, but not as a mock does.`,
    hint: 'Mend the address: it is that of the server, without a path.',
  });
};
