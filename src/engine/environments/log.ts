/** A log of the last items of one kind, in order. Callers can follow it, or wait for an item. */
import { clearTimeout, setTimeout } from 'node:timers'; // these timers work even if tests replace the global timers

export interface Follower<Item> {
  onItem(item: Item): void;
  /** Called when the log is emptied. @param number the number that the emptying has in the log */
  onClear?(number: number): void;
  onClose?(): void;
}

export class LiveLog<Item> {
  /** The number of the last item, from 1, or of the last emptying, so that no number means two things to a follower. */
  last = 0;
  /** The number of the last emptying; 0 if there was none. */
  cleared = 0;
  /** How many items were dropped since the last emptying, to make room for later ones. */
  dropped = 0;
  #items: Item[] = [];
  readonly #followers = new Set<Follower<Item>>();

  /** @param limit with 0, the log keeps nothing, and only tells its followers */
  constructor(readonly limit: number) {}

  add(item: Item): void {
    this.#items.push(item);
    this.last += 1;
    if (this.#items.length > this.limit) {
      this.#items.shift(); // V8 moves the beginning; `splice` would move all items
      this.dropped += 1;
    }
    for (const { onItem } of this.#followers) onItem(item);
  }

  list(): Item[] {
    return [...this.#items];
  }

  /** @returns a function that ends the following */
  follow(follower: Follower<Item>): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Resolves as soon as an item matches, `ms` of real time have passed, `signal` aborts or the log closes. */
  async wait(matches: (item: Item) => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    if (ms === 0 || signal?.aborted || this.#items.some(matches)) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        leave();
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const leave = this.follow({ onItem: (item) => matches(item) && end(), onClose: end });
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
    });
  }

  clear(): void {
    this.#items = [];
    this.dropped = 0;
    this.last += 1;
    this.#setCleared(this.last);
  }

  /** @returns a function that brings back the items of now, if the log was emptied since */
  keep(): () => void {
    const { cleared, dropped } = this;
    const items = this.list();
    return () => {
      if (this.cleared === cleared) return;
      const all = [...items, ...this.#items];
      this.#items = all.slice(-this.limit);
      this.dropped = dropped + all.length - this.#items.length;
      this.#setCleared(cleared);
    };
  }

  #setCleared(number: number): void {
    this.cleared = number;
    for (const { onClear } of this.#followers) onClear?.(number);
  }

  /** Removes all followers, and calls the `onClose` of each, which ends every `wait`. */
  close(): void {
    for (const { onClose } of this.#followers) onClose?.();
    this.#followers.clear();
  }
}
