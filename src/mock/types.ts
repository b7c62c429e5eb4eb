/** What the methods of an environment take and give: the shapes of the control plane, by the names that tests use. */

import type { components } from '../control/generated.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { OperationId } from '../openapi/types.ts';

/** Not from the control plane's own types: those name the whole house, and every user's compiler would read it. */
type ControlSchemas = components['schemas'];

/** What an environment's clock shows. */
export type Clock = ControlSchemas['Clock'];
/** Settings as scenarios write them: lengths of time as `15m` or `PT15M`. */
export type Settings = ControlSchemas['Settings'];
export type Snapshot = ControlSchemas['Snapshot'];
/** A fault with how often it was asked and took effect. */
export type Fault = ControlSchemas['Fault'];
/** One call in the journal, credentials masked. */
export type RecordedRequest = ControlSchemas['Request'];
/** The journal as HTTP Archive 1.2. */
export type HttpArchive = ControlSchemas['HttpArchive'];
export type Coverage = ControlSchemas['Coverage'];
export type Email = ControlSchemas['Email'];
/** A change of state. */
export type StateEvent = ControlSchemas['Event'];

/** Which calls, and what happens to them: a preset, or one or more of status, body, delay_ms, abort and so on. */
export interface FaultRule extends Omit<ControlSchemas['FaultRule'], 'operation' | 'error_code'> {
  /** Default: `*`, any. */
  readonly operation?: OperationId | '*';
  readonly error_code?: ErrorCode;
}

export interface ResetOptions {
  /** A scenario of the fixtures folder to switch to. Default: the one the environment started from. */
  readonly scenario?: string;
  /** Clear journal and coverage too. */
  readonly journal?: boolean;
}

export interface ClockOptions {
  readonly mode: 'running' | 'frozen';
  /** ISO 8601. Default: what the clock shows. */
  readonly now?: string;
}

export interface RequestFilter {
  readonly operation?: OperationId;
  /** 0 for a connection that was broken off. */
  readonly status?: number;
  /** Without the query; `*` stands for any part. */
  readonly path?: string;
  /** Parameters that the call sends with these values; others may be there too. */
  readonly query?: Readonly<Record<string, string>>;
  /** As the call sends it, in its query or at the top of its body. */
  readonly identifier?: string;
  /** Members that are in the call's body too. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** ISO 8601, by the environment's clock; included. */
  readonly since?: string;
}

export interface RequestWait extends RequestFilter {
  /** In real time, such as `5s`; five minutes at most. Default: `5s`. */
  readonly timeout?: string;
}

export interface EmailFilter {
  /** In any case. */
  readonly to?: string;
  readonly kind?: Email['kind'];
  /** ISO 8601, by the environment's clock; included. */
  readonly since?: string;
}

export interface EmailWait extends EmailFilter {
  /** In real time, such as `5s`; five minutes at most. Default: `5s`. */
  readonly timeout?: string;
}

export interface SignIn {
  readonly email: string;
  readonly connection_id?: string;
  readonly client_id?: string;
  readonly outcome: 'success' | 'failed' | 'pending' | 'initiated';
}

/** Where a decision on an authorization link sends the user. */
export interface Decision {
  readonly redirect_url: string;
  /** What the application verifies the user with, after an approval that needs it. */
  readonly auth_request_id?: string;
}
