/** Waits as a network does. */
import type { EventEmitter } from 'node:events';
import timers from 'node:timers';

/** The original timers, read when this file is loaded: a test runner that fakes timers replaces them later. */
const { clearTimeout, setImmediate, setTimeout } = timers;

/**
 * Waits for a turn of the event loop, as every call over a network does. Otherwise a caller that calls in a loop would
 * keep timers and sockets waiting.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Waits this many milliseconds before a call is answered, or until its client has left. */
export const delayAnswer = (response: EventEmitter, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
