/** The result of reading a scenario: the start of each environment. */

import { type ClockSetting, type EnvironmentClock, parseTimestamp, toTimestamp } from '../core/clock.ts';
import { defined } from '../core/object.ts';
import type { FaultForm } from '../environments/faults.ts';
import type { Service } from '../service.ts';
import type { EngineSettings } from '../settings.ts';
import type { EngineState } from '../state.ts';
import type { ClockForm } from './forms.ts';

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

export interface InitialEnvironment {
  readonly service: Service;
  readonly id: string;
  readonly name: string;
  readonly state: EngineState;
  readonly settings: EngineSettings;
  readonly clock: ClockSetting;
  /** The faults that are there at the start (behaviour X7). */
  readonly faults: readonly FaultForm[];
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
