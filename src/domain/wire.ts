/** How rows' moments leave the server (behaviour T9): as RFC 3339 timestamps, and not at all where absent. */
import { toTimestamp } from '../core/clock.ts';
import { type Moment, resolve } from '../core/moment.ts';
import type { Env } from './operation.ts';

/** A moment as the wire shows it. */
export const wireTime = (moment: Moment, env: Pick<Env, 'start'>): string =>
  toTimestamp(resolve(moment, env.start));

/** Several moments under the names of their members; absent ones are left out. */
export const wireTimes = <Name extends string>(
  moments: { readonly [Each in Name]: Moment | undefined },
  env: Pick<Env, 'start'>,
): { [Each in Name]?: string } => {
  const present = Object.entries<Moment | undefined>(moments).flatMap(([name, moment]) =>
    moment === undefined ? [] : [[name, wireTime(moment, env)]],
  );
  return Object.fromEntries(present); // it has the names of `moments`
};
