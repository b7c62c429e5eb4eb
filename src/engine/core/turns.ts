/** Waits as a network does. */
import type { EventEmitter } from 'node:events';
import timers from 'node:timers';
import { node } from './node-globals.ts';

/** The original timer, read when this file is loaded: a test runner that fakes timers replaces it later. */
const { setImmediate } = timers;

/**
 * Waits for a turn of the event loop, as every call over a network does. Otherwise a caller that calls in a loop would
 * keep timers and sockets waiting.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Aborts when the response has ended, or its client has left. */
export const leavingOf = (response: EventEmitter): AbortSignal => {
  const leaving = new node.AbortController();
  response.once('close', () => leaving.abort());
  return leaving.signal;
};
