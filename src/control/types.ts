/** The control plane's operations as types, derived from `control.yaml` as the API's are from the contract. */
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

/** What the control plane needs of the scenario room. */
export interface Scenarios {
  /**
   * A scenario of the fixtures folder by its name, or the content of a scenario file; default: the server's scenario.
   * @throws ScenarioError with every problem there is
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
  /** Instead of the one it would have; `random` draws another one for each call, and is not kept. */
  readonly seed?: number | 'random' | undefined;
  /** An object may be as large as a file: it was read from one. */
  readonly isFromFile?: boolean;
}

/** What a handler is given besides its input. */
export interface Context {
  readonly environments: Environments;
  readonly scenarios: Scenarios;
  readonly version: string;
  /** Real seconds since the server was made. */
  uptime(): number;
  /** Of this call. */
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the client goes away or the server closes. */
  readonly signal: AbortSignal;
}

/** What a handler is given whose path names an environment. */
export interface EnvironmentContext extends Context {
  readonly environment: Environment;
}

/** An answer in another form than JSON. */
export interface TextAnswer {
  readonly status: number;
  readonly contentType: 'text/plain';
  readonly text: string;
}

/** Leads a browser to a page. */
export interface RedirectAnswer {
  readonly status: 303;
  readonly location: string;
}

/** An answer that goes on until one side ends it. */
export interface StreamAnswer {
  readonly status: 200;
  /** Begins to send; what it returns ends it. */
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

/** A call gets the environment that its path names. Only `putEnvironment` may name a new one. */
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

/** A handler for every operation; a missing one is a build error. */
export type Handlers = { readonly [Id in ControlId]: Handler<Id> };
