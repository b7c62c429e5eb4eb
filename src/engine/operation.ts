/** The types of operations, which are functions that do not change their arguments. */
import type { Instant } from './core/moment.ts';
import type { CheckedInput } from './http/violations.ts';
import type { EngineSettings } from './settings.ts';
import type { EngineState } from './state.ts';

/** What an operation needs besides the state and the client's input. */
export interface EngineEnv<Settings extends EngineSettings = EngineSettings> extends Instant {
  readonly settings: Settings;
  /** The server's address as clients see it, without a trailing slash. */
  readonly baseUrl: string;
  /** The Host header of a call over HTTP. */
  readonly host?: string | undefined;
  readonly environment: { readonly id: string; readonly name: string };
  /** Generates a resource id that no row has ever had (behaviour I1). */
  id(prefix: string): string;
  /** Generates an opaque base64url token of 43 characters, without the environment's key. */
  token(): string;
  /** Clients see every token with the environment's key at its end (behaviour E5). */
  withEnvironmentKey(token: string): string;
  /** The inverse; a token without the key stays as it is. */
  withoutEnvironmentKey(token: string): string;
  /** Notes a sentence for the journal and the log: a part of the request had no effect. */
  warn(sentence: string): void;
  /** Generates a unique id for an access token (behaviour T8). */
  accessTokenId(): string;
}

export interface Change {
  /** A kind of row and what happened to it, such as `user.deleted`. */
  readonly type: string;
  /** The row that changed, such as `{ id: 'ca_1' }`. Never contains a credential. */
  readonly resource: Readonly<Record<string, string>>;
  /** The status before the change, and after it; absent if it stayed the same. */
  readonly from?: string;
  readonly to?: string;
}

/** An e-mail that the real service would send. Here it goes to the environment's outbox. */
export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly kind: string;
  readonly link: string;
}

/** What an operation does besides replying. Without `state`, the state stays the same. */
export interface Effects<OfState extends EngineState = EngineState> {
  readonly state?: OfState;
  readonly changes?: readonly Change[];
  readonly emails?: readonly EmailMessage[];
}

export type OperationResult = { readonly status: number; readonly body: unknown } & Effects;

/** An operation of any service. To refuse a request, it throws a `Refusal`, and nothing changes. */
export type AnyOperation = (state: EngineState, input: CheckedInput, env: EngineEnv) => OperationResult;

/** A visit to a page. */
export interface Visit {
  readonly method: string;
  readonly token: string;
  readonly query: URLSearchParams;
  /** Form fields by name; empty unless the method is POST. If a field is sent more than once, the last value counts. */
  readonly form: ReadonlyMap<string, string>;
  /** The scopes that the user grants, from the form or the query; undefined if the visit does not name any. */
  readonly scopes: readonly string[] | undefined;
  /** Whether the visit can carry out a decision. False if a browser only embeds or prefetches the address. */
  readonly mayDecide: boolean;
}

export type PageStep<OfState extends EngineState = EngineState, Env = EngineEnv> = (
  state: OfState,
  env: Env,
) => { readonly answer: VisitAnswer } & Effects<OfState>;

/** A page, or the address to which the user is sent. */
export type VisitAnswer = PageAnswer | { readonly location: string };

export interface PageAnswer {
  readonly status: number;
  readonly page: string;
  /** The addresses to which the form on the page can lead, as CSP sources. */
  readonly formAction?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
