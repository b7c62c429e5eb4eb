/** What a mock is to a test that runs in the same process. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Schemas } from '../openapi/types.ts';
import type { EnvironmentForm } from '../scenario/forms.ts';
import type { EnvironmentOptions } from './options.ts';
import type {
  Clock,
  ClockOptions,
  Coverage,
  Decision,
  Email,
  EmailFilter,
  EmailWait,
  Fault,
  FaultRule,
  HttpArchive,
  RecordedRequest,
  RequestFilter,
  RequestWait,
  ResetOptions,
  Settings,
  SignIn,
  Snapshot,
  StateEvent,
} from './types.ts';

/** What a client application of one environment is set up with. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A bearer string that never expires (behaviour E4); "" if the scenario has none. */
  readonly accessToken: string;
}

/** One isolated environment (behaviour E1). What is refused is a `MockError` that says what to do. */
export interface MockEnvironment {
  readonly id: string;
  readonly name: string;
  /** Those of the first client. */
  readonly credentials: Credentials;

  /** Back to the start: data, clock, settings, faults, rate counts, outbox and events. Ids repeat. */
  reset(options?: ResetOptions): void;
  /** Drops the environment with all it holds. */
  delete(): void;

  /** What stands under `environments.NAME` in a scenario that gives this state. */
  state(): EnvironmentForm;
  /** Replaces all rows and settings. */
  setState(state: EnvironmentForm): void;
  /** Adds or changes rows by id or natural key, all or nothing. */
  patchState(state: EnvironmentForm): void;

  /** Keeps state, clock and settings; costs the same at any size. @param name default: `snapshot-1` and so on */
  snapshot(name?: string): Snapshot;
  /** Goes back to a snapshot, as often as you like. */
  restore(snapshot: Snapshot | string): void;
  snapshots(): readonly Snapshot[];
  deleteSnapshot(snapshot: Snapshot | string): void;

  clock(): Clock;
  /** Freezes the clock, lets it run, or sets it to any time, in both directions. */
  setClock(clock: ClockOptions): Clock;
  /** Moves the clock forward; all that ends by then has ended at once. @param by `15d`, `2h30m` or `PT15M` */
  advance(by: string): Clock;

  settings(): Settings;
  /** Changes those that are given. */
  patchSettings(settings: Settings): Settings;

  /** What clients sent and got, oldest first, credentials masked; the last 1,000 calls. */
  requests(filter?: RequestFilter): readonly RecordedRequest[];
  /** The first call that matches, as soon as there is one. */
  waitForRequest(wait?: RequestWait): Promise<RecordedRequest>;
  /** The same as HTTP Archive 1.2. */
  har(filter?: RequestFilter): HttpArchive;
  clearRequests(): void;
  /** Which operations, statuses, parameters and members of the contract the calls so far have exercised. */
  coverage(): Coverage;
  clearCoverage(): void;

  /** E-mails the service would have sent, in order. */
  outbox(filter?: EmailFilter): readonly Email[];
  /** The first e-mail that matches, as soon as there is one. */
  waitForEmail(wait?: EmailWait): Promise<Email>;
  clearOutbox(): void;
  /** State changes since the start, oldest first; the last 10,000. */
  events(): readonly StateEvent[];

  /** Failures on demand. */
  readonly faults: {
    add(rule: FaultRule): Fault;
    list(): readonly Fault[];
    remove(id: string): void;
    clear(): void;
  };

  /** What a third party does to an account by itself (behaviour A8). */
  readonly accounts: {
    /** Its token ends now, and is not refreshed until `grant`, new credentials or consent. */
    expire(id: string): Schemas['ConnectedAccountDetails'];
    disconnect(id: string): Schemas['ConnectedAccountDetails'];
    /** The provider refreshes it no more. */
    revoke(id: string): Schemas['ConnectedAccountDetails'];
    /** The provider refreshes it again. */
    grant(id: string): Schemas['ConnectedAccountDetails'];
  };

  /** The hosted page without a browser. @param link its address, or the token at the end of that */
  readonly links: {
    approve(link: string | URL): Decision;
    deny(link: string | URL): Decision;
  };

  readonly memberships: {
    /** As on the invitation page. */
    accept(organizationId: string, userId: string): Schemas['Membership'];
    /** A pending invitation ends now. */
    expire(organizationId: string, userId: string): Schemas['Membership'];
    deactivate(organizationId: string, userId: string): Schemas['Membership'];
    activate(organizationId: string, userId: string): Schemas['Membership'];
  };

  /** Logs a sign-in as a real one would be. */
  signIn(attempt: SignIn): Schemas['AuthenticationRequest'];
}

/** A request listener of node, which any Express app can mount as well. */
export type MockApp = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Of a mock in the same process. */
export interface Mock extends AsyncDisposable {
  /** Where it listens; `http://mock.local`, or the `baseUrl`, if it does not. */
  readonly url: string;
  readonly scenario: { readonly name: string; readonly description: string };
  /** In the order they were made. */
  environments(): readonly MockEnvironment[];
  /** @param nameOrId default: the first. @throws MockError naming those there are, if there is none such */
  environment(nameOrId?: string): MockEnvironment;
  /** An isolated environment with its own credentials (behaviour E5). */
  createEnvironment(options?: EnvironmentOptions): MockEnvironment;
  /** What all environments have exercised of the contract, deleted ones included. */
  coverage(): Coverage;
  clearCoverage(): void;
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

/** The same methods, as promises. */
export type Remote<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : Methods[Name] extends string | Credentials
      ? Methods[Name]
      : Remote<Methods[Name]>;
};

/** An environment of a mock that runs elsewhere. */
export type RemoteEnvironment = Remote<MockEnvironment>;

/** A mock that runs elsewhere. */
export interface RemoteMock {
  readonly url: string;
  environments(): Promise<readonly RemoteEnvironment[]>;
  /** @param nameOrId default: the first */
  environment(nameOrId?: string): Promise<RemoteEnvironment>;
  createEnvironment(options?: EnvironmentOptions): Promise<RemoteEnvironment>;
  coverage(): Promise<Coverage>;
  clearCoverage(): Promise<void>;
  /** The global `fetch`, with paths relative to the mock. */
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
}
