/** Waiting for something that is yet to happen, for so long in real time. */

export interface Waiting<Item> {
  /** Ends the waits that this item is for. */
  announce(item: Item): void;
  /** Resolves when a matching item is announced, after `ms`, when `signal` aborts, or when all waits end. */
  wait(matches: (item: Item) => boolean, ms: number, signal?: AbortSignal): Promise<void>;
  /** Ends every wait. */
  close(): void;
}

interface Waiter<Item> {
  readonly matches: (item: Item) => boolean;
  end(): void;
}

export const createWaiting = <Item>(): Waiting<Item> => {
  const waiters = new Set<Waiter<Item>>();
  return {
    announce: (item) => {
      for (const waiter of [...waiters]) if (waiter.matches(item)) waiter.end();
    },
    wait: (matches, ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          waiters.delete(waiter);
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const waiter = { matches, end };
        const timer = setTimeout(end, signal?.aborted ? 0 : ms);
        signal?.addEventListener('abort', end);
        waiters.add(waiter);
      }),
    close: () => {
      for (const waiter of [...waiters]) waiter.end();
    },
  };
};
