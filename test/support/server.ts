/** Calls a mock: by supertest on `mock.app`, or with raw bytes over a socket for requests that supertest cannot send. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll } from '@jest/globals';
import request, { type Response } from 'supertest';
import { createMock, type Mock, type MockOptions, type StartOptions, startMock } from '#mock';

export type Answer = Response;

/** The violations in a refusal of the API. */
export const violationsOf = ({
  body,
}: Answer): { field: string; constraint: string; description: string }[] =>
  body.details[0].validation_error_info.field_violations;

/** The fields that a refusal of the API names. */
export const fieldsOf = (answer: Answer): string[] => violationsOf(answer).map(({ field }) => field);

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The access token, or null to send none. */
  readonly token?: string | null;
}

export type TestServer = ReturnType<typeof callsOf>;
/** The environment of one test. */
export type Isolated = Awaited<ReturnType<TestServer['isolated']>>;

const OPTIONS = { scenario: 'default', log: 'silent', validateResponses: 'on' } as const;

/** A mock for the tests of one file. It is closed after them. Reset it between tests. */
export const testServer = (options: MockOptions = {}) => {
  const mock = createMock({ ...OPTIONS, ...options });
  afterAll(() => mock.close());
  return callsOf(mock);
};

/** A mock that listens on a free port, for tests of connections and of programs that connect to the mock. */
export const listeningServer = async (options: StartOptions = {}) => {
  const mock = await startMock({ port: 0, ...OPTIONS, ...options });
  afterAll(() => mock.close());
  const { port, hostname } = new URL(mock.url);
  return {
    ...callsOf(mock, mock.url),
    /** Sends raw bytes over a new connection. Resolves with the whole answer when the server closes the connection. */
    raw: (bytes: string | Buffer) => sendRaw(Number(port), hostname, bytes),
  };
};

/** @param target the server that supertest calls. Default: a server that listens only during a call */
export const callsOf = (mock: Mock, target: Target = createServer(mock.app)) => {
  const call = (method: string, path: string, options?: CallOptions) => send(target, method, path, options);
  /** Calls a path below `/_mock`, without an access token. */
  const control = (method: string, path: string, body?: unknown, options?: CallOptions) =>
    call(method, `/_mock${path}`, { token: null, body, ...options });
  return {
    mock,
    call,
    control,
    /** Gets an access token for a client. */
    issueToken: async (client_id: string, client_secret: string): Promise<string> => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
      return (await call('POST', '/oauth/token', { token: null, body })).body.access_token;
    },
    /** Makes an environment for one test. */
    isolated: async (given: object = {}) => {
      const { name, access_token: token } = (await control('POST', '/environments', given)).body;
      return {
        ...{ name: name as string, token: token as string },
        /** Calls a path below `/_mock/environments/{env}`. */
        control: (method: string, path: string, body?: unknown, options?: CallOptions) =>
          control(method, `/environments/${name}${path}`, body, options),
        /** The body of a GET below the environment. */
        get: async (path: string) => (await control('GET', `/environments/${name}${path}`)).body,
        /** Calls the mocked API with the environment's access token. */
        api: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
          call(method, path, { token, body, headers }),
      };
    },
  };
};

type Target = Parameters<typeof request>[0];

/** Makes a call with supertest. Does not follow redirects. */
export const send = async (
  target: Target,
  method: string,
  path: string,
  { body, headers = {}, token = 'dev-token' }: CallOptions = {},
): Promise<Answer> => {
  const test = request(target)[method.toLowerCase() as 'get'](path); // supertest has a function for each HTTP method
  if (token !== null) test.auth(token, { type: 'bearer' });
  if (body instanceof URLSearchParams) return test.set(headers).send(String(body)); // supertest sends a string as a form
  if (body !== undefined) test.type('json').serialize(asItIs).send(toBody(body));
  return test.set(headers);
};

/** Serializes a body without a change; supertest would encode a string as JSON. */
const asItIs = (bytes: string): string => bytes;

const toBody = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

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

/** The text of an HTTP request. It asks the server to close the connection after the answer. */
export const rawRequest = (line: string, headers: readonly string[] = [], body = ''): string =>
  [line, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', body].join('\r\n');
