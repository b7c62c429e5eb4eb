/** The stream of events about one environment, which keeps the page up to date. */
import { type Entry, isAway, readFile } from './api.ts';
import { createStore } from './store.ts';

export type CallSummary = Omit<Entry, 'request' | 'response'> &
  Pick<Entry['request'], 'method' | 'url'> & { readonly telling: readonly string[] };

/** Functions, and the events after which each is called: events of the stream, such as `request`, and `open` at the beginning. */
export const listeners = new Map<() => unknown, readonly string[]>();

/** The latest calls, newest first. */
export const calls = createStore<readonly CallSummary[]>([]);

const KEPT = 1_000;

export const announce = (event: string): void => {
  for (const [listener, events] of listeners) if (events.includes(event)) listener();
};

const hear = (block: string): void => {
  // A block without an event only keeps the stream alive.
  const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
  if (event === undefined) return;
  if (event === 'journal') calls.set(JSON.parse(data).requests.toReversed());
  if (event === 'request') calls.set([JSON.parse(data), ...calls.get()].slice(0, KEPT));
  announce(event);
};

const read = async (path: string, signal: AbortSignal): Promise<void> => {
  const { body } = await readFile(path, signal);
  announce('open');
  let text = '';
  const write = (part: string): void => {
    const blocks = (text + part).split('\n\n');
    text = blocks.pop() ?? '';
    blocks.forEach(hear);
  };
  await body?.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write }));
  isAway.set(true);
};

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How long the page waits until it opens a stream again that has ended, in milliseconds. */
const PAUSE = 1_000;

const keepReading = async (path: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await read(path, signal).catch(({ name }) => name === 'TypeError' && isAway.set(true));
    await pause(PAUSE);
  }
};

/**
 * Follows one environment until the returned function is called. A hidden page closes its stream, because a browser
 * opens only six connections to a host and the user may have more tabs.
 */
export const follow = (environment: string): (() => void) => {
  const path = `live?${new URLSearchParams({ environment })}`;
  let current = new AbortController();
  const adapt = (): void => {
    current.abort();
    current = new AbortController();
    if (!document.hidden) keepReading(path, current.signal);
  };
  calls.set([]);
  adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    current.abort();
  };
};
