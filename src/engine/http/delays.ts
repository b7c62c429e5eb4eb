/** Delays of answers. They end when the client leaves or the mock closes. */
import type { ServerResponse } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers'; // these timers work even if tests replace the global timers

/** Waits this many milliseconds before a call is answered. */
export type Delay = (response: ServerResponse, ms: number) => Promise<void>;

export const createDelays = () => {
  const ends = new Set<() => void>();
  const delay: Delay = (response, ms) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        ends.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      ends.add(end);
      response.once('close', end);
    });
  return {
    delay,
    close: (): void => {
      for (const end of ends) end();
    },
  };
};
