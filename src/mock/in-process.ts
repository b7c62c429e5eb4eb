/**
 * `fetch` for a server of the same process: node's own HTTP client and server, with a pair of streams in place of a
 * connection. So a caller gets what it would get over a port.
 */
import { createServer, type IncomingMessage, type RequestListener, request as sendRequest } from 'node:http';
import { addAbortSignal, type Duplex, duplexPair, Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'; // a test may replace the globals
import { URLSearchParams } from 'node:url';
import { node } from '../core/node-globals.ts';
import type { MessageClasses } from '../http/messages.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface InProcessOptions {
  readonly app: RequestListener;
  readonly messages: MessageClasses;
  /** Address that paths are relative to. */
  readonly url: () => string;
  /** Whether an address is this server's. */
  readonly isOwn: (url: URL) => boolean;
}

export interface InProcess {
  /** As the global `fetch`, for this server only; a redirect to another server is followed over the network. */
  readonly fetch: Fetch;
  /** Refuses further calls and waits for those under way; after `ms` they are broken off. */
  close(ms: number): Promise<void>;
}

type OptionalSignal = AbortSignal | null;

const MOST_REDIRECTS = 20;

export const createInProcess = ({ app, messages, url, isOwn }: InProcessOptions): InProcess => {
  const connect = createConnector(app, messages);
  const underWay = new Set<Promise<Response>>();
  let isClosed = false;

  const follow = async (request: Request, signal: OptionalSignal, redirects: number): Promise<Response> => {
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const message = await exchange(request, body, signal, connect.open());
    const next = request.redirect === 'manual' ? undefined : redirected(request, body, message);
    if (!next) return toResponse(message, request.url, redirects > 0);
    message.resume();
    if (request.redirect === 'error') throw failed('the mock answered with a redirect');
    if (redirects === MOST_REDIRECTS) throw failed(`more than ${MOST_REDIRECTS} redirects`);
    return isOwn(new URL(next.url))
      ? follow(next, signal, redirects + 1)
      : fetch(withoutCredentials(next), { signal });
  };

  return {
    fetch: async (input, init) => {
      const isRequest = input instanceof node.Request;
      // The signal goes its own way, since it may be of a DOM.
      const { signal = isRequest ? input.signal : null, ...rest } = withOwnForm(init);
      const request = new node.Request(isRequest ? input : new URL(input as string | URL, url()), rest);
      const { origin } = new URL(request.url);
      if (!isOwn(new URL(request.url))) throw foreign(origin, url());
      if (isClosed) throw failed('the mock was closed');
      const stayAlive = setInterval(() => {}, 2 ** 30); // an open connection would keep the process too
      const call = follow(request, signal, 0);
      underWay.add(call);
      try {
        return await call;
      } finally {
        underWay.delete(call);
        clearInterval(stayAlive);
      }
    },
    close: async (ms) => {
      isClosed = true;
      const timer = setTimeout(connect.breakOff, ms);
      await Promise.allSettled(underWay);
      clearTimeout(timer);
    },
  };
};

/** A form of a DOM becomes one of Node, which sends any other as a text. */
const withOwnForm = (init: RequestInit = {}): RequestInit =>
  Object.prototype.toString.call(init.body) === '[object URLSearchParams]'
    ? { ...init, body: new URLSearchParams(String(init.body)) }
    : init;

/** Connections to a server that never listens. */
const createConnector = (app: RequestListener, messages: MessageClasses) => {
  const server = createServer(messages, app);
  const sockets = new Set<Duplex>();
  return {
    open: (): Duplex => {
      const [near, far] = duplexPair();
      sockets.add(near);
      near.once('close', () => {
        sockets.delete(near);
        far.destroy();
      });
      far.once('close', () => near.destroy());
      server.emit('connection', far); // node's documented way to give a server a stream of any kind
      return near;
    },
    breakOff: (): void => {
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** @throws the signal's reason if it aborts; TypeError if the connection is broken off, as `fetch` does */
const exchange = (
  request: Request,
  body: Buffer | undefined,
  signal: OptionalSignal,
  socket: Duplex,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method } = request;
    const { pathname, search, host } = new URL(request.url);
    const headers = { host, accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(request.headers) };
    const call = sendRequest({
      createConnection: () => socket,
      method,
      path: pathname + search,
      headers,
      ...(signal && { signal }),
    });
    // Through the event loop, as from a port: else a caller that asks again and again would keep timers from their turn.
    call.once('response', (message) =>
      setImmediate(resolve, signal ? addAbortSignal(signal, message) : message),
    );
    call.once('error', (error) => reject(signal?.aborted ? signal.reason : failed(error)));
    call.end(body);
  });

const REDIRECTS = [301, 302, 303, 307, 308];
const ABOUT_BODY = ['content-type', 'content-length', 'content-encoding'];
/** What was meant for this server alone. */
const CREDENTIALS = ['authorization', 'cookie', 'host'];

/** The request that a redirect asks for; undefined without a `Location`, which makes it an answer like any other. */
const redirected = (
  { method, url, headers, redirect }: Request,
  body: Buffer | undefined,
  { statusCode = 0, headers: { location } }: IncomingMessage,
): Request | undefined => {
  if (location === undefined || !REDIRECTS.includes(statusCode)) return undefined;
  const becomesGet = statusCode === 303 ? method !== 'HEAD' : statusCode < 303 && method === 'POST';
  const sent = becomesGet
    ? { method: 'GET', headers: without(headers, ABOUT_BODY) }
    : { method, headers, ...(body && { body }) };
  return new node.Request(new URL(location, url), { ...sent, redirect });
};

const withoutCredentials = (request: Request): Request =>
  new node.Request(request, { headers: without(request.headers, CREDENTIALS) });

const without = (headers: Headers, names: readonly string[]): Headers => {
  const left = new node.Headers(headers);
  for (const name of names) left.delete(name);
  return left;
};

const BODILESS = [204, 205, 304];

const toResponse = (message: IncomingMessage, address: string, isRedirected: boolean): Response => {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = message;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = BODILESS.includes(status) ? null : (Readable.toWeb(message) as WebStream<Uint8Array>); // of bytes
  const response = new node.Response(body, { status, statusText, headers });
  const url = address.replace(/#.*/, '');
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: isRedirected } });
};

const foreign = (origin: string, own: string): TypeError =>
  new TypeError(
    `mock.fetch only calls this mock, and ${origin} is not it. Give a path, or an address below ${own}.`,
  );

/** As `fetch` rejects. */
const failed = (cause: string | Error): TypeError =>
  new TypeError('fetch failed', { cause: typeof cause === 'string' ? new Error(cause) : cause });
