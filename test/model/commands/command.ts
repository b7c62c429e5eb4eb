/** A command: something done to the mocks, foreseen by the model, after which every invariant holds. */
import type { AsyncCommand } from 'fast-check';
import type { Foreseen } from '../model/world.ts';
import { type Run, requireInvariants } from '../run.ts';
import type { Twins } from '../twins.ts';

export type Command = AsyncCommand<Run, Twins>;

/**
 * @param name what a counterexample shows
 * @param act does it, and tells what was foreseen; without `next` in that, the state must stay as it was
 */
export const command = (name: string, act: (run: Run, twins: Twins) => Promise<Foreseen>): Command => ({
  check: () => true,
  toString: () => name,
  run: async (run, twins) => {
    const before = run.exported;
    const foreseen = await act(run, twins);
    await requireInvariants(run, twins, foreseen.next ? undefined : before);
  },
});

/** One of those that were ever there, or one that never was. */
export const choose = (seen: readonly string[], pick: number, unknown: string): string =>
  seen.length === 0 || pick % 7 === 6 ? unknown : (seen[pick % seen.length] ?? unknown);

/** Remembers what was given out, once. */
export const remember = (seen: string[], value: string): void => {
  if (!seen.includes(value)) seen.push(value);
};
