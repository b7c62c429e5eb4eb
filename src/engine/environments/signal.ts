/** Tells followers of something that happens, and keeps nothing. */

export type ItemSignal<Item> = ReturnType<typeof createSignal<Item>>;

export const createSignal = <Item>() => {
  const followers = new Set<(item: Item) => void>();
  return {
    send: (item: Item): void => {
      for (const follower of [...followers]) follower(item);
    },
    /** Reports every future item, until the returned function is called. */
    follow: (follower: (item: Item) => void): (() => void) => {
      followers.add(follower);
      return () => followers.delete(follower);
    },
    close: (): void => followers.clear(),
  };
};
