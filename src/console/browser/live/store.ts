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

/**
 * Many signals in, few out: at most one for every `interval` milliseconds. The first has an interval before it, since
 * what the signals are about has just been read.
 */
export const createPulse = (interval: number, beat: () => void): { signal(): void; stop(): void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const pause = (): void => {
    timer = setTimeout(() => {
      timer = undefined;
      if (isWaiting) fire();
    }, interval);
  };
  const fire = (): void => {
    isWaiting = false;
    beat();
    pause();
  };
  pause();
  return {
    signal: () => {
      if (timer === undefined) fire();
      else isWaiting = true;
    },
    stop: () => clearTimeout(timer),
  };
};
