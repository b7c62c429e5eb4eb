/// <reference lib="esnext.disposable" preserve="true" />
/** What a mock is to a test: in the same process, where methods answer at once, or elsewhere. */
import type { Bound, Later } from './binding.ts';
import type { METHODS, MOCK_METHODS } from './methods.ts';
import type { EnvironmentOptions } from './options.ts';
import type { Identity } from './types.ts';
import type { Waits } from './waits.ts';

/** One isolated environment (behaviour E1). What is refused is a `MockError` that says what to do. */
export interface MockEnvironment extends Identity, Bound<typeof METHODS>, Waits {}

/** An environment of a mock that runs elsewhere: the same methods, as promises. */
export interface RemoteEnvironment extends Identity, Later<Bound<typeof METHODS>>, Waits {}

/**
 * A request listener of node, which any Express app can mount as well. Its type says what a request and a response have at
 * least, since a project need not have the types of node.
 */
export type MockApp = (
  request: { readonly url?: string | undefined; readonly headers: object },
  response: { statusCode: number; end(): unknown },
  next?: (error?: unknown) => void,
) => void;

/** How a mock gives out its environments. */
interface EnvironmentMethods<Environment> {
  /** In the order they were made. */
  environments(): readonly Environment[];
  /** @param nameOrId default: the first. @throws MockError naming those there are, if there is none such */
  environment(nameOrId?: string): Environment;
  /** An isolated environment with its own credentials (behaviour E5). */
  createEnvironment(options?: EnvironmentOptions): Environment;
}

/** Of a mock in the same process. */
export interface Mock
  extends AsyncDisposable,
    EnvironmentMethods<MockEnvironment>,
    Bound<typeof MOCK_METHODS> {
  /** Where it listens; `http://mock.local`, or the `baseUrl`, if it does not. */
  readonly url: string;
  readonly scenario: { readonly name: string; readonly description: string };
  /**
   * The whole mock as an Express app: for `supertest(mock.app)`, `http.createServer(mock.app)`, or to be mounted in an
   * Express app: `app.use('/mock', mock.app)`. Mounted, it wants the `baseUrl` that its clients use, prefix included
   * (`http://localhost:3000/mock`), for the links that it gives out; and to come before anything that reads bodies.
   */
  readonly app: MockApp;
  /** Calls the mock in process, without a port; as over HTTP. @param input a path, or an address of this mock */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Calls under way finish, for five seconds at most; then nothing is left open. */
  close(): Promise<void>;
}

/** A mock that runs elsewhere. */
export interface RemoteMock
  extends Later<EnvironmentMethods<RemoteEnvironment>>,
    Later<Bound<typeof MOCK_METHODS>> {
  readonly url: string;
  /** The global `fetch`, with paths relative to the mock. */
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
}
