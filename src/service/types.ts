/** The types of operations, simulations and sections, with the state, the tables and the settings of this service. */

import type { InputOf } from '../engine/contract/types.ts';
import type { operations as ControlOperations } from '../engine/control/generated.ts';
import type { Table } from '../engine/core/table.ts';
import type { Change, Effects, EngineEnv, PageStep } from '../engine/operation.ts';
import { contractOf } from '../engine/scenario/schema.ts';
import type { Section as EngineSection, OpenState, RowView } from '../engine/scenario/section.ts';
import type { AnyAction } from '../engine/service.ts';
import type { Answer, InputFor, OperationId, Schemas } from './contract.ts';
import type { SettingValues } from './settings.ts';
import type { State, Tables } from './state.ts';

/** What an operation needs besides the state and the client's input. */
export type Env = EngineEnv<SettingValues>;

/** An operation of the contract. To refuse a request, it throws a `Refusal`, and nothing changes. */
export type Operation<Id extends OperationId> = (
  state: State,
  input: InputFor<Id>,
  env: Env,
) => Answer<Id> & ServiceEffects;

/** The body of a call of the control plane. */
export type ControlBody<Id extends keyof ControlOperations> = InputOf<ControlOperations[Id]>['body'];

/** What a user, a third party or an application does to a row outside the API. */
export type RowAction = AnyAction<State, Env>;
/** An action without its step. */
export type Told = Omit<RowAction, 'step'>;

/** The answer of an operation, as an action gives it. */
export const asReply = ({
  body,
  status: _,
  ...effects
}: { readonly body: object; readonly status: number } & ServiceEffects) => ({ reply: body, ...effects });

/** Carries out a visit to a page: returns the answer and the effects. */
export type VisitStep = PageStep<State, Env>;

/** A kind of row and what happened to it, such as `user.deleted`. */
type ChangeType =
  | `connected_account.${'created' | 'updated' | 'deleted'}`
  | `authorization_link.${'created' | 'approved' | 'denied'}`
  | 'verification_request.created'
  | `custom_provider.${'created' | 'updated' | 'deleted'}`
  | `membership.${'created' | 'updated' | 'deleted'}`
  | `invite.${'resent' | 'accepted'}`
  | 'user.deleted'
  | 'authentication_request.created';

/** A change of state by this service: the type checker holds the list of kinds. */
export type ServiceChange = Change & { readonly type: ChangeType };
/** What operations and simulations do besides replying. */
export type ServiceEffects = Effects<State>;

export type OpenNouns = OpenState<State, SettingValues>;

type RowOf<Name extends keyof Tables> = Tables[Name] extends Table<infer Row, never> ? Row : never;

export type NounSection<Name extends keyof Tables, OfForm> = EngineSection<
  RowOf<Name>,
  OfForm,
  State,
  SettingValues
> & {
  readonly name: Name;
};

export type NounView<Row> = RowView<Row, State, EngineEnv<SettingValues>>;

/** Refers to a schema of the contract, or to the schema of one of its members. */
export const contract = contractOf<Schemas>();
