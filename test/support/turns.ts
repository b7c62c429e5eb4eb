/** Counts turns of the event loop, so that tests need not measure time. */
import { nextTurn } from '../../src/core/turns.ts';

/** How many turns of the event loop pass during a work. */
export const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isOver = false;
  void work().finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await nextTurn();
  return turns;
};
