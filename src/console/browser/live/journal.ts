/** The latest calls as the stream tells them: however many arrive, the page draws ten times a second at most. */
import type { Schemas } from './api.ts';
import { createPulse } from './pulse.ts';
import { createStore, type Store } from './store.ts';

export type Call = Schemas['RequestSummary'];

export interface Calls {
  /** Newest first. */
  readonly latest: Store<readonly Call[]>;
  add(call: Call): void;
  clear(): void;
}

const LIMIT = 1_000;

/** Milliseconds between two drawings. */
const INTERVAL = 100;

export const createCalls = (): Calls => {
  const latest = createStore<readonly Call[]>([]);
  let arrived: Call[] = [];
  const flush = (): void => {
    if (arrived.length === 0) return;
    const fresh = arrived.reverse();
    arrived = [];
    latest.set([...fresh, ...latest.get()].slice(0, LIMIT));
  };
  const pulse = createPulse(INTERVAL, () => requestAnimationFrame(flush));
  const clear = (): void => {
    arrived = [];
    latest.set([]);
  };
  return {
    latest,
    clear,
    add: (call) => {
      const last = arrived.at(-1) ?? latest.get()[0];
      // A journal that was emptied counts from 1 again.
      if (last && call.sequence <= last.sequence) clear();
      arrived.push(call);
      pulse.signal();
    },
  };
};
