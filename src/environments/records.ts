/** The last so many things of one kind that happened: kept in order, followed, and waited for. Memory stays bounded. */

export interface Records<Item> {
  add(item: Item): void;
  /** What is kept, oldest first. */
  list(): Item[];
  /** How many were added since the start or the last `clear`. */
  added(): number;
  /** How many of those are gone. */
  dropped(): number;
  /** Hears of every item to come, until the returned function is called. */
  subscribe(listener: (item: Item) => void): () => void;
  /**
   * Resolves as soon as there is an item that matches; at once if there is one.
   * Also resolves, without one, after `ms` of real time, when `signal` aborts, or when the records close.
   */
  wait(matches: (item: Item) => boolean, ms: number, signal?: AbortSignal): Promise<void>;
  clear(): void;
  /** Ends every wait. */
  close(): void;
}

export const createRecords = <Item>(limit: number): Records<Item> => {
  let items: Item[] = [];
  let added = 0;
  const listeners = new Set<(item: Item) => void>();
  const waits = new Set<() => void>();
  const list = (): Item[] => {
    const oldest = added > limit ? added % limit : 0;
    return oldest === 0 ? items.slice() : [...items.slice(oldest), ...items.slice(0, oldest)];
  };
  const subscribe = (listener: (item: Item) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    add: (item) => {
      items[added % limit] = item;
      added += 1;
      for (const listener of [...listeners]) listener(item);
    },
    list,
    added: () => added,
    dropped: () => Math.max(0, added - limit),
    subscribe,
    wait: async (matches, ms, signal) => {
      if (list().some(matches)) return;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          unsubscribe();
          waits.delete(end);
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const unsubscribe = subscribe((item) => {
          if (matches(item)) end();
        });
        const timer = setTimeout(end, signal?.aborted ? 0 : ms);
        signal?.addEventListener('abort', end);
        waits.add(end);
      });
    },
    clear: () => {
      items = [];
      added = 0;
    },
    close: () => {
      for (const end of waits) end();
    },
  };
};
