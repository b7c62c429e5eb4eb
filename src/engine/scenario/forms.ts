/** What a scenario of any service can hold, as people write it. These types are published, so they name no package. */

import type { ClockSetting } from '../core/clock.ts';
import type { WrittenFault } from '../environments/faults.ts';
import type { StubForm } from '../stubs/stub-section.ts';
import type { ClientForm } from './clients.ts';

/** A clock as scenario files and control calls write it. A string is the time at which the clock is frozen. */
export type ClockForm =
  | string
  | {
      /** Whether time passes. Default: `running`. */
      readonly mode?: ClockSetting['mode'];
      /** The time that the clock starts at. Default: real time. */
      readonly now?: string;
    };

/** The content of `environments.NAME` in a scenario of any service: besides this, lists of rows. */
export interface AnyEnvironmentForm {
  /** The clock of this environment, if it differs from the scenario's clock. Only scenario files have this member. */
  readonly clock?: ClockForm;
  /** Default: the mock generates the id from the seed. */
  readonly id?: string;
  /** Access tokens that never expire. */
  readonly access_tokens?: readonly string[];
  /** The settings that differ from their defaults. */
  readonly settings?: object;
  /** API clients. */
  readonly clients?: readonly ClientForm[];
  /** Replies to calls that lie beside the contract. */
  readonly stubs?: readonly StubForm[];
  /** The faults that are there at the start, as `POST .../faults` takes them. */
  readonly faults?: readonly WrittenFault[];
}

/** The content of a scenario file of any service. */
export interface AnyScenarioForm<OfEnvironment extends AnyEnvironmentForm = AnyEnvironmentForm> {
  /** Shown by `ca-mock list`. */
  readonly description?: string;
  /** The scenarios that this scenario extends. Later scenarios override earlier ones. */
  readonly extends?:
    | string
    | AnyScenarioForm<OfEnvironment>
    | readonly (string | AnyScenarioForm<OfEnvironment>)[];
  /** The seed from which the mock generates ids. */
  readonly seed?: number;
  /** The clock of every environment that has none of its own. A string is the time at which the clock is frozen. */
  readonly clock?: ClockForm;
  /** The environments by name. */
  readonly environments?: { readonly [name: string]: OfEnvironment };
}
