/** The calls of an environment that the journal keeps. However many arrive, the page draws ten times a second at most. */
import type { Schemas } from './api.ts';
import { createPulse } from './pulse.ts';
import { createStore, type Store } from './store.ts';

export type Call = Schemas['RequestSummary'];

export interface Calls {
  /** Newest first. */
  readonly latest: Store<readonly Call[]>;
  add(call: Call): void;
  /** @param calls all there are, oldest first */
  replace(calls: readonly Call[]): void;
}

/** As many as the journal keeps. */
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
  const pulse = createPulse(INTERVAL, flush);
  return {
    latest,
    add: (call) => {
      arrived.push(call);
      pulse.signal();
    },
    replace: (calls) => {
      arrived = [];
      latest.set(calls.toReversed());
    },
  };
};
