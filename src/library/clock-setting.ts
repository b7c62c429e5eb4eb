/** A clock as people write it: a time to freeze it at, or its mode and time. */
import { parseTimestamp } from '../core/clock.ts';
import type { ClockSetting } from '../domain/blueprint.ts';
import type { ClockForm } from '../scenario/written.ts';

/** @throws TypeError for a time that is none */
export const readClockSetting = (clock: string | ClockForm): ClockSetting => {
  const { mode = 'frozen', now } =
    typeof clock === 'string' ? { now: clock } : { mode: 'running' as const, ...clock };
  if (now === undefined) return { mode };
  const ms = parseTimestamp(now);
  if (ms === undefined)
    throw new TypeError(`The clock's time is ${JSON.stringify(now)}, but must be like 2026-01-15T09:30:00Z.`);
  return { mode, now: ms };
};
