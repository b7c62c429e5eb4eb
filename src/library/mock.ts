/** The class and types through which tests use a mock, in this process or in another. */
import type { Ask } from './ask.ts';
import { plain } from './calls.ts';
import { requireObject, requireText } from './given.ts';
import { type EnvironmentSummary, MockEnvironment } from './mock-environment.ts';
import type { ControlQuery, ControlReply, Coverage, EnvironmentOptions, Pact } from './published-types.ts';

/** The methods with which tests control a mock. A method that fails throws a `MockError` that says what to do. */
export class MockClient {
  /** The address on which the mock listens. If the mock does not listen: its `baseUrl`, or else `http://mock.local`. */
  readonly url: string;
  /** @internal */
  protected readonly ask: Ask;

  /** @internal */
  constructor(ask: Ask, url: string) {
    this.ask = ask;
    this.url = url;
  }

  /** All environments, in the order in which they were created. */
  async environments(): Promise<readonly MockEnvironment[]> {
    const { environments } = await this.ask('listEnvironments');
    return environments.map((shown) => this.#toEnvironment(shown));
  }

  /**
   * Returns the environment that has the given name or id.
   * @param nameOrId default: `current`, which is the first environment
   * @throws MockError if no environment has this name or id. The message lists the existing environments.
   */
  async environment(nameOrId = 'current'): Promise<MockEnvironment> {
    const path = { env: requireText('nameOrId', nameOrId) };
    return this.#toEnvironment(await this.ask('getEnvironment', { path }));
  }

  /** Creates an isolated environment with its own credentials (behaviour E5). */
  async createEnvironment(options: EnvironmentOptions = {}): Promise<MockEnvironment> {
    return this.#toEnvironment(await this.ask('createEnvironment', { body: options }));
  }

  /** Which parts of the contract the calls of all environments have exercised, including deleted environments. */
  readonly coverage: () => Promise<Coverage> = plain(() => this.ask('getTotalCoverage'));
  /** Resets the coverage of every environment to zero. */
  readonly clearCoverage: () => Promise<void> = plain(async () => {
    await this.ask('clearTotalCoverage');
  });

  /** What the calls of all environments relied on, as a Pact, including deleted environments. */
  async pact(names: ControlQuery<'getTotalPact'> = {}): Promise<Pact> {
    return this.ask('getTotalPact', { query: requireObject('names', names) });
  }

  /** What a run leaves behind, deleted environments included (behaviour N7). @internal */
  async run(): Promise<ControlReply<'getRun'>> {
    return this.ask('getRun');
  }

  #toEnvironment(shown: EnvironmentSummary): MockEnvironment {
    return new MockEnvironment(this.ask, shown, this.url);
  }
}

/**
 * A Node request listener, which an Express app can also mount. The type lists only the members that requests and
 * responses must have, because a project may not have Node's types installed.
 */
export type MockApp = (
  request: { readonly url?: string | undefined; readonly headers: object },
  response: { statusCode: number; end(): unknown },
  next?: (error?: unknown) => void,
) => void;

/** A mock in this process. */
export interface Mock extends MockClient, AsyncDisposable {
  /** The scenario with which the mock started. */
  readonly scenario: {
    /** The scenario's name, or the path of its file. */
    readonly name: string;
    /** The scenario's own `description`. */
    readonly description: string;
  };
  /**
   * The whole mock as an Express app, for `supertest(mock.app)`, for `http.createServer(mock.app)`, or to mount in
   * another app: `app.use('/mock', mock.app)`. Set `baseUrl` to the address that
   * clients use, with the prefix: `http://localhost:3000/mock`. Links begin with `baseUrl`.
   */
  readonly app: MockApp;
  /** Calls the mock in process, with the same result as over HTTP. @param input a path, or an address of this mock */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Closes the mock. Calls under way get five seconds to finish. After that, nothing stays open. */
  close(): Promise<void>;
}

/** A mock in another process. */
export interface RemoteMock extends MockClient, AsyncDisposable {
  /** Works like the global `fetch`, and also accepts a path: the path is relative to the mock's address. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Ends the connection: later calls of its methods fail. The mock itself goes on. */
  close(): Promise<void>;
}
