/** Calls that wait: for a delay, an event, or the end of a stream. They end when the client leaves or the mock closes. */
import type { ServerResponse } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers'; // these timers work even if tests replace the global timers
import { node } from '../../core/node-globals.ts';

/** The longest time that Node's timers can wait; a longer one would end at once. */
const LONGEST = 2 ** 31 - 1;

export type CallsUnderWay = ReturnType<typeof createCallsUnderWay>;
export type Pauses = Pick<CallsUnderWay, 'pause'>;

/** Tracks the calls that wait. Does not use `AbortSignal.any`, which would leak memory with every call. */
export const createCallsUnderWay = () => {
  const calls = new Set<AbortController>();
  let isClosed = false;
  /** Starts to track a call. @returns a signal that aborts when the client disconnects or the server closes */
  const signalOf = (response: ServerResponse): AbortSignal => {
    const { socket } = response.req;
    const call = new node.AbortController();
    const end = (): void => {
      calls.delete(call);
      socket.off('close', end);
      if (!response.writableFinished) call.abort();
    };
    calls.add(call);
    response.once('close', end);
    // Listens to the socket too: a response that waits behind another one gets no event when the connection closes.
    socket.setMaxListeners(0).once('close', end);
    if (isClosed || socket.destroyed || response.destroyed) end();
    return call.signal;
  };
  return {
    signalOf,
    /** Waits this many milliseconds before a call is answered, less if the signal of the call aborts. */
    pause: (response: ServerResponse, ms: number): Promise<void> =>
      new Promise((resolve) => {
        const signal = signalOf(response);
        const end = (): void => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(end, Math.min(ms, LONGEST));
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
    close: (): void => {
      isClosed = true;
      for (const call of calls) call.abort();
    },
  };
};
