/** The control plane's operations as types, derived from `control.yaml`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerOf, InputOf } from '../contract/types.ts';
import type { Environments } from '../environments/all-environments.ts';
import type { Environment } from '../environments/environment.ts';
import type { EventSink } from '../http/event-stream.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { components, operations } from './generated.ts';

export type ControlId = keyof operations;
export type ControlSchemas = components['schemas'];
export type QueryOf<Id extends ControlId> = InputOf<operations[Id]>['query'];

export interface LoadRequest {
  /** Overrides the seed of the scenario. `random` draws a new seed for each load, so the scenario is not cached. */
  readonly seed?: number | 'random' | undefined;
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
  listScenarios(): readonly { readonly name: string; readonly description: string }[];
  readonly version: string;
  /** Seconds since the server was created, in real time, whatever the clocks of environments show. */
  uptime(): number;
}

/** What every handler gets besides the input of its call. */
export interface Context extends Controlled {
  readonly headers: IncomingHttpHeaders;
  /** For a call that waits: a signal that aborts when the client disconnects. */
  signal(): AbortSignal;
}

/** The context of a handler for calls that have an environment in the path. */
export interface EnvironmentContext extends Context {
  readonly environment: Environment;
}

/** An answer that is not a JSON value. */
type OtherAnswer =
  | { readonly status: number; readonly contentType: TextType; readonly text: string }
  | { readonly status: 303; readonly location: string }
  /** A stream of events, which client or server ends. `stream` starts it, and returns a function that ends it. */
  | { readonly status: 200; readonly stream: (sink: EventSink) => () => void };

type TextType = 'text/plain' | 'application/yaml' | 'application/json';

/** Without `status`, it is 200. */
export type AnyAnswer = { readonly status?: number; readonly body: unknown } | OtherAnswer;

/** Handles a call of the control plane. @throws Refusal */
type Handler<Operation extends AnyOperation, IsMade> = (
  input: InputOf<Operation>,
  context: ContextOf<Operation, IsMade>,
) => Reply<Operation> | Promise<Reply<Operation>>;

/** The type that is generated for an operation of any of the documents. */
interface AnyOperation {
  readonly parameters: object;
  readonly responses: object;
}

/**
 * The context of an operation's handler. It includes the environment if the operation's path contains `{env}`. The
 * environment can be undefined only for an operation that makes it if it does not exist.
 */
type ContextOf<Operation, IsMade> = Context &
  (Operation extends { parameters: { path: { env: string } } }
    ? IsMade extends true
      ? { readonly environment: Environment | undefined }
      : EnvironmentContext
    : unknown);

type Reply<Operation extends AnyOperation> = Brief<AnswerOf<Operation>> | OtherAnswer;
type Brief<Answer> = Answer extends { readonly status: 200; readonly body: infer Body }
  ? { readonly body: Body; readonly status?: 200 }
  : Answer;
export type HandlerReply<Id extends ControlId> = Reply<operations[Id]>;

export type HandlersOf<Operations extends Record<keyof Operations, AnyOperation>> = {
  readonly [Id in keyof Operations]: Handler<Operations[Id], Id extends 'putEnvironment' ? true : false>;
};
export type Handlers = HandlersOf<operations>;
