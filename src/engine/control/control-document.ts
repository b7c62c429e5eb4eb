/** The control plane's own OpenAPI document, and its operations as types. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { type Contract, readDocument, toContract } from '../contract/load.ts';
import { packageRoot } from '../contract/package-root.ts';
import type { AnswerOf, GeneratedOperation, InputOf } from '../contract/types.ts';
import type { Environments } from '../environments/all-environments.ts';
import type { Environment } from '../environments/environment.ts';
import type { EventSink } from '../http/event-stream.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { components, operations } from './generated.ts';

/** The address of the document. Refusals without a hint point to it. */
export const DOCUMENT = '/_mock/openapi.json';

const FILE = 'src/engine/control/control.yaml';

let loaded: Contract<keyof operations> | undefined;

/** Reads the document once per process. */
export const loadControlContract = (): Contract<keyof operations> => {
  loaded ??= toContract(readDocument(readFileSync(join(packageRoot(), FILE), 'utf8')));
  return loaded;
};

export type ControlSchemas = components['schemas'];
export type QueryOf<Id extends keyof operations> = InputOf<operations[Id]>['query'];

export interface LoadRequest {
  /** Overrides the seed of the scenario. `random` draws a new seed for each load, so the scenario is not cached. */
  readonly seed?: number | 'random' | undefined;
}

export interface Controlled {
  readonly environments: Environments;
  /**
   * @param from its name in the fixtures folder, or the content of a scenario file; default: the scenario of the server
   * @throws ScenarioError that lists all problems
   */
  loadScenario(from: string | object | undefined, options: LoadRequest): Scenario;
  /** Those that can be loaded by name, sorted by name. */
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
  /** Undefined only for `putEnvironment`, which makes it. */
  readonly environment: Environment;
}

/** An answer that is not a JSON value. */
type OtherAnswer =
  | { readonly status: number; readonly contentType: TextType; readonly text: string }
  | { readonly status: 303; readonly location: string }
  /** A stream of events, which client or server ends. `stream` starts it, and returns a function that ends it. */
  | { readonly status: 200; readonly stream: (sink: EventSink) => () => void };

type TextType = 'text/plain' | 'application/yaml' | 'application/json';

/** Without `status`, it is the first that the document lists. */
type JsonAnswer<Body> = { readonly status?: number; readonly body: Body };

export type AnyAnswer = JsonAnswer<unknown> | OtherAnswer;

type Handler<Operation extends GeneratedOperation> = (
  input: InputOf<Operation>,
  context: Operation extends { parameters: { path: { env: string } } } ? EnvironmentContext : Context,
) => Answered<AnswerOf<Operation>['body']>;

type Answered<Body, Answer = JsonAnswer<Body> | OtherAnswer> = Answer | Promise<Answer>;

export type HandlersOf<Operations extends Record<keyof Operations, GeneratedOperation>> = {
  readonly [Id in keyof Operations]: Handler<Operations[Id]>;
};
export type Handlers = HandlersOf<operations>;
