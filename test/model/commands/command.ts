/** A command: something done to the mocks, foreseen by the model, after which every invariant holds. */
import type { AsyncCommand } from 'fast-check';
import type { Foreseen } from '../model/world.ts';
import { type Run, requireInvariants } from '../run.ts';
import type { Twins } from '../twins.ts';

export type Command = AsyncCommand<Run, Twins>;

/**
 * @param name what a counterexample shows
 * @param applies whether there is anything to do it to; else the sequence goes on without it
 * @param act does it, and tells what was foreseen; without `next` in that, the state must stay as it was
 */
export const command = (
  name: string,
  act: (run: Run, twins: Twins) => Promise<Foreseen>,
  applies: (run: Run) => boolean = () => true,
): Command => ({
  check: applies,
  toString: () => name,
  run: async (run, twins) => {
    const before = run.exported;
    const foreseen = await act(run, twins);
    await requireInvariants(run, twins, foreseen.next ? undefined : before);
  },
});

/** Mostly picks a living id, sometimes a deleted one, now and then an unknown one. */
export const choose = (
  living: readonly string[],
  seen: readonly string[],
  pick: number,
  unknown: string,
): string => {
  const among = pick % 8 < 5 && living.length > 0 ? living : seen;
  return (pick % 8 === 7 ? undefined : among[pick % among.length]) ?? unknown;
};

/** Whether `choose` has something to choose, or is to give the unknown id. */
export const isChosen = (living: readonly unknown[], pick: number): boolean =>
  living.length > 0 || pick % 8 === 7;

/** Remembers what was given out, once. */
export const remember = (seen: string[], value: string): void => {
  if (!seen.includes(value)) seen.push(value);
};
