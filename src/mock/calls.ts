/** Calls under way in process, so that closing can wait for them as a listener waits for its connections. */
import type { Fetch } from './in-process/fetch.ts';

export interface Calls {
  readonly fetch: Fetch;
  /** Refuses further calls, and resolves when those under way have their answer, or after `ms`. */
  close(ms: number): Promise<void>;
}

export const createCalls = (fetch: Fetch): Calls => {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    fetch: async (input, init) => {
      if (isClosed) throw new TypeError('fetch failed', { cause: new Error('the mock was closed') });
      const call = fetch(input, init);
      underWay.add(call);
      try {
        return await call;
      } finally {
        underWay.delete(call);
      }
    },
    close: async (ms) => {
      isClosed = true;
      if (underWay.size === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([Promise.allSettled(underWay), late]);
      clearTimeout(timer);
    },
  };
};
