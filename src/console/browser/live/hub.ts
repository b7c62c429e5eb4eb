/**
 * The one stream of the mock that all tabs of a browser share, since a browser allows six connections to a host. It runs
 * as a shared worker; every tab says which environment it shows.
 */

/** What a tab asks for; null once it asks for nothing more. */
export type Watch = { readonly environment: string; readonly token: string | null } | null;

/** What a tab is sent: the state of the connection, or events of its environment and of the server, as they came. */
export type News =
  | { readonly type: 'open' | 'lost' | 'refused' }
  | { readonly type: 'events'; readonly events: readonly StreamEvent[] };

export interface StreamEvent {
  readonly event: string;
  /** Names the environment, unless it is of the server. */
  readonly data: Readonly<Record<string, unknown>> & { readonly environment?: string };
}

interface Tab {
  onmessage: ((message: MessageEvent<Watch>) => void) | null;
  postMessage(news: News): void;
}

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;

const tabs = new Map<Tab, NonNullable<Watch>>();
let following = new AbortController();

const sendAll = (news: News): void => {
  for (const tab of tabs.keys()) tab.postMessage(news);
};

const sendEvents = (all: readonly StreamEvent[]): void => {
  for (const [tab, { environment }] of tabs) {
    const events = all.filter(({ data }) => (data.environment ?? environment) === environment);
    if (events.length > 0) tab.postMessage({ type: 'events', events });
  }
};

const connect = (tab: Tab): void => {
  tab.onmessage = ({ data: watch }) => {
    if (watch) tabs.set(tab, watch);
    else tabs.delete(tab);
    if (watch || tabs.size === 0) following.abort();
    if (!watch) return;
    following = new AbortController();
    follow(following.signal);
  };
};

/** Follows what the tabs watch until the signal aborts; a lost stream is taken up again. */
const follow = async (signal: AbortSignal, pause = FIRST_PAUSE): Promise<void> => {
  const isOpened = await readStream(signal).catch(() => false);
  if (signal.aborted || isOpened === 'refused') return;
  sendAll({ type: 'lost' });
  const next = isOpened ? FIRST_PAUSE : Math.min(pause * 2, LONGEST_PAUSE);
  setTimeout(() => !signal.aborted && follow(signal, next), pause);
};

/** @returns whether the stream was open before it ended */
const readStream = async (signal: AbortSignal): Promise<boolean | 'refused'> => {
  const watched = [...tabs.values()];
  const environments = [...new Set(watched.map(({ environment }) => environment))].join(',');
  const token = watched.findLast((watch) => watch.token !== null)?.token;
  const response = await fetch(`../live?${new URLSearchParams({ environments })}`, {
    signal,
    headers: token ? { Authorization: `Bearer ${token}` } : {},
  });
  if (response.status === 401) sendAll({ type: 'refused' });
  if (!response.ok) return response.status === 401 && 'refused';
  sendAll({ type: 'open' });
  await readEvents(response).catch(() => {}); // a broken stream has ended too
  return true;
};

const readEvents = async ({ body }: Response): Promise<void> => {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return;
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    sendEvents(blocks.flatMap(readEvent));
  }
};

/** Nothing for a sign of life. */
const readEvent = (block: string): StreamEvent[] => {
  const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
  return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
};

// The page's types know no workers. Where there are no shared ones, each tab has a worker of its own.
const scope = globalThis as unknown as Tab & { onconnect?: (event: MessageEvent) => void };
if ('onconnect' in scope) {
  scope.onconnect = ({ ports: [port] }) => {
    if (port) connect(port);
  };
} else connect(scope);
