/** What the methods of an environment take and give: the shapes of the control plane, by the names that tests use. */
import type { components, operations } from '../control/generated.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { OperationId, Schemas } from '../openapi/types.ts';
import type { ScenarioForm } from '../scenario/sections/index.ts';

// Not from the control plane's own types: those name the whole house, and every user's compiler would read it.
export type ControlSchemas = components['schemas'];
type Wire<Name extends keyof ControlSchemas> = ControlSchemas[Name];
type ContractSchema<Name extends keyof Schemas> = Schemas[Name];
type QueryOf<Id extends 'listRequests' | 'listEmails'> = NonNullable<operations[Id]['parameters']['query']>;
type BodyOf<Id extends 'resetEnvironment' | 'setClock' | 'signIn'> = NonNullable<
  operations[Id]['requestBody']
>['content']['application/json'];

/** What a client application of one environment is set up with. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A bearer string that never expires (behaviour E4); "" if the scenario has none. */
  readonly accessToken: string;
}

/** What is known of an environment without asking. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  /** The address to give to a client. */
  readonly url: string;
  /** Those of the first client. */
  readonly credentials: Credentials;
}

/** What an environment's clock shows. */
export interface Clock extends Wire<'Clock'> {}
/** Settings as scenarios write them: lengths of time as `15m` or `PT15M`. */
export interface Settings extends Wire<'Settings'> {}
export interface Snapshot extends Wire<'Snapshot'> {}
/** A fault with how often it was asked and how often it took effect. */
export interface Fault extends Wire<'Fault'> {}
/** One call in the journal, credentials masked. */
export interface RecordedRequest extends Wire<'Request'> {}
/** The journal as HTTP Archive 1.2. */
export interface HttpArchive extends Wire<'HttpArchive'> {}
export interface Coverage extends Wire<'Coverage'> {}
export interface Email extends Wire<'Email'> {}
/** A change of state. */
export interface StateEvent extends Wire<'Event'> {}
/** A connected account, without its credentials. */
export interface Account extends ContractSchema<'ConnectedAccountDetails'> {}
export type AccountStatus = Schemas['ConnectedAccountStatus'];
/** A user's membership of an organization. */
export interface Membership extends ContractSchema<'Membership'> {}
/** A sign-in, as the log shows it. */
export interface AuthenticationRequest extends ContractSchema<'AuthenticationRequest'> {}

/** Which calls, and what happens to them: one or more of status, body, delay_ms, abort and so on. */
export interface FaultRule extends Omit<ControlSchemas['FaultRule'], 'operation' | 'error_code'> {
  /** Default: `*`, any. */
  readonly operation?: OperationId | '*';
  readonly error_code?: ErrorCode;
}

export interface ResetOptions extends Omit<BodyOf<'resetEnvironment'>, 'scenario'> {
  /** To go on with: a name of the fixtures folder, a file, or the scenario itself. Default: the one it started with. */
  readonly scenario?: string | ScenarioForm;
}
export interface ClockOptions extends BodyOf<'setClock'> {}
export interface SignIn extends BodyOf<'signIn'> {}

/** Which calls of the journal are meant: those that fit all that is given. */
export interface RequestFilter
  extends Omit<QueryOf<'listRequests'>, 'operation' | 'query' | 'body' | 'format' | 'limit' | 'wait'> {
  readonly operation?: OperationId;
  /** Parameters that the call sends with these values; others may be there too. */
  readonly query?: Readonly<Record<string, string>>;
  /** Members that are in the call's body too. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Which e-mails are meant: those that fit all that is given. */
export interface EmailFilter extends Omit<QueryOf<'listEmails'>, 'wait'> {}

/** How long to wait at most. */
export interface Timeout {
  /** In real time, such as `5s`; five minutes at most. Default: `5s`. */
  readonly timeout?: string;
}

export interface RequestWait extends RequestFilter, Timeout {}
export interface EmailWait extends EmailFilter, Timeout {}

/** Where a decision on an authorization link sends the user. */
export interface Decision {
  readonly redirect_url: string;
  /** What the application verifies the user with, after an approval that needs it. */
  readonly auth_request_id?: string;
}
