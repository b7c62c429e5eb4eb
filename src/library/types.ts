/** Types of the contract and of scenarios, under the names that the library's methods use. */
import type { Schemas } from '../contract/types.ts';

export type { OperationId } from '../contract/types.ts';
export type { EnvironmentForm, ScenarioForm } from '../model/scenario/sections/index.ts';

/** An alias for a schema, because an interface cannot extend `Schemas['Membership']` directly. */
type ContractSchema<Name extends keyof Schemas> = Schemas[Name];

/** A connected account, without its credentials. */
export interface Account extends ContractSchema<'ConnectedAccountDetails'> {}
/** The status of a connected account. */
export type AccountStatus = Schemas['ConnectedAccountStatus'];
/** A user's membership of an organization. */
export interface Membership extends ContractSchema<'Membership'> {}
/** A sign-in that the service has logged. */
export interface AuthenticationRequest extends ContractSchema<'AuthenticationRequest'> {}
