/** Something that is read by a call, and read again when it may have changed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Changing } from './store.ts';

export interface Loaded<Value> {
  /** The last that was read; stays while it is read anew. */
  readonly value: Value | undefined;
  readonly problem: string | undefined;
}

/**
 * Reads at once, whenever `key` changes, and whenever `changes` tells. One reading at a time: what changes meanwhile
 * leads to one more.
 */
export const useLoaded = <Value>(
  key: string,
  load: () => Promise<Value>,
  changes: Changing,
): Loaded<Value> => {
  const [loaded, setLoaded] = useState<Loaded<Value> & { key: string }>();
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    let isOver = false;
    let isReading = false;
    let isStale = false;
    const read = async (): Promise<void> => {
      if (isReading) {
        isStale = true;
        return;
      }
      isReading = true;
      const outcome = await latest.current().then(
        (value) => ({ key, value, problem: undefined }),
        (error: Error) => ({ key, value: undefined, problem: error.message }),
      );
      isReading = false;
      if (isOver) return;
      setLoaded(outcome);
      if (isStale) {
        isStale = false;
        read();
      }
    };
    read();
    const leave = changes.subscribe(read);
    return () => {
      isOver = true;
      leave();
    };
  }, [key, changes]);
  return loaded ?? { value: undefined, problem: undefined };
};
