/**
 * What a scenario of any service can hold, as people write it, and what becomes of it: the start of each environment. The
 * types of forms are published, so they name no package.
 */
import { type ClockSetting, type EnvironmentClock, parseTimestamp, toTimestamp } from '../core/clock.ts';
import { defined } from '../core/object.ts';
import type { FaultForm, WrittenFault } from '../environments/faults.ts';
import type { Service } from '../service.ts';
import type { EngineSettings } from '../settings.ts';
import type { EngineState } from '../state.ts';
import type { StubForm } from '../stubs/stub.ts';
import type { ClientForm } from './section.ts';

/** A clock as scenario files and control calls write it. A string is the time at which the clock is frozen. */
export type ClockForm =
  | string
  | {
      /** Whether time passes. Default: `running`. */
      readonly mode?: ClockSetting['mode'];
      /** The time that the clock starts at. Default: real time. */
      readonly now?: string;
    };

/** The content of `environments.NAME` in a scenario of any service, besides lists of rows. */
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

/** Reads a clock setting that has passed the schema check. */
export const readClockForm = (form: ClockForm = {}): ClockSetting => {
  const { mode = 'running', now: time } =
    typeof form === 'string' ? { mode: 'frozen' as const, now: form } : form;
  return { mode, ...defined({ now: parseTimestamp(time ?? '') }) };
};

/** A clock as a scenario file writes it; undefined if it runs and differs from real time by less than a second. */
export const writeClock = (clock: EnvironmentClock, now: number) => {
  if (clock.mode === 'frozen') return toTimestamp(now);
  return Math.abs(clock.offset) < 1_000 ? undefined : { mode: clock.mode, now: toTimestamp(now) };
};

/** What an environment holds besides its clock. */
export interface EnvironmentContent {
  readonly service: Service;
  readonly id: string;
  readonly state: EngineState;
  readonly settings: EngineSettings;
  /** The faults that are there at the start (behaviour X7). */
  readonly faults?: readonly FaultForm[];
}

export interface InitialEnvironment extends Required<EnvironmentContent> {
  readonly name: string;
  readonly clock: ClockSetting;
}

export interface Scenario {
  /** A name such as `default`, or a path. */
  readonly name: string;
  readonly description: string;
  readonly seed: number;
  /** Has at least one environment. Environments that are created at runtime copy the first one (behaviour E5). */
  readonly environments: readonly InitialEnvironment[];
}

/** On Windows, a file with such a name is a device, whatever its extension; reading one waits for ever. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Whether a string is the name of a scenario. Any other string is a path. */
export const isScenarioName = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text) && !DEVICE.test(text);
