/** What a mock is to a test, in the same process or elsewhere. */
import type { components } from '../control/generated.ts';
import { type Ask, segment } from './ask.ts';
import { MockEnvironment } from './environment.ts';
import { type EnvironmentOptions, MockCalls } from './generated.ts';

type EnvironmentSummary = components['schemas']['Environment'];

/** A mock that can be steered. Its methods throw a `MockError` that says what to do. */
export class MockClient extends MockCalls {
  /** The address it listens on. If it does not listen: the `baseUrl`, or else `http://mock.local`. */
  readonly url: string;

  /** @internal */
  constructor(ask: Ask, url: string) {
    super(ask);
    this.url = url;
  }

  /** All environments, in the order they were made. */
  async environments(): Promise<readonly MockEnvironment[]> {
    const { environments } = await this.ask<{ environments: readonly EnvironmentSummary[] }>(
      'GET',
      '/environments',
    );
    return environments.map((shown) => this.#toEnvironment(shown));
  }

  /** One of the environments. @param nameOrId default: the first. @throws MockError that names those that exist, if none is called so */
  async environment(nameOrId = 'current'): Promise<MockEnvironment> {
    return this.#toEnvironment(await this.ask('GET', `/environments/${segment('nameOrId', nameOrId)}`));
  }

  /** Makes an isolated environment with credentials of its own (behaviour E5). */
  async createEnvironment(options: EnvironmentOptions = {}): Promise<MockEnvironment> {
    return this.#toEnvironment(await this.ask('POST', '/environments', { body: options }));
  }

  #toEnvironment(shown: EnvironmentSummary): MockEnvironment {
    return new MockEnvironment(this.ask, shown, this.url);
  }
}

/**
 * A request listener of node, which any Express app can mount as well. Its type says what a request and a response have at
 * least, since a project need not have the types of node.
 */
export type MockApp = (
  request: { readonly url?: string | undefined; readonly headers: object },
  response: { statusCode: number; end(): unknown },
  next?: (error?: unknown) => void,
) => void;

/** A mock in the same process. */
export interface Mock extends MockClient, AsyncDisposable {
  /** The scenario that it started from. */
  readonly scenario: {
    /** Its name, or the file. */
    readonly name: string;
    /** The description in the file. */
    readonly description: string;
  };
  /**
   * The whole mock as an Express app: for `supertest(mock.app)`, `http.createServer(mock.app)`, or to be mounted in an
   * Express app: `app.use('/mock', mock.app)`. Mounted, it needs the `baseUrl` that its clients use, prefix included
   * (`http://localhost:3000/mock`), for the links that it gives out; and must come before anything that reads bodies.
   */
  readonly app: MockApp;
  /** Calls the mock in process, without a port; as over HTTP. @param input a path, or an address of this mock */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Lets calls under way finish, for five seconds at most; then nothing is left open. */
  close(): Promise<void>;
}

/** A mock that runs elsewhere. */
export interface RemoteMock extends MockClient {
  /** The global `fetch`, with paths relative to the mock. */
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
}
