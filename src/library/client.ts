/** Connects to a mock in another process, without loading the code of the server. */
import { text as readText } from 'node:stream/consumers';
import { cut } from '../engine/core/text.ts';
import { whyUnreachable } from '../engine/core/unreachable.ts';
import type { Send } from './ask.ts';
import { invalid, MockError, requireNames } from './given.ts';
import { MockClient, type RemoteMock } from './mock.ts';
import { canBeSent, DEFAULTS } from './option.ts';

export { MockError } from './given.ts';
export type { RemoteMock } from './mock.ts';
export type { MockEnvironment } from './mock-environment.ts';

/** How to reach a mock in another process. */
export interface ConnectOptions {
  /** The control token, if the server requires one. Default: the variable `CA_MOCK_CONTROL_TOKEN`. */
  readonly controlToken?: string | undefined;
}

/**
 * Connects to the mock at an address. The result has the same methods as a mock in this process.
 * @param url default: the variable `CA_MOCK_URL`, which `ca-mock exec` and setups of runners set, else http://127.0.0.1:4720
 * @throws MockError if the address or the control token is wrong, or if no mock is responding at the address
 */
export const connectMock = async (
  url: string | URL = process.env.CA_MOCK_URL || DEFAULTS.url,
  options: ConnectOptions = {},
): Promise<RemoteMock> => {
  requireNames(options, ['controlToken']);
  const { controlToken = process.env.CA_MOCK_CONTROL_TOKEN } = options;
  const base = String(url).replace(/\/+$/, '');
  if (!/^https?:\/\//i.test(base) || !URL.canParse(base)) {
    const what = `${JSON.stringify(cut(String(url)))} is not the address of a mock.`;
    throw invalid(what, `Include the scheme, as in ${DEFAULTS.url}.`);
  }
  if (controlToken !== undefined && !canBeSent(controlToken))
    throw invalid(
      'The control token is empty, or contains a character that HTTP headers do not allow.',
      'Give the token that the server was started with, without spaces or line breaks around it.',
    );
  const mock = new MockClient({
    url: base,
    controlToken,
    send: (path, message) => sendHttp(new URL(base + path), message),
    fetch: (input, init) =>
      fetch(typeof input === 'object' && 'url' in input ? input : new URL(input, `${base}/`), init),
    end: async () => {},
  });
  await mock.ask('getHealth');
  return mock;
};

/** By Node's HTTP client, since `fetch` is missing or enforces CORS in a DOM. @throws MockError without a complete reply */
const sendHttp = async (address: URL, message: Parameters<Send>[1]): ReturnType<Send> => {
  // Most addresses do not need TLS, so `node:https` is imported on demand.
  const { request } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'));
  const { method, headers, body } = message;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(unreachable(address, error));
    const call = request(address, { method, headers }, (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), fail);
    });
    call.once('error', (error: NodeJS.ErrnoException) => {
      // The call is sent again, because the server closed the reused connection before the call reached the server.
      if (call.reusedSocket && error.code === 'ECONNRESET') sendHttp(address, message).then(resolve, reject);
      else fail(error);
    });
    call.end(body);
  });
};

const unreachable = ({ origin }: URL, cause: unknown): MockError => {
  const { why, advice } = whyUnreachable(cause);
  const message = advice ? `${origin} gave no reply: ${why}.` : `Nothing is responding at ${origin}.`;
  const start = `Start the mock first (ca-mock start), or correct the address. The default is ${DEFAULTS.url}.`;
  return new MockError({ code: 'UNREACHABLE', message, hint: advice ?? start }, { cause });
};
