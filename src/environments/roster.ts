/** Tells who wants to know that an environment was made or dropped. */
export interface Roster {
  announce(): void;
  /** Called at every change until the returned function is. */
  subscribe(listener: () => void): () => void;
}

export const createRoster = (): Roster => {
  const listeners = new Set<() => void>();
  return {
    announce: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
