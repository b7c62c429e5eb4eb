/** A real server on a free port for the tests of one file: start it once, reset it between tests. */
import { connect } from 'node:net';
import { type Mock, type StartOptions, startMock } from '../../src/index.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Bodies are read member by member in expectations, which fail on anything unexpected.
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** A bearer, or null for none. */
  readonly token?: string | null;
}

export interface TestServer {
  readonly mock: Mock;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Bytes as they are over a new connection; resolves with all that came back when the server closes it. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export const startServer = async (options: StartOptions = {}): Promise<TestServer> => {
  const mock = await startMock({ port: 0, log: 'silent', validateResponses: 'on', ...options });
  const { port, hostname } = new URL(mock.url);
  return {
    mock,
    call: (method, path, given) => callOver(mock.url + path, method, given),
    raw: (bytes) => sendRaw(Number(port), hostname, bytes),
    close: () => mock.close(),
  };
};

const callOver = async (
  url: string,
  method: string,
  { body, headers = {}, token = 'dev-token' }: CallOptions = {},
): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !(body instanceof URLSearchParams) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: toBody(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
};

const toBody = (body: unknown): string | Uint8Array | URLSearchParams =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof URLSearchParams
    ? body
    : JSON.stringify(body);

const sendRaw = (port: number, host: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });

/** A request by its lines, ended as HTTP wants, that closes the connection after its answer. */
export const rawRequest = (line: string, headers: readonly string[] = [], body = ''): string =>
  [line, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', body].join('\r\n');
