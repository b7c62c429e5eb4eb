/** What a mock is to a test that runs in the same process. */
import type { EnvironmentOptions } from './options.ts';

/** What a client application of one environment is set up with. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A bearer string that never expires (behaviour E4); "" if the scenario has none. */
  readonly accessToken: string;
}

/** One isolated environment (behaviour E1). */
export interface MockEnvironment {
  readonly id: string;
  readonly name: string;
  /** Those of the first client. */
  readonly credentials: Credentials;
}

export interface Mock extends AsyncDisposable {
  /** Where it listens; `http://mock.local`, or the `baseUrl`, if it does not. */
  readonly url: string;
  readonly scenario: { readonly name: string; readonly description: string };
  /** In the order they were made. */
  environments(): readonly MockEnvironment[];
  /** @param nameOrId default: the first. @throws Error naming those there are, if there is none such */
  environment(nameOrId?: string): MockEnvironment;
  /** An isolated environment with its own credentials (behaviour E5). */
  createEnvironment(options?: EnvironmentOptions): MockEnvironment;
  /** Calls the mock in process, without a port; as over HTTP. @param input a path, or an address of this mock */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Calls under way finish, for five seconds at most; then nothing is left open. */
  close(): Promise<void>;
}
