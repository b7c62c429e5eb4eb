/** The control plane's operations as types, derived from `control.yaml`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerOf, InputOf } from '../../contract/types.ts';
import type { Scenario } from '../../model/domain/scenario.ts';
import type { Environment } from '../../model/environments/environment.ts';
import type { Environments } from '../../model/environments/environments.ts';
import type { EventSink } from '../http/event-stream.ts';
import type { components, operations } from './generated.ts';

export type ControlId = keyof operations;
export type ControlSchemas = components['schemas'];
export type QueryOf<Id extends ControlId> = InputOf<operations[Id]>['query'];

export interface LoadRequest {
  /** Overrides the seed of the scenario. `random` draws a new seed for each load, so the scenario is not cached. */
  readonly seed?: number | 'random' | undefined;
  /** Whether a scenario that is passed as an object comes from a file. If so, the limits for scenario files apply. */
  readonly isFromFile?: boolean;
}

export interface Controlled {
  readonly environments: Environments;
  /**
   * Loads a scenario. `from` is its name in the fixtures folder, or the content of a scenario file; by default, the
   * scenario of the server is loaded.
   * @throws ScenarioError that lists all problems
   */
  loadScenario(from: string | object | undefined, options: LoadRequest): Scenario;
  /** Scenarios that can be loaded by name, sorted by name. */
  listScenarios(): readonly ControlSchemas['Scenario'][];
  readonly version: string;
  /** Seconds since the server was created, in real time, whatever the clocks of environments show. */
  uptime(): number;
}

/** What every handler gets besides the input of its call. */
export interface Context extends Controlled {
  /** The headers of this call. */
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
}

/** The context of a handler for calls that have an environment in the path. */
export interface EnvironmentContext extends Context {
  readonly environment: Environment;
}

/** An answer that is not a JSON value. */
type OtherAnswer =
  | { readonly status: number; readonly contentType: 'text/plain'; readonly text: string }
  /** Redirects a browser to a page. */
  | { readonly status: 303; readonly location: string }
  /** A stream of events, which client or server ends. `stream` starts it, and returns a function that ends it. */
  | { readonly status: 200; readonly stream: (sink: EventSink) => () => void }
  /** A long answer, sent in pieces; JSON by default. */
  | { readonly status: 200; readonly contentType?: 'application/yaml'; readonly pieces: Iterable<string> };

export type AnyAnswer = { readonly status: number; readonly body: unknown } | OtherAnswer;

/** Handles a call of the control plane. @throws Refusal */
type Handler<Id extends ControlId> = (
  input: InputOf<operations[Id]>,
  context: ContextOf<Id>,
) => ControlReply<Id> | Promise<ControlReply<Id>>;

/**
 * The context of an operation's handler. It includes the environment if the operation's path contains `{env}`. The
 * environment can be undefined only for `putEnvironment`, which creates it if it does not exist.
 */
type ContextOf<Id extends ControlId> = Context &
  (Id extends 'putEnvironment'
    ? { readonly environment: Environment | undefined }
    : operations[Id] extends { parameters: { path: { env: string } } }
      ? EnvironmentContext
      : unknown);

export type ControlReply<Id extends ControlId> = AnswerOf<operations[Id]> | OtherAnswer;

/** A handler for every operation. */
export type Handlers = { readonly [Id in ControlId]: Handler<Id> };
