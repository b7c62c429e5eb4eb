/** What a scenario file becomes: for each environment the state, settings and clock that it starts with. */
import type { Settings } from './settings.ts';
import type { State } from './state.ts';

/** A clock as a scenario or a call names it: frozen at, or running from, `now` (epoch milliseconds; default real time). */
export interface ClockSetting {
  readonly mode: 'running' | 'frozen';
  readonly now?: number;
}

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
