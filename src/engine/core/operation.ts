/** The types of operations and simulations. Both are functions that do not change their arguments. */

import type { Answer, InputFor, OperationId } from '../../service/contract.ts';
import type { SettingValues } from '../../service/settings.ts';
import type { State } from '../../service/state.ts';
import type { IdPrefix } from './ids.ts';
import type { Instant } from './moment.ts';

/** What an operation needs besides the state and the client's input. */
export interface Env extends Instant {
  readonly settings: SettingValues;
  /** This server's address as clients see it, without a trailing slash. */
  readonly baseUrl: string;
  /** The Host header of a call over HTTP. */
  readonly host?: string | undefined;
  readonly environment: { readonly id: string; readonly name: string };
  /** Generates a resource id that no row has ever had (behaviour I1). */
  id(prefix: IdPrefix): string;
  /** Generates an opaque base64url token of 43 characters, without the environment's key. */
  token(): string;
  /** Appends the environment's key to a token. Clients see every token with this key (behaviour E5). */
  withEnvironmentKey(token: string): string;
  /** Removes this environment's key from a token. A token without the key is returned unchanged. */
  withoutEnvironmentKey(token: string): string;
  /** Notes a sentence for the journal and the log: a part of the request had no effect. */
  warn(sentence: string): void;
  /** Generates a unique id for an access token (behaviour T8). */
  accessTokenId(): string;
}

/** A kind of row and what happened to it, such as `user.deleted`. */
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

/** A change of state, as observers of an environment see it. */
export interface Change {
  readonly type: ChangeType;
  /** Identifies the row that changed, such as `{ id: 'ca_1' }`. Never contains a credential. */
  readonly resource: Readonly<Record<string, string>>;
  /** The status before the change; `to` is the status after it. Both are absent if the status stayed the same. */
  readonly from?: string;
  readonly to?: string;
}

/** An e-mail that the real service would send. Here it goes to the environment's outbox. */
export interface EmailMessage {
  readonly to: string;
  readonly subject: string;
  readonly kind: 'invitation' | 'reminder';
  readonly link: string;
}

/** What an operation does besides replying. Without `state`, the state stays the same. */
export interface Effects {
  readonly state?: State;
  readonly changes?: readonly Change[];
  readonly emails?: readonly EmailMessage[];
}

/** An operation of the contract. To refuse a request, it throws a `Refusal`, and nothing changes. */
export type Operation<Id extends OperationId> = (
  state: State,
  input: InputFor<Id>,
  env: Env,
) => Answer<Id> & Effects;

/** Something that happens outside the API, such as a user's consent. It works like an operation. */
export type Simulation<Given, Reply> = (
  state: State,
  given: Given,
  env: Env,
) => { readonly reply: Reply } & Effects;
