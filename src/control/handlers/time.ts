/** Calls about clock and settings: time travel in both directions, and what else can be set. */
import { parseTimestamp } from '../../core/clock.ts';
import { parseDuration } from '../../core/duration.ts';
import { readSettings, writeSettings } from '../../domain/settings.ts';
import { withClock, withClockAdvanced, withSettings } from '../../environments/environment-state.ts';
import type { Handlers } from '../types.ts';
import { presentClock, requireEnvironment } from './lookup.ts';

export const time = {
  getClock: ({ path }, context) => ({
    status: 200,
    body: presentClock(requireEnvironment(context, path.env)),
  }),

  setClock: ({ path, body: { mode, now } }, context) => {
    const environment = requireEnvironment(context, path.env);
    const instant = now === undefined ? undefined : parseTimestamp(now);
    environment.current = withClock(environment.current, {
      mode,
      ...(instant !== undefined && { now: instant }),
    });
    return { status: 200, body: presentClock(environment) };
  },

  advanceClock: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    environment.current = withClockAdvanced(environment.current, parseDuration(body.by) ?? 0);
    return { status: 200, body: presentClock(environment) };
  },

  getSettings: ({ path }, context) => ({
    status: 200,
    body: writeSettings(requireEnvironment(context, path.env).current.settings),
  }),

  changeSettings: ({ path, body }, context) => {
    const environment = requireEnvironment(context, path.env);
    environment.current = withSettings(environment.current, readSettings(body));
    return { status: 200, body: writeSettings(environment.current.settings) };
  },
} satisfies Partial<Handlers>;
