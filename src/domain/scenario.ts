/** What a scenario file becomes: for each environment the state, settings and clock that it starts with. */
import { type Clock, parseTimestamp, toTimestamp } from '../core/clock.ts';
import { defined } from '../core/object.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';

/** A clock as a scenario or a call names it: frozen at, or running from, `now` (epoch milliseconds; default real time). */
export interface ClockSetting {
  readonly mode: 'running' | 'frozen';
  readonly now?: number;
}

/** A clock as scenarios and control calls write it: a time alone freezes it there. */
export type ClockForm =
  | string
  | {
      /** Whether time passes. Default: `running`. */
      readonly mode?: ClockSetting['mode'];
      /** The time that it shows at the start. Default: real time. */
      readonly now?: string;
    };

/** @param form valid by its schema; absent for real time */
export const readClockForm = (form: ClockForm = {}): ClockSetting => {
  const { mode = 'running', now: time } =
    typeof form === 'string' ? { mode: 'frozen' as const, now: form } : form;
  return { mode, ...defined({ now: parseTimestamp(time ?? '') }) };
};

/** A clock as a scenario writes it, to go on from what it shows now; undefined for real time. */
export const writeClock = (clock: Clock, now: number) => {
  if (clock.mode === 'frozen') return toTimestamp(now);
  return Math.abs(clock.offset) < REAL_WITHIN ? undefined : { mode: clock.mode, now: toTimestamp(now) };
};

/** So near a clock is to real time that was set to it, in milliseconds. */
const REAL_WITHIN = 1_000;

export interface InitialEnvironment {
  readonly id: string;
  readonly name: string;
  readonly state: State;
  readonly settings: Settings;
  readonly clock: ClockSetting;
}

export interface Scenario {
  /** The name it was asked for by: `default`, or a file. */
  readonly name: string;
  readonly description: string;
  readonly seed: number;
  /** At least one; the first is what a runtime environment copies (behaviour E5). */
  readonly environments: readonly InitialEnvironment[];
}

/** Whether a text is a name of the fixtures folder; any other is a path. */
export const isScenarioName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text);
