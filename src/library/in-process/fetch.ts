/** `fetch` for a server in the same process: the same app answers, over no connection. */
import { type RequestListener, STATUS_CODES } from 'node:http';
import type { MessageClasses } from '../../http/messages.ts';
import type { Received } from './capture.ts';
import { exchange } from './exchange.ts';

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
    const first = toRequest(input, init, options);
    const body = first.body ? new Uint8Array(await first.arrayBuffer()) : undefined;
    return follow({ request: first, url: new URL(first.url), method: first.method, body }, options);
  };
};

/** @throws TypeError for an address of another server */
const toRequest = (
  input: string | URL | Request,
  init: RequestInit | undefined,
  options: InProcessOptions,
): Request => {
  const isText = typeof input === 'string' || input instanceof URL;
  const request = new Request(isText ? new URL(input, options.url()) : input, init);
  if (options.isOwn(new URL(request.url))) return request;
  throw new TypeError(
    `mock.fetch only calls this mock, and ${new URL(request.url).origin} is not it. Give a path, or an address below ${options.url()}.`,
  );
};

/** One step on the way from the first request over all redirects. */
interface Step {
  /** The first request: what it says of signal, redirects and headers holds all the way. */
  readonly request: Request;
  readonly url: URL;
  readonly method: string;
  readonly body: Uint8Array | undefined;
}

const MOST_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const follow = async (first: Step, options: InProcessOptions): Promise<Response> => {
  let step = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const received = await send(step, options);
    const next = REDIRECTS.has(received.status) ? nextStep(step, received) : undefined;
    if (!next || first.request.redirect === 'manual') return toResponse(received, step.url, redirects > 0);
    if (first.request.redirect === 'error') throw failed('the mock answered with a redirect');
    if (!options.isOwn(next.url)) return fetch(next.url, leave(next));
    step = next;
  }
  throw failed('more than 20 redirects');
};

const send = ({ request, url, method, body }: Step, { app, messages }: InProcessOptions): Promise<Received> =>
  exchange(app, messages, {
    method,
    target: url.pathname + url.search,
    headers: {
      host: url.host,
      accept: '*/*',
      'user-agent': 'node',
      ...Object.fromEntries(request.headers),
      ...lengthOf(method, body),
    },
    body,
    signal: request.signal,
  });

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** As clients do: a method that takes a body says so when there is none. */
const lengthOf = (method: string, body: Uint8Array | undefined): Record<string, string> =>
  body || !WITHOUT_BODY.has(method) ? { 'content-length': String(body?.byteLength ?? 0) } : {};

/** Where a redirect leads to; undefined without a `Location`, which makes it an answer like any other. */
const nextStep = (step: Step, { status, headers }: Received): Step | undefined => {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined) return undefined;
  const url = new URL(location, step.url);
  const isPost = step.method === 'POST';
  const becomesGet = status === 303 ? step.method !== 'HEAD' : (status === 301 || status === 302) && isPost;
  if (!becomesGet) return { ...step, url };
  const bare = new Headers(step.request.headers);
  for (const name of ['content-type', 'content-length', 'content-encoding']) bare.delete(name);
  const request = new Request(step.request.url, {
    headers: bare,
    redirect: step.request.redirect,
    signal: step.request.signal,
  });
  return { request, url, method: 'GET', body: undefined };
};

/** Another server is told neither the token nor anything else that was meant for this one. */
const leave = ({ request, method, body }: Step): RequestInit => {
  const headers = new Headers(request.headers);
  for (const name of ['authorization', 'cookie', 'host', 'content-length']) headers.delete(name);
  return { method, headers, signal: request.signal, ...(body && { body }) };
};

const failed = (reason: string): TypeError => new TypeError('fetch failed', { cause: new Error(reason) });

/** A response that knows where it came from, as one from the network does. */
const toResponse = ({ status, headers, body }: Received, url: URL, redirected: boolean): Response => {
  const response = new Response(body, {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: headers as [string, string][], // the types name only tuples that can be written to
  });
  const { href, hash } = url;
  return Object.defineProperties(response, {
    url: { value: hash ? href.slice(0, -hash.length) : href },
    redirected: { value: redirected },
  });
};
