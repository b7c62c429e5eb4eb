/** Calls about the clock and the settings of an environment. */
import { parseDuration } from '../../core/duration.ts';
import { readClockForm } from '../../domain/scenario.ts';
import { readSettings, writeSettings } from '../../domain/settings.ts';
import { withClock, withClockAdvanced, withSettings } from '../../environments/environment-state.ts';
import type { Handlers } from '../types.ts';
import { presentClock } from './lookup.ts';

export const time = {
  getClock: (_input, { environment }) => ({ status: 200, body: presentClock(environment) }),

  setClock: ({ body }, { environment }) => {
    environment.current = withClock(environment.current, readClockForm(body));
    return { status: 200, body: presentClock(environment) };
  },

  advanceClock: ({ body }, { environment }) => {
    environment.current = withClockAdvanced(environment.current, parseDuration(body.by) ?? 0);
    return { status: 200, body: presentClock(environment) };
  },

  getSettings: (_input, { environment }) => ({
    status: 200,
    body: writeSettings(environment.current.settings),
  }),

  changeSettings: ({ body }, { environment }) => {
    environment.current = withSettings(environment.current, readSettings(body));
    return { status: 200, body: writeSettings(environment.current.settings) };
  },
} satisfies Partial<Handlers>;
