/** The live stream of an environment: read by `fetch`, which unlike EventSource can carry a control token. */
import { CallError, send, within } from './api.ts';

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

export interface StreamListener {
  /** The stream begins; also after it was lost. What came before may be repeated. */
  onOpen(): void;
  onEvent(event: StreamEvent): void;
  onLost(): void;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/** Follows until the returned function is called; a lost stream is taken up again. */
export const follow = (environment: string, listener: StreamListener): (() => void) => {
  const ending = new AbortController();
  const { signal } = ending;
  const keepOn = async (pause = FIRST_PAUSE): Promise<void> => {
    try {
      const response = await send('GET', within(environment, '/live'), { signal });
      listener.onOpen();
      await readEvents(response, listener);
    } catch (error) {
      if (signal.aborted || isFinal(error)) return;
    }
    listener.onLost();
    setTimeout(() => !signal.aborted && keepOn(Math.min(pause * 2, LONGEST_PAUSE)), pause);
  };
  keepOn();
  return () => ending.abort();
};

/** No token, or no such environment: trying again changes nothing. */
const isFinal = (error: unknown): boolean =>
  error instanceof CallError && error.status >= 400 && error.status < 500;

const readEvents = async ({ body }: Response, { onEvent }: StreamListener): Promise<void> => {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let held = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return;
    const blocks = (held + value).split('\n\n');
    held = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
      if (event !== undefined && data !== undefined) onEvent({ event, data });
    }
  }
};
