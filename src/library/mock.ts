/** The class through which tests use a mock, in this process or in another. */
import { type Ask, type ControlQuery, createAsk, type Send } from './ask.ts';
import { type Coverage, type EnvironmentOptions, type Pact, plain } from './calls.ts';
import { MockError, requireNames, requireText } from './given.ts';
import { type EnvironmentSummary, MockEnvironment } from './mock-environment.ts';

/** How a mock is reached: in this process, or over HTTP. */
interface Door extends Pick<MockClient, 'url' | 'fetch'> {
  readonly controlToken: string | undefined;
  readonly send: Send;
  end(): Promise<void>;
}

/** The methods with which tests control a mock. A method that fails throws a `MockError` that says what to do. */
export class MockClient implements AsyncDisposable {
  /** The address on which the mock listens. If the mock does not listen: its `baseUrl`, or else `http://mock.local`. */
  readonly url: string;
  /** Works like the global `fetch`, and also accepts a path. Calls a mock of this process without a network. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /**
   * Closes a mock of this process: calls under way get five seconds to finish, and then nothing stays open. Of a mock in another
   * process it ends the connection alone. Later calls of these methods fail.
   */
  readonly close: () => Promise<void>;
  /** @internal */
  readonly ask: Ask;

  /** @internal */
  constructor({ url, controlToken, send, fetch, end }: Door) {
    let isClosed = false;
    const sendIfOpen: Send = async (path, message) => {
      if (!isClosed) return send(path, message);
      const hint = 'Close it only after the last test, or start or connect to another one.';
      throw new MockError({ code: 'FAILED_PRECONDITION', message: `The mock at ${url} was closed.`, hint });
    };
    this.url = url;
    this.fetch = fetch;
    this.ask = createAsk(sendIfOpen, url, controlToken);
    this.close = async () => {
      isClosed = true;
      await end();
    };
  }

  /** Closes the mock at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** All environments, in the order in which they were created. */
  async environments(): Promise<readonly MockEnvironment[]> {
    return (await this.ask('listEnvironments')).environments.map((shown) => this.#open(shown));
  }

  /** The environment with this name or id, by default the first. @throws MockError that lists those that there are */
  async environment(nameOrId = 'current'): Promise<MockEnvironment> {
    const path = { env: requireText('nameOrId', nameOrId) };
    return this.#open(await this.ask('getEnvironment', { path }));
  }

  /** Creates an isolated environment with its own credentials (behaviour E5). */
  async createEnvironment(options: EnvironmentOptions = {}): Promise<MockEnvironment> {
    return this.#open(await this.ask('createEnvironment', { body: options }));
  }

  /** Which parts of the contract the calls of all environments have exercised, also of deleted ones. */
  readonly coverage: () => Promise<Coverage> = plain(() => this.ask('getTotalCoverage'));
  /** Resets the coverage of every environment to zero. */
  readonly clearCoverage: () => Promise<void> = plain(() => this.ask('clearTotalCoverage').then(() => {}));

  /** What the calls of all environments relied on, as a Pact, also of deleted ones. */
  async pact(names: ControlQuery<'getTotalPact'> = {}): Promise<Pact> {
    return this.ask('getTotalPact', { query: requireNames(names, ['consumer', 'provider']) });
  }

  readonly #open = (shown: EnvironmentSummary) => new MockEnvironment(this.ask, shown, this.url);
}

/** A Node request listener, which an Express app can also mount. Its type needs neither Node's types nor Express'. */
export type MockApp = (
  request: { readonly url?: string | undefined; readonly headers: object },
  response: { statusCode: number; end(): unknown },
  next?: (error?: unknown) => void,
) => void;

/** A mock in this process. */
export interface Mock extends MockClient {
  /** The scenario with which the mock started. */
  readonly scenario: {
    /** The scenario's name, or the path of its file. */
    readonly name: string;
    /** The scenario's own `description`. */
    readonly description: string;
  };
  /**
   * The whole mock as an Express app, for `supertest(mock.app)`, for `http.createServer(mock.app)`, or to mount in another app:
   * `app.use('/mock', mock.app)`. Set `baseUrl` to the address that clients use, with the prefix, since links begin with it.
   */
  readonly app: MockApp;
}

/** A mock in another process. */
export type RemoteMock = MockClient;
