/** The types that the methods of the library take and return, from both contracts and from scenarios. */
import type { operations as OwnOperations } from '../console/calls/generated.ts';
import type { AnswerOf, InputOf } from '../engine/contract/types.ts';
import type { components, operations } from '../engine/control/generated.ts';
import type { OperationId, Schemas } from '../service/contract.ts';
import type { EnvironmentForm, ScenarioForm } from '../service/sections.ts';

export type { EnvironmentForm, OperationId, ScenarioForm };

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

type Control = components['schemas'];
/** The calls that the library makes: the calls of the control plane, and two of the console. */
export type Operations = operations & Pick<OwnOperations, 'getRow' | 'exportScenario' | 'getRun'>;

type Body<Id extends keyof operations> = InputOf<operations[Id]>['body'];

/** The parameters in the path of a call of the control plane. */
export type ControlPath<Id extends keyof Operations> = InputOf<Operations[Id]>['path'];
/** The query of a call of the control plane. */
export type ControlQuery<Id extends keyof Operations> = InputOf<Operations[Id]>['query'];
/** The JSON of a successful reply of the control plane. */
export type ControlReply<Id extends keyof Operations> = Exclude<
  Extract<AnswerOf<Operations[Id]>, { readonly status: 200 | 201 }>['body'],
  string // text, which the library never asks for
>;

/** The ids of the rows that a change wrote, by list; lists and ids are in the order of the change. */
export type Written = ControlReply<'mergeState'>['written'];

/** Replaces members of a type, and keeps the others with their texts. */
type Replace<Type, Members> = Omit<Type, keyof Members> & Members;

interface WithScenario {
  /** A scenario of the fixtures folder by its name, the path of a scenario file, or the content of one. */
  readonly scenario?: string | ScenarioForm;
}

/** What to create an environment from. */
export type EnvironmentOptions = Replace<Control['NewEnvironment'], WithScenario>;
/** What to reset an environment to. */
export type ResetOptions = Replace<Body<'resetEnvironment'>, WithScenario>;
/** The saved state, clock and settings of an environment. */
export type Snapshot = Control['Snapshot'];
/** What the clock of an environment shows. */
export type Clock = Control['Clock'];
/** What to set a clock to. */
export type ClockOptions = Body<'setClock'>;
/** The settings of an environment. Lengths of time are written as `15m` or `PT15M`. */
export type Settings = Control['Settings'];

/**
 * The calls that a fault applies to, and what happens to them. With `status`, `error_code`, `body` or `abort`, the
 * operation does not run; with only `delay_ms`, or `abort` set to `after`, it does.
 */
export type FaultRule = Replace<
  Control['FaultRule'],
  {
    /** An operationId of the contract. Default: `*`, any operation. */
    readonly operation?: OperationId | '*';
  }
>;
/** A fault, with how many calls it matched and how often it took effect. */
export type Fault = Control['Fault'];

type Unit = 'w' | 'd' | 'h' | 'm' | 's';
/** A length of time, such as `15d`, `2h30m`, `500ms` or, in ISO 8601, `PT15M`. */
export type Duration = `${number}${Unit | 'ms'}` | `${number}${Unit}${number}${string}` | `P${string}`;

interface Since {
  /** The earliest time, by the environment's clock. */
  readonly since?: string | Date;
}

/** A filter: only calls that meet all of its conditions are returned. */
export interface RequestFilter
  extends Omit<ControlQuery<'listRequests'>, 'operation' | 'query' | 'body' | 'since' | 'limit' | 'format'>,
    Since {
  /** An operationId of the contract. */
  readonly operation?: OperationId;
  /** Parameters that the recorded call must have. */
  readonly query?: Readonly<Record<string, string>>;
  /** Members that the body of the recorded call must have. */
  readonly body?: Readonly<Record<string, unknown>>;
}
/** A recorded call, with credentials masked. */
export type RecordedRequest = Control['Request'];
export type Journal = Control['Journal'];
/** The recorded calls as an HTTP Archive 1.2. */
export type HttpArchive = Control['HttpArchive'];

/** A filter: only e-mails that meet all of its conditions are returned. */
export interface EmailFilter extends Omit<ControlQuery<'listEmails'>, 'since'>, Since {}
/** An e-mail that the service would have sent. */
export type Email = Control['Email'];
/** A change of state. */
export type StateEvent = Control['Event'];
/** Which parts of the contract were exercised. */
export type Coverage = Control['Coverage'];
/** What calls relied on, as a Pact of the specification 3. */
export type Pact = Control['Pact'];
/** Where a decision on an authorization link sends the user. */
export type Decision = ControlReply<'decideLink'>;
/** What a user grants on an authorization link. */
export type Approval = Pick<Body<'decideLink'>, 'scopes'>;
/** The error with which an authorization link is denied. */
export type Denial = Omit<Body<'decideLink'>, 'scopes'>;
/** A sign-in to log. */
export type SignIn = Body<'signIn'>;
