/**
 * The part of an environment that a snapshot keeps, as one immutable value, and functions that change its clock and
 * settings.
 */
import { CLOCK_HINT, type Clock, canShow, REAL_TIME, readClock, setClock } from '../core/clock.ts';
import { invalidField } from '../core/errors.ts';
import type { ClockSetting, InitialEnvironment } from '../domain/scenario.ts';
import type { Settings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';

export interface EnvironmentState {
  readonly data: State;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Relative times count from this instant (behaviour E6). Epoch milliseconds. */
  readonly start: number;
}

/**
 * The state that an environment starts with. Its clock starts now, and its relative times count from that instant.
 * @throws Refusal 400
 */
export const initialState = ({ state, settings, clock: setting }: InitialEnvironment): EnvironmentState => {
  const clock = startClock(setting);
  return { data: state, settings, clock, start: readClock(clock) };
};

const startClock = ({ mode, now }: ClockSetting): Clock =>
  now === undefined && mode === 'running'
    ? REAL_TIME
    : setClock(mode, requireInstant(now ?? readClock(REAL_TIME)));

/** Requires an instant that a clock can be set to. @throws Refusal 400 before 1970 or after 8999 */
const requireInstant = (instant: number): number => {
  if (canShow(instant)) return instant;
  throw invalidField('now', 'range', 'The clock cannot be set to this time.', `Choose ${CLOCK_HINT}.`);
};

/**
 * Sets the clock: frozen at `now`, or running from it. Default: the time that the clock shows.
 * @throws Refusal 400 before 1970 or after 8999
 */
export const withClock = (state: EnvironmentState, { mode, now }: ClockSetting): EnvironmentState => {
  const instant = requireInstant(now ?? readClock(state.clock));
  return { ...state, clock: setClock(mode, instant) };
};

/** Moves the clock forward. It stays running or frozen. @param by milliseconds @throws Refusal 400 */
export const withClockAdvanced = (state: EnvironmentState, by: number): EnvironmentState => {
  const { clock } = state;
  return withClock(state, { mode: clock.mode, now: readClock(clock) + by });
};

/** Changes the given settings, and keeps the others. */
export const withSettings = (state: EnvironmentState, changed: Partial<Settings>): EnvironmentState => ({
  ...state,
  settings: { ...state.settings, ...changed },
});
