/** A log of the last items of one kind, in order. Callers can follow it, or wait for an item. */

export interface Follower<Item> {
  onItem(item: Item): void;
  /** Called when the log is emptied. @param number the number that the emptying has in the log */
  onClear?(number: number): void;
  onClose?(): void;
}

export type BoundedLog<Item> = ReturnType<typeof createLog<Item>>;

export const createLog = <Item>(limit: number) => {
  let items: Item[] = [];
  /** Numbers every item and every emptying, so that no number means two things to somebody who follows. */
  let last = 0;
  let cleared = 0;
  /** How often the log was emptied, and how many of these emptyings, which have numbers too, were taken back. */
  let emptied = 0;
  let undone = 0;
  const followers = new Set<Follower<Item>>();
  const follow = (follower: Follower<Item>): (() => void) => {
    followers.add(follower);
    return () => followers.delete(follower);
  };
  return {
    add: (item: Item): void => {
      items.push(item);
      last += 1;
      if (items.length > limit) items.shift();
      for (const follower of [...followers]) follower.onItem(item);
    },
    /** The items, oldest first. */
    list: () => [...items],
    /** The number of the last item, from 1, or of the last emptying. */
    last: () => last,
    /** The number of the last emptying; 0 if there was none. */
    cleared: () => cleared,
    /** How many items were dropped since the last emptying, to make room for later ones. */
    dropped: () => last - cleared - undone - items.length,
    /** Reports every future item, until the returned function is called. */
    follow,
    /** Resolves as soon as an item matches, `ms` of real time have passed, `signal` aborts or the log closes. */
    wait: async (matches: (item: Item) => boolean, ms: number, signal?: AbortSignal): Promise<void> => {
      if (signal?.aborted || items.some(matches)) return;
      await new Promise<void>((resolve) => {
        const end = (): void => {
          leave();
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const leave = follow({ onItem: (item) => matches(item) && end(), onClose: end });
        const timer = setTimeout(end, ms);
        signal?.addEventListener('abort', end);
      });
    },
    /** @returns a function that brings back the items of now, if the log was emptied since */
    keep: () => {
      const [kept, before] = [[...items], cleared];
      const emptyings = emptied;
      return (): void => {
        if (cleared === before) return;
        items = [...kept, ...items].slice(-limit);
        cleared = before;
        undone += emptied - emptyings;
        for (const { onClear } of followers) onClear?.(cleared);
      };
    },
    clear: (): void => {
      items = [];
      last += 1;
      emptied += 1;
      undone = 0;
      cleared = last;
      for (const { onClear } of followers) onClear?.(cleared);
    },
    /** Removes all followers, and calls the `onClose` of each, which ends every `wait`. */
    close: (): void => {
      const leaving = [...followers];
      followers.clear();
      for (const { onClose } of leaving) onClose?.();
    },
  };
};
