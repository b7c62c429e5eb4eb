/** The stream of an environment's events. It is open while the page is visible, and opens again after it breaks. */
import { isAway, partsOf, type Row, send } from './api.ts';

/** @param event the event's name in the control plane's document; `open` when the stream begins */
type OnEvent = (event: string, data: Row) => void;

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/**
 * Follows one environment until the returned function is called. A hidden page closes its stream, because a browser
 * opens only six connections to a host and the user may have more tabs.
 */
export const follow = (environment: string, onEvent: OnEvent): (() => void) => {
  const path = `live?${new URLSearchParams({ environments: environment })}`;
  let current: AbortController | undefined;
  let pause = FIRST_PAUSE;
  const read = async (signal: AbortSignal): Promise<void> => {
    try {
      const response = await send('GET', path, { signal });
      pause = FIRST_PAUSE;
      onEvent('open', {});
      await readEvents(response, onEvent);
    } catch {
      // The stream opens again after any failure.
    }
    if (signal.aborted) return;
    isAway.set(true);
    setTimeout(() => signal.aborted || read(signal), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  };
  const adapt = (): void => {
    current?.abort();
    current = document.hidden ? undefined : new AbortController();
    if (current) read(current.signal);
  };
  adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    current?.abort();
  };
};

const readEvents = async (response: Response, onEvent: OnEvent): Promise<void> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of partsOf(response)) {
    isAway.set(false); // the stream works, so the mock is not away
    const blocks = (text + decoder.decode(part, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? []; // other blocks only show that the stream is alive
      if (event !== undefined && data !== undefined) onEvent(event, JSON.parse(data));
    }
  }
};
