/** `fetch` for a server in the same process: the same app answers, over no connection. */
import type { RequestListener } from 'node:http';
import type { MessageClasses } from '../../http/messages.ts';
import type { Received } from './capture.ts';
import { exchange } from './exchange.ts';
import { type Outgoing, readOutgoing } from './outgoing.ts';
import type { Origin } from './response.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface InProcessOptions {
  readonly app: RequestListener;
  readonly messages: MessageClasses;
  /** Address that paths are relative to. */
  readonly url: () => string;
  /** Whether an address is this server's. */
  readonly isOwn: (url: URL) => boolean;
}

/**
 * Answers as `fetch` over HTTP would, redirects and streams included. A redirect to another server is followed by the
 * global `fetch`. Headers that speak of the connection, `Date` among them, are not there.
 */
export const createFetch = (options: InProcessOptions): Fetch => {
  return async (input, init) => {
    const outgoing = await readOutgoing(input, init, options.url());
    if (!options.isOwn(outgoing.url)) throw foreign(outgoing.url, options.url());
    return follow(outgoing, options);
  };
};

const foreign = ({ origin }: URL, own: string): TypeError =>
  new TypeError(
    `mock.fetch only calls this mock, and ${origin} is not it. Give a path, or an address below ${own}.`,
  );

const MOST_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const follow = async (first: Outgoing, options: InProcessOptions): Promise<Response> => {
  let outgoing = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const received = await exchange(options.app, options.messages, outgoing);
    const next = REDIRECTS.has(received.status) ? redirected(outgoing, received) : undefined;
    if (!next || outgoing.redirect === 'manual')
      return toResponse(received, { url: outgoing.url, isRedirected: redirects > 0 });
    if (outgoing.redirect === 'error') throw failed('the mock answered with a redirect');
    if (!options.isOwn(next.url)) return leave(next);
    outgoing = next;
  }
  throw failed('more than 20 redirects');
};

const ABOUT_BODY = ['content-type', 'content-length', 'content-encoding'];
/** Not for another server: what was meant for this one, and what spoke of the connection to it. */
const ABOUT_SERVER = ['authorization', 'cookie', 'host', 'content-length'];

/** Where a redirect leads to; undefined without a `Location`, which makes it an answer like any other. */
const redirected = (outgoing: Outgoing, { status, headers }: Received): Outgoing | undefined => {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined) return undefined;
  const { method } = outgoing;
  const url = new URL(location, outgoing.url);
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
  if (!becomesGet) return { ...outgoing, url };
  return { ...outgoing, url, method: 'GET', body: undefined, headers: without(outgoing.headers, ABOUT_BODY) };
};

const leave = ({ url, method, headers, body, signal }: Outgoing): Promise<Response> =>
  fetch(url, {
    method,
    headers: without(headers, ABOUT_SERVER),
    ...(body && { body }),
    ...(signal && { signal }),
  });

const without = (headers: Headers, names: readonly string[]): Headers => {
  const left = new Headers(headers);
  for (const name of names) left.delete(name);
  return left;
};

const failed = (reason: string): TypeError => new TypeError('fetch failed', { cause: new Error(reason) });

const toResponse = async (received: Received, origin: Origin): Promise<Response> =>
  (await import('./response.ts')).toResponse(received, origin);
