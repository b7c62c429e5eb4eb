/** The control plane's operations as types, derived from `control.yaml`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Scenario } from '../domain/scenario.ts';
import type { Environment } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import type { EventSink } from '../http/event-stream.ts';
import type { AnswerOf, InputOf } from '../openapi/types.ts';
import type { mergeState, replaceState } from '../scenario/change.ts';
import type { exportEnvironment, exportScenario } from '../scenario/export.ts';
import type { readLargeText, writeInPieces } from '../scenario/large-text.ts';
import type { components, operations } from './generated.ts';

export type ControlId = keyof operations;
export type ControlSchemas = components['schemas'];

/** What the control plane needs from the scenario room. */
export interface Scenarios {
  /**
   * Loads a scenario of the fixtures folder by name, or the content of a scenario file; default: the server's
   * scenario.
   * @throws ScenarioError with every problem
   */
  load(from: string | object | undefined, options: LoadRequest): Scenario;
  /** Scenarios that can be loaded by name, sorted by name. */
  list(): readonly ControlSchemas['Scenario'][];
  readonly exportEnvironment: typeof exportEnvironment;
  readonly exportScenario: typeof exportScenario;
  readonly mergeState: typeof mergeState;
  readonly replaceState: typeof replaceState;
  readonly writeInPieces: typeof writeInPieces;
  readonly readLargeText: typeof readLargeText;
}

export interface LoadRequest {
  /** Overrides the scenario's seed. `random`: a new seed for each call, never cached. */
  readonly seed?: number | 'random' | undefined;
  /** The object was read from a file, so it may be as large as a file. */
  readonly isFromFile?: boolean;
}

/** What every handler receives in addition to its input. */
export interface Context {
  readonly environments: Environments;
  readonly scenarios: Scenarios;
  readonly version: string;
  /** Real seconds since the server was made. */
  uptime(): number;
  /** The headers of this call. */
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
}

/** What a handler receives if its path names an environment. */
export interface EnvironmentContext extends Context {
  readonly environment: Environment;
}

/** An answer that is not JSON. */
export interface TextAnswer {
  readonly status: number;
  readonly contentType: 'text/plain';
  readonly text: string;
}

/** Redirects a browser to a page. */
export interface RedirectAnswer {
  readonly status: 303;
  readonly location: string;
}

/** An answer that continues until one side ends it. */
export interface StreamAnswer {
  readonly status: 200;
  /** Starts sending. @returns a function that stops it */
  stream(sink: EventSink): () => void;
}

/** A long answer, sent in pieces. */
export interface PiecesAnswer {
  readonly status: 200;
  /** Default: JSON. */
  readonly contentType?: 'application/yaml';
  readonly pieces: Iterable<string>;
}

export type AnyAnswer =
  | { readonly status: number; readonly body: unknown }
  | TextAnswer
  | RedirectAnswer
  | StreamAnswer
  | PiecesAnswer;

/** One call of the control plane. Refusals are thrown. */
type Handler<Id extends ControlId> = (
  input: InputOf<operations[Id]>,
  context: ContextOf<Id>,
) => ControlReply<Id> | Promise<ControlReply<Id>>;

/** A call gets the environment that its path names. Only `putEnvironment` may name a new environment. */
type ContextOf<Id extends ControlId> = Context &
  (Id extends 'putEnvironment'
    ? { readonly environment: Environment | undefined }
    : operations[Id] extends { parameters: { path: { env: string } } }
      ? EnvironmentContext
      : unknown);

type ControlReply<Id extends ControlId> =
  | AnswerOf<operations[Id]>
  | TextAnswer
  | RedirectAnswer
  | StreamAnswer
  | PiecesAnswer;

/** A handler for every operation. A missing handler is a build error. */
export type Handlers = { readonly [Id in ControlId]: Handler<Id> };
