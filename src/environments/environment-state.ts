/** All that a snapshot keeps of an environment, as one immutable value, and changes of its clock and settings. */
import { CLOCK_HINT, type Clock, canShow, REAL_TIME, readClock, setClock } from '../core/clock.ts';
import { invalidField } from '../core/errors.ts';
import type { ClockSetting, InitialEnvironment } from '../domain/scenario.ts';
import type { Settings } from '../domain/settings.ts';
import type { State } from '../domain/state.ts';

export interface EnvironmentState {
  readonly data: State;
  readonly settings: Settings;
  readonly clock: Clock;
  /** What relative times count from (behaviour E6), epoch milliseconds. */
  readonly start: number;
}

/** What an environment starts with. Its clock begins now, and its relative times count from then. @throws Refusal 400 */
export const initialState = ({ state, settings, clock: setting }: InitialEnvironment): EnvironmentState => {
  const clock = startClock(setting);
  return { data: state, settings, clock, start: readClock(clock) };
};

const startClock = ({ mode, now }: ClockSetting): Clock =>
  now === undefined && mode === 'running'
    ? REAL_TIME
    : setClock(mode, requireInstant(now ?? readClock(REAL_TIME)));

/** An instant that a clock can be set to. @throws Refusal 400 before 1970 or after 8999 */
const requireInstant = (instant: number): number => {
  if (canShow(instant)) return instant;
  throw invalidField('now', 'range', 'The clock cannot be set there.', `Choose ${CLOCK_HINT}.`);
};

/**
 * The same with its clock set: frozen or running from `now`, by default from what it shows.
 * @throws Refusal 400 for an instant that no clock can be set to
 */
export const withClock = (state: EnvironmentState, { mode, now }: ClockSetting): EnvironmentState => {
  const instant = requireInstant(now ?? readClock(state.clock));
  return { ...state, clock: setClock(mode, instant) };
};

/** The same with its clock moved forward, running or frozen as it was. @param by milliseconds @throws Refusal 400 */
export const withClockAdvanced = (state: EnvironmentState, by: number): EnvironmentState => {
  const { clock } = state;
  return withClock(state, { mode: clock.mode, now: readClock(clock) + by });
};

/** The same with those settings changed that are given. */
export const withSettings = (state: EnvironmentState, changed: Partial<Settings>): EnvironmentState => ({
  ...state,
  settings: { ...state.settings, ...changed },
});
