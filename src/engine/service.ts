/** The one door between the engine, which knows no noun, and a service, which says what one API does. */
import { useContract } from './contract/marks.ts';
import type { FieldViolation, OwnCodes, Refusal } from './core/errors.ts';
import type { AnyOperation, Effects, EngineEnv, PageStep, Visit } from './operation.ts';
import type { Notice } from './pages/layout.ts';
import type { AnyRow, Api, RowReference, RowView, Section } from './scenario/section.ts';
import type { EngineSettings, ServiceSettings } from './settings.ts';
import type { EngineState } from './state.ts';

export interface Service<
  OfState extends EngineState = EngineState,
  Values extends EngineSettings = EngineSettings,
> extends Api {
  /** As `/openapi.yaml` serves it. */
  contractText(): string;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** The operation that issues access tokens, if the API has one. */
  readonly tokenOperation?: string;
  /** The error codes that only this API has. */
  readonly errorCodes: OwnCodes;
  presentError(refused: Refused): object;
  emptyState(seed: number): OfState;
  /** The kinds of rows, each after those that it refers to. */
  readonly sections: readonly Section[];
  /** The kind of row to which each member of a row refers. */
  readonly references: Readonly<Record<string, RowReference>>;
  /** The validators of scenarios, by the name of the schema; made by `.ci/scenario.mjs`. Published types cannot name Ajv. */
  readonly scenarioChecks: Readonly<Record<string, unknown>>;
  readonly settings: ServiceSettings<Values>;
  /** What users and third parties do to rows outside the API, by the kind of row. */
  readonly actions: Readonly<Record<string, readonly AnyAction<OfState, EngineEnv<Values>>[]>>;
  /** How people see rows, by the kind of row and in their order. Empty: all kinds, as their sections tell them. */
  readonly views: Readonly<Record<string, RowView<AnyRow, OfState, EngineEnv<Values>>>>;
  readonly pages: {
    readonly tokenPages: readonly TokenPages<OfState, EngineEnv<Values>>[];
    /** Pages with one message, by path, such as `/connect/success`. */
    readonly notices: Readonly<Record<string, Notice>>;
  };
  /** Handlers of the calls of the control plane that only this service has, by operationId. */
  readonly controlHandlers: Readonly<Record<string, unknown>>;
}

/** What a user, a third party or an application does to a row outside the API. */
export interface AnyAction<OfState extends EngineState = EngineState, Env = EngineEnv> {
  readonly name: string;
  /** Absent: the name, made readable. */
  readonly label?: string;
  readonly hint?: string;
  /** Whether it is hard to undo. */
  readonly danger?: boolean;
  /** Whether its reply is the `link` of a page to open. */
  readonly opens?: boolean;
  /** When it is possible: the values that members of the row can have, as a scenario writes them. */
  readonly when?: Readonly<Record<string, readonly string[]>>;
  /** What it takes besides the row. */
  readonly input?: readonly string[];
  /** @param given the id of the row, as its table has it, and the input */
  step(
    state: OfState,
    given: { readonly id: string },
    env: Env,
  ): { readonly reply: object } & Effects<OfState>;
}

export interface Refused {
  readonly refusal: Refusal;
  readonly violations: readonly FieldViolation[] | undefined;
  readonly requestId: string;
  /** Its name. */
  readonly environment: string;
  readonly path: string;
}

/** Pages whose addresses end with a token. */
export interface TokenPages<OfState extends EngineState = EngineState, Env = EngineEnv> {
  /** The path before the token, such as `/invitations`. */
  readonly path: string;
  /** Whether the state has the token, given without the environment's key at its end. */
  isKnown(state: OfState, token: string): boolean;
  visit(visit: Visit): PageStep<OfState, Env>;
  /** The page for a token that nobody has. */
  readonly unknown: Notice;
}

/** Turns what a service says in its own types into what the engine knows: a state, settings, rows. */
export const defineService = <OfState extends EngineState, Values extends EngineSettings>(
  // the operations of a service have inputs of their own
  own: Omit<Service<OfState, Values>, 'operations'> & { readonly operations: object },
): Service => {
  useContract(own.contract.document);
  return own as unknown as Service; // the cast is safe: the engine gives a service only its own states, and checked inputs
};

/** All sections, also of rows inside other rows, such as the memberships of a user. */
export const allSections = ({ sections }: Pick<Service, 'sections'>): readonly Section[] =>
  sections.flatMap((section) => (section.part ? [section, section.part.section] : [section]));
