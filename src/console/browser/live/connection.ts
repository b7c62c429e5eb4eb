/** This tab's end of the shared stream. */
import { controlToken, tokenWanted } from './api.ts';
import type { News, StreamEvent, Watch } from './hub.ts';

export interface Follower {
  /** The stream begins; also after it was lost. */
  onOpen(): void;
  onLost(): void;
  onEvent(event: StreamEvent): void;
}

interface Hub {
  onmessage: ((message: MessageEvent<News>) => void) | null;
  postMessage(watch: Watch): void;
}

const HUB = new URL('assets/hub.js', document.baseURI);

const openHub = (): Hub =>
  typeof SharedWorker === 'undefined'
    ? new Worker(HUB, { type: 'module' })
    : new SharedWorker(HUB, { type: 'module' }).port;

let opened: Hub | undefined;

/** Follows one environment, the only one of this tab, until the returned function is called. */
export const follow = (environment: string, follower: Follower): (() => void) => {
  opened ??= openHub();
  const hub = opened;
  const watch = (): void => hub.postMessage({ environment, token: controlToken() });
  const leave = (): void => hub.postMessage(null); // a worker does not learn by itself that a tab was closed
  const comeBack = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) watch();
  };
  hub.onmessage = ({ data: news }) => {
    if (news.type === 'events') news.events.forEach(follower.onEvent);
    else if (news.type === 'open') follower.onOpen();
    else if (news.type === 'lost') follower.onLost();
    else tokenWanted.set(true);
  };
  watch();
  addEventListener('pagehide', leave);
  addEventListener('pageshow', comeBack);
  return () => {
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', comeBack);
    leave();
  };
};
