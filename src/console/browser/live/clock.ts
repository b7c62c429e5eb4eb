/** The environment's clock, computed in the browser: the time that the server sent, plus the time passed since then. */
import type { MockSchemas } from './api.ts';
import { createStore, useStore } from './store.ts';

export type LiveClock = ReturnType<typeof startClock>;

/** Returns the time that the environment's clock shows, and the browser's time at that moment, in milliseconds. */
export const startClock = ({ mode, now }: MockSchemas['Clock']) => {
  return { mode, shown: Date.parse(now), at: performance.now() };
};

/** The environment's current time, in epoch milliseconds. */
export const readClock = ({ mode, shown, at }: LiveClock): number =>
  mode === 'frozen' ? shown : shown + performance.now() - at;

const seconds = createStore(0);
setInterval(() => seconds.set(seconds.get() + 1), 1_000);

/** The environment's time. The calling component is drawn again every second. */
export const useNow = (clock: LiveClock): number => {
  useStore(seconds);
  return readClock(clock);
};

/** Formats a time: `2026-11-21 13:15:02`. */
export const formatInstant = (epoch: number): string =>
  new Date(epoch).toISOString().slice(0, 19).replace('T', ' ');

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day without its year: `21 Nov`. */
export const formatDay = (epoch: number): string => DAY.format(epoch);

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 };
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Formats a time relative to now: `in 15 minutes`, `2 days ago`. */
export const formatDistance = (ms: number): string => {
  const names = Object.keys(UNITS) as (keyof typeof UNITS)[];
  const unit = names.find((name) => Math.abs(ms) >= UNITS[name]) ?? 'second';
  return RELATIVE.format(Math.round(ms / UNITS[unit]), unit);
};
