/** A log of the last items of one kind, in order. Callers can follow it, or wait for an item. */
import { clearTimeout, setTimeout } from 'node:timers'; // these timers work even if tests replace the global timers

export interface Follower<Item> {
  onItem(item: Item): void;
  /** Called when the log is emptied. @param number the number that the emptying has in the log */
  onClear?(number: number): void;
  onClose?(): void;
}

/** @param limit with 0, the log keeps nothing, and only tells its followers */
export const createLog = <Item>(limit: number) => {
  let items: Item[] = [];
  /** Numbers every item and every emptying, so that no number means two things to somebody who follows. */
  let last = 0;
  let cleared = 0;
  let dropped = 0;
  const followers = new Set<Follower<Item>>();
  const follow = (follower: Follower<Item>): (() => void) => {
    followers.add(follower);
    return () => followers.delete(follower);
  };
  return {
    add: (item: Item): void => {
      items.push(item);
      last += 1;
      if (items.length > limit) {
        items.shift(); // V8 moves the beginning; `splice` would move all items
        dropped += 1;
      }
      for (const follower of [...followers]) follower.onItem(item);
    },
    list: () => [...items],
    /** The number of the last item, from 1, or of the last emptying. */
    last: () => last,
    /** The number of the last emptying; 0 if there was none. */
    cleared: () => cleared,
    /** How many items were dropped since the last emptying, to make room for later ones. */
    dropped: () => dropped,
    follow,
    /** Resolves as soon as an item matches, `ms` of real time have passed, `signal` aborts or the log closes. */
    wait: async (matches: (item: Item) => boolean, ms: number, signal?: AbortSignal): Promise<void> => {
      if (ms === 0 || signal?.aborted || items.some(matches)) return;
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
      const kept = { items: [...items], cleared, dropped };
      return (): void => {
        if (cleared === kept.cleared) return;
        const all = [...kept.items, ...items];
        items = all.slice(-limit);
        dropped = kept.dropped + all.length - items.length;
        cleared = kept.cleared;
        for (const { onClear } of followers) onClear?.(cleared);
      };
    },
    clear: (): void => {
      items = [];
      dropped = 0;
      last += 1;
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
