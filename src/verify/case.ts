/** What a case of the suite is: data that says what to send, what must come back, and who says so. */

import type { ErrorCode } from '../core/errors.ts';
import type { Basis } from '../openapi/reply-check.ts';
import type { OperationId } from '../openapi/types.ts';
import type { Call, Reply } from './call.ts';
import type { Pattern } from './pattern.ts';
import type { PromiseId } from './promises.ts';
import type { Context, Session } from './session.ts';

/** What a case cannot do without; each is unlocked by a flag. */
export type Need =
  /** It changes data, and cleans up after itself. */
  | 'write'
  /** An organization, a user that is no member of it, and that user's external id. */
  | 'organization'
  | 'user'
  | 'externalId'
  /** Somebody who follows an authorization link. */
  | 'person'
  /** The control plane of a mock: clock, settings, faults. */
  | 'control';

/** A rule of behaviour.md, such as `A4`. */
export type Rule = `${'T' | 'R' | 'E' | 'I' | 'A' | 'V' | 'C' | 'P' | 'M' | 'L' | 'X'}${number}`;

/** Who says so: a promise of the API's description, or a rule. */
export type Cite = Rule | PromiseId;

/** What the functions of a step are given. */
export interface Scope<Given> extends Context {
  /** What `arrange` gave. */
  readonly given: Given;
  /** The reply to the step before; that of the first step has no body. */
  readonly last: Reply;
}

export interface Step<Given> {
  /** Left out: that of the case. */
  readonly operationId?: OperationId;
  readonly send: (scope: Scope<Given>) => Call;
  readonly status: number;
  /** The reason in an error body; inferred in every case, since the description names one alone. */
  readonly error?: ErrorCode;
  /** A field that the violations of a 400 must name; inferred as well. */
  readonly violates?: string;
  readonly body?: Pattern | ((scope: Scope<Given>) => Pattern);
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, Pattern>>;
}

export interface CaseOf<Given> extends Step<Given> {
  /** A sentence. */
  readonly name: string;
  readonly operationId: OperationId;
  readonly basis: Basis;
  /** Each is broken if the case fails. */
  readonly cites: readonly Cite[];
  readonly needs?: readonly Need[];
  /** Makes what the case starts from; whatever it creates is removed at the end. */
  readonly arrange?: (session: Session) => Promise<Given>;
  /** What happens next, before the first call: time passes, somebody else does something. */
  readonly meanwhile?: readonly ((session: Session, given: Given) => Promise<unknown>)[];
  /** What is sent afterwards. */
  readonly afterwards?: readonly Step<Given>[];
}

export type Case = CaseOf<unknown>;

/** One case, with the type of what it starts from kept between its own members. */
export const define = <Given>(written: CaseOf<Given>): Case =>
  // Its steps are only ever given what its own `arrange` gave.
  written as unknown as Case;
