/** Lets other calls run between the steps of long work. */
import timers from 'node:timers';

/** The original `setImmediate`, read when this file is loaded: a test runner that fakes timers replaces it later. */
const { setImmediate } = timers;

/**
 * Waits for a turn of the event loop, as every call over a network does. Otherwise a caller that calls in a loop would
 * keep timers and sockets waiting.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * The characters of text that are searched, masked or checked in one turn of the event loop: up to twenty milliseconds of
 * work.
 */
export const MOST_IN_TURN = 32 * 1024;

/** Turns for others between two steps of long work. Node accepts one connection in each turn, and several can be waiting. */
const TURNS_FOR_OTHERS = 8;

/** A call whose body or message has at most this many bytes is little work, and runs without waiting. */
export const SMALL = 16 * 1024;

let doneInTurn = 0;
let lastTurn: Promise<void> = Promise.resolve();

/** Waits until several other clients can have connected and called. */
export const letOthersRun = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS_FOR_OTHERS; turn += 1) await nextTurn();
};

/**
 * Waits until a step of long work may run. However many calls work long at the same time, their steps share the limit
 * of a turn, and each of the further steps waits until others had their turns.
 * @param size the characters of text that the step reads or writes
 */
export const takeTurn = async (size: number): Promise<void> => {
  if (doneInTurn + size > MOST_IN_TURN) {
    lastTurn = lastTurn.then(letOthersRun);
    await lastTurn;
    doneInTurn = 0;
  }
  doneInTurn += size;
};
