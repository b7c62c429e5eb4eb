/** The stream of events about one environment, which keeps the page up to date. */
import { type Entry, isAway, readFile } from './api.ts';
import { atMostEvery, createStore } from './store.ts';

/** A call as the stream tells it. */
export type CallSummary = Omit<Entry, 'request' | 'response' | 'violations'> &
  Pick<Entry['request'], 'method' | 'url'> & {
    readonly violations: readonly string[];
    readonly telling: readonly string[];
  };

/** Listeners for each event of the console's document, such as `request`, and for `open` at the beginning. */
export const listeners = new Set<(event: string) => unknown>();

/** The latest calls, newest first. */
export const calls = createStore<readonly CallSummary[]>([]);

const KEPT = 1_000;

/** The shortest time between two updates of the list of calls, in milliseconds. */
const DRAWN_EVERY = 100;

let arrived: readonly CallSummary[] = [];

const draw = atMostEvery(DRAWN_EVERY, () => {
  calls.set([...arrived, ...calls.get()].slice(0, KEPT));
  arrived = [];
});

const replaceCalls = (all: readonly CallSummary[]): void => {
  arrived = [];
  calls.set(all.toReversed());
};

const hear = (event: string, data: string): void => {
  if (event === 'journal') replaceCalls(JSON.parse(data).requests);
  if (event === 'request') {
    arrived = [JSON.parse(data), ...arrived];
    draw();
  }
  for (const listener of listeners) listener(event);
};

const readEvents = async (path: string, signal: AbortSignal): Promise<void> => {
  const { body } = await readFile(path, signal);
  hear('open', '');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const blocks = (text + part.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      // A block without an event only keeps the stream alive.
      const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
      if (event !== undefined && data !== undefined) hear(event, data);
    }
  }
  isAway.set(true);
};

/** How long the page waits until it opens a stream again that has ended, in milliseconds. */
const PAUSE = 1_000;

const keepReading = async (path: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await readEvents(path, signal).catch(({ name }) => name === 'TypeError' && isAway.set(true));
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
};

/**
 * Follows one environment until the returned function is called. A hidden page closes its stream, because a browser
 * opens only six connections to a host and the user may have more tabs.
 */
export const follow = (environment: string): (() => void) => {
  let current = new AbortController();
  const adapt = (): void => {
    current.abort();
    current = new AbortController();
    if (!document.hidden)
      keepReading(`live?${new URLSearchParams({ environments: environment })}`, current.signal);
  };
  replaceCalls([]);
  adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    current.abort();
  };
};
