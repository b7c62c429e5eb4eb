/** Delays of answers. They end early when the client leaves, or when the mock closes. */
import type { ServerResponse } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers'; // these timers work even if tests replace the global timers

/** The longest time that Node's timers can wait; a longer one would end at once. */
const LONGEST = 2 ** 31 - 1;

export type Pauses = ReturnType<typeof createPauses>;

export const createPauses = () => {
  const open = new Set<() => void>();
  let isClosed = false;
  return {
    /** Waits this many milliseconds before a call is answered. */
    pause: (response: ServerResponse, ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          response.off('close', end);
          open.delete(end);
          resolve();
        };
        const timer = setTimeout(end, Math.min(ms, LONGEST));
        response.once('close', end);
        open.add(end);
        if (isClosed || response.destroyed) end();
      }),
    /** Ends all delays, now and later. */
    close: (): void => {
      isClosed = true;
      for (const end of [...open]) end();
    },
  };
};
