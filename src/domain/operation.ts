/** The one shape of everything that happens: from values to a value, with nothing changed on the way. */

import type { IdPrefix } from '../core/ids.ts';
import type { ValidityPeriod } from '../core/moment.ts';
import type { Answer, Input, OperationId } from '../openapi/types.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';

/** What an operation gets in addition to state and input. It stays the same during a call; only draws move on. */
export interface Env {
  /** The environment's clock at the start of the request, epoch milliseconds. */
  readonly now: number;
  /** When the environment began (behaviour E6), epoch milliseconds; relative moments count from it. */
  readonly start: number;
  /** How long what is read now stays true; narrowed by `hasEnded`. */
  readonly validity?: ValidityPeriod;
  readonly settings: Settings;
  /** Address of this server as clients see it, without a trailing slash. */
  readonly baseUrl: string;
  /** The Host header of a call over HTTP. */
  readonly host?: string | undefined;
  readonly environment: { readonly id: string; readonly name: string };
  /** Draws a resource id that no row has or had (behaviour I1). */
  id(prefix: IdPrefix): string;
  /** Draws an opaque base64url token of 43 characters, without the environment's key. */
  token(): string;
  /** A token as it leaves the server: with the environment's key at its end (behaviour E5). */
  withEnvironmentKey(token: string): string;
  /** The token that `withEnvironmentKey` was given; a token without the key of this environment comes back as it is. */
  withoutEnvironmentKey(token: string): string;
  /** A unique id for an access token, from the environment's control data (behaviour T8). */
  accessTokenId(): string;
}

/** What reads the status of a row, which depends on the time. */
export type Now = Pick<Env, 'now' | 'start'>;

/** Every kind of move that observers may see: what it happened to, and what happened. */
export type ChangeType =
  | `connected_account.${'created' | 'updated' | 'deleted'}`
  | `authorization_link.${'created' | 'approved' | 'denied'}`
  | 'verification_request.created'
  | `custom_provider.${'created' | 'updated' | 'deleted'}`
  | `membership.${'created' | 'updated' | 'deleted'}`
  | `invite.${'resent' | 'accepted'}`
  | 'user.deleted'
  | `state.${'changed' | 'replaced'}`
  | 'authentication_request.created';

/** A move of state that observers may want to see. */
export interface Change {
  readonly type: ChangeType;
  /** Identifies the resource by the contract's names, such as `{ id: 'ca_1' }`. Never a credential. */
  readonly resource: Readonly<Record<string, string>>;
  /** Status before and after, where the move changed it. */
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

/** What follows in addition to the reply. Without `state` nothing changed. */
export interface Effects {
  readonly state?: State;
  readonly changes?: readonly Change[];
  readonly emails?: readonly Email[];
}

/** An operation of the contract. Refusals are thrown as Refusal and leave everything as it was. */
export type Operation<Id extends OperationId> = (
  state: State,
  input: Input<Id>,
  env: Env,
) => Answer<Id> & Effects;

/** Something that happens outside the API, such as a user's consent; the same rules as for an operation. */
export type Simulation<Given, Reply> = (
  state: State,
  given: Given,
  env: Env,
) => { readonly reply: Reply } & Effects;
