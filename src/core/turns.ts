/** Lets other calls run between the steps of long work. */
import timers from 'node:timers';

/** The original `setImmediate`, read when this file is loaded: a test runner that fakes timers replaces it later. */
const { setImmediate } = timers;

/**
 * Waits for a turn of the event loop, as every call over a network does. Otherwise a caller that calls in a loop would
 * keep timers and sockets waiting.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The characters of text that are searched or masked in one turn of the event loop: a few milliseconds of work. */
const MOST_IN_TURN = 128 * 1024;

let doneInTurn = 0;
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits until a step of long work may run. However many calls work long at the same time, their steps share the limit
 * of a turn, and each of the further steps waits for a turn of its own.
 * @param size the characters of text that the step reads or writes
 */
export const takeTurn = async (size: number): Promise<void> => {
  if (doneInTurn + size > MOST_IN_TURN) {
    lastTurn = lastTurn.then(nextTurn);
    await lastTurn;
    doneInTurn = 0;
  }
  doneInTurn += size;
};
