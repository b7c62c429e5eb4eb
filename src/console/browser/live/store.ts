/** Stores: values that components read, and that any code can change. */
import { useLayoutEffect, useState } from 'preact/hooks';

export type Store<Value> = ReturnType<typeof createStore<Value>>;

export const createStore = <Value>(initial: Value) => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: (): Value => value,
    set: (next: Value): void => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    /** Calls the listener on every change, until the returned function is called. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The value of a store. The calling component is drawn again when the value changes. */
export const useStore = <Value>(store: Store<Value>): Value => {
  const [, draw] = useState({});
  useLayoutEffect(() => store.subscribe(() => draw({})), [store]);
  return store.get();
};
