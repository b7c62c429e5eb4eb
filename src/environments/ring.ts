/** A list that keeps its last `limit` items: whatever happens, memory stays bounded. */

export interface Ring<Item> {
  add(item: Item): void;
  /** What is kept, oldest first. */
  list(): Item[];
  /** How many were added since the start or the last `clear`. */
  added(): number;
  /** How many of those are gone. */
  dropped(): number;
  clear(): void;
}

/** An empty ring. Nothing is set aside before the first item. */
export const createRing = <Item>(limit: number): Ring<Item> => {
  let items: Item[] = [];
  let added = 0;
  return {
    add: (item) => {
      items[added % limit] = item;
      added += 1;
    },
    list: () => {
      const oldest = added > limit ? added % limit : 0;
      return oldest === 0 ? items.slice() : [...items.slice(oldest), ...items.slice(0, oldest)];
    },
    added: () => added,
    dropped: () => Math.max(0, added - limit),
    clear: () => {
      items = [];
      added = 0;
    },
  };
};
