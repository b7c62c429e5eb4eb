/** Waits as a network does. */
import timers from 'node:timers';

/** The original `setImmediate`, read when this file is loaded: a test runner that fakes timers replaces it later. */
const { setImmediate } = timers;

/**
 * Waits for a turn of the event loop, as every call over a network does. Otherwise a caller that calls in a loop would
 * keep timers and sockets waiting.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
