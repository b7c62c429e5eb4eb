/** The shape of every operation and simulation: a function of values that returns values and changes nothing itself. */

import type { IdPrefix } from '../core/ids.ts';
import type { ValidityPeriod } from '../core/moment.ts';
import type { Answer, Input, OperationId } from '../openapi/types.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';

/**
 * What an operation gets besides the state and the client's input. It stays the same during a call, except that each
 * drawn id and token is new.
 */
export interface Env {
  /** The environment's clock at the start of the request, epoch milliseconds. */
  readonly now: number;
  /** When the environment began (behaviour E6), epoch milliseconds; relative moments count from it. */
  readonly start: number;
  /** The period in which the values read so far stay true; `hasEnded` narrows the period. */
  readonly validity?: ValidityPeriod;
  readonly settings: Settings;
  /** This server's address as clients see it, without a trailing slash. */
  readonly baseUrl: string;
  /** The Host header of a call over HTTP. */
  readonly host?: string | undefined;
  readonly environment: { readonly id: string; readonly name: string };
  /** Draws a resource id that was never used before (behaviour I1). */
  id(prefix: IdPrefix): string;
  /** Draws an opaque base64url token of 43 characters, without the environment's key. */
  token(): string;
  /** Appends the environment's key, which every token has outside the server (behaviour E5). */
  withEnvironmentKey(token: string): string;
  /** Removes this environment's key from a token; returns a token without the key unchanged. */
  withoutEnvironmentKey(token: string): string;
  /** Draws a unique id for an access token, from the environment's control data (behaviour T8). */
  accessTokenId(): string;
}

/** The members of `Env` on which the status of a row depends. */
export type Now = Pick<Env, 'now' | 'start'>;

/** Every kind of change that observers may see: the kind of row, and what happened to it. */
type ChangeType =
  | `connected_account.${'created' | 'updated' | 'deleted'}`
  | `authorization_link.${'created' | 'approved' | 'denied'}`
  | 'verification_request.created'
  | `custom_provider.${'created' | 'updated' | 'deleted'}`
  | `membership.${'created' | 'updated' | 'deleted'}`
  | `invite.${'resent' | 'accepted'}`
  | 'user.deleted'
  | `state.${'changed' | 'replaced'}`
  | 'authentication_request.created';

/** A change of state for observers. */
export interface Change {
  readonly type: ChangeType;
  /** Identifies the row by members of the contract, such as `{ id: 'ca_1' }`. Never holds a credential. */
  readonly resource: Readonly<Record<string, string>>;
  /** The status before and after the change, if it changed. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An e-mail the service would have sent; kept in the environment's outbox. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly kind: 'invitation' | 'reminder';
  readonly link: string;
}

/** The effects of an operation besides its reply. Without `state`, nothing changed. */
export interface Effects {
  readonly state?: State;
  readonly changes?: readonly Change[];
  readonly emails?: readonly Email[];
}

/** An operation of the contract. It refuses by throwing a `Refusal`, and then nothing changes. */
export type Operation<Id extends OperationId> = (
  state: State,
  input: Input<Id>,
  env: Env,
) => Answer<Id> & Effects;

/** Something that happens outside the API, such as a user's consent; it follows the same rules as an operation. */
export type Simulation<Given, Reply> = (
  state: State,
  given: Given,
  env: Env,
) => { readonly reply: Reply } & Effects;
