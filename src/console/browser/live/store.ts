/** A value that components read and that anything may change. */
import { useEffect, useState } from 'preact/hooks';

export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** Called on every change until the returned function is. */
  subscribe(listener: () => void): () => void;
}

export const createStore = <Value>(initial: Value): Store<Value> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The store's value; the component is drawn again when it changes. */
export const useStore = <Value>(store: Store<Value>): Value => {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    const read = (): void => setValue(() => store.get());
    read();
    return store.subscribe(read);
  }, [store]);
  return value;
};

/** What can tell of changes. */
export type Changing = Pick<Store<unknown>, 'subscribe'>;

/** Tells when any of several does. */
export const either = (...all: readonly Changing[]): Changing => ({
  subscribe: (listener) => {
    const leave = all.map((each) => each.subscribe(listener));
    return () => {
      for (const end of leave) end();
    };
  },
});

/** Many signals in, few out: at once for the first, then at most one for every `interval` milliseconds. */
export const createPulse = (interval: number, beat: () => void): { signal(): void; stop(): void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isWaiting) return;
      isWaiting = false;
      beat();
      rest();
    }, interval);
  };
  return {
    signal: () => {
      if (timer !== undefined) {
        isWaiting = true;
        return;
      }
      beat();
      rest();
    },
    stop: () => clearTimeout(timer),
  };
};
