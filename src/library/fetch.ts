/** `fetch` for a mock in this process, without a network. Redirects, signals and forms work as in Node's `fetch`. */
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { clearTimeout, setTimeout } from 'node:timers'; // these timers work even if tests replace the global timers
import { node } from '../engine/core/node-globals.ts';
import { defined } from '../engine/core/object.ts';
import type { Environments } from '../engine/environments/all-environments.ts';
import { type AppReply, BrokenOff, IN_PROCESS_HOST, type InProcess } from '../engine/http/in-process.ts';

const MOST_REDIRECTS = 20;
/** When the mock closes, calls under way get this many milliseconds to finish. */
const GRACE = 5_000;

export const createFetch = ({ ask, breakOff }: InProcess, environments: Environments) => {
  const underWay = new Set<Promise<Response>>();
  let isClosed = false;

  const isOwn = ({ host, origin }: URL): boolean =>
    host === IN_PROCESS_HOST || origin === new URL(environments.baseUrl).origin;
  return {
    /** Works like the global `fetch`, but accepts only addresses of this mock. Redirects can lead to any server. */
    fetch: async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const { request, signal } = toRequest(input, init, environments.baseUrl);
      const url = new URL(request.url);
      if (!isOwn(url))
        throw new TypeError(
          `mock.fetch calls only this mock, and ${url.origin} is another server. Give a path, or an address that starts with ${environments.baseUrl}.`,
        );
      if (isClosed) throw failed('the mock was closed');
      const call = follow({ ask, isOwn }, request, signal).finally(() => underWay.delete(call));
      underWay.add(call);
      return call;
    },
    /** Refuses further calls, and waits for calls under way. Breaks off calls that take longer than `GRACE`. */
    close: async (): Promise<void> => {
      isClosed = true;
      const timer = setTimeout(breakOff, GRACE);
      await Promise.allSettled(underWay);
      clearTimeout(timer);
    },
  };
};

const toRequest = (input: string | URL | Request, init: RequestInit, baseUrl: string) => {
  if (!input)
    throw new TypeError('fetch needs a path such as /api/v1/connections, or an address of this mock.');
  const isRequest = input instanceof node.Request;
  // `init` can be a Request. `{ ...init }` would miss the members of a Request, so each member is read by name.
  const { signal = isRequest ? input.signal : null, method, headers, body, redirect } = withOwnForm(init);
  const address = isRequest ? input : new URL(input, baseUrl);
  // The signal is not passed to the request, because Node rejects the signals of a DOM such as jsdom.
  const rest = { ...defined({ method, headers, body, redirect }), duplex: 'half' };
  return { request: new node.Request(address, rest as RequestInit), signal };
};

/** Makes a call, and those to which its replies redirect. */
const follow = async (
  door: Pick<InProcess, 'ask'> & { isOwn(url: URL): boolean },
  request: Request,
  signal: AbortSignal | null,
  redirects = 0,
): Promise<Response> => {
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
  const reply = await door.ask({ signal, ...toCall(request, body) }).catch((error: unknown) => {
    throw error instanceof BrokenOff ? failed(error) : error; // else the signal's reason
  });
  const next = request.redirect === 'manual' ? undefined : redirected(request, body, reply);
  if (!next) return toResponse(reply, request.url, redirects > 0);
  reply.body.resume();
  if (request.redirect === 'error') throw failed('the mock answered with a redirect');
  if (redirects === MOST_REDIRECTS) throw failed(`more than ${MOST_REDIRECTS} redirects`);
  return door.isOwn(new URL(next.url))
    ? follow(door, next, signal, redirects + 1)
    : fetch(new node.Request(next, { headers: without(next.headers, CREDENTIALS) }), { signal });
};

/** Adds the content type to a form whose class Node does not recognize, such as the `URLSearchParams` of jsdom. */
const withOwnForm = (init: RequestInit): RequestInit => {
  if (Object.prototype.toString.call(init.body) !== '[object URLSearchParams]') return init;
  const headers = new node.Headers(init.headers);
  if (!headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
  return { ...init, headers, body: String(init.body) };
};

const toCall = ({ method, url, headers: given }: Request, body: Buffer | undefined) => {
  const { pathname, search, host } = new URL(url);
  const hasSize = body || ['POST', 'PUT', 'PATCH'].includes(method);
  const headers = {
    host,
    accept: '*/*',
    'user-agent': 'node',
    ...Object.fromEntries(given),
    ...(hasSize && { 'content-length': String(body?.length ?? 0) }),
  };
  return { method, url: pathname + search, headers, body };
};

const ABOUT_BODY = ['content-type', 'content-length', 'content-encoding'];
/** Headers to remove when a redirect leads to another server. */
const CREDENTIALS = ['authorization', 'cookie', 'host'];

/** The request to which a redirect leads; undefined for a reply that does not redirect. */
const redirected = (
  { method, url, headers, redirect }: Request,
  body: Buffer | undefined,
  { status, headers: received }: AppReply,
): Request | undefined => {
  const [, location] = received.find(([name]) => name === 'location') ?? [];
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
  const sent = becomesGet
    ? { method: 'GET', headers: without(headers, ABOUT_BODY) }
    : { method, headers, ...(body && { body }) };
  return new node.Request(new URL(location, url), { ...sent, redirect });
};

const without = (headers: Headers, names: readonly string[]): Headers => {
  const left = new node.Headers(headers);
  for (const name of names) left.delete(name);
  return left;
};

const toResponse = (reply: AppReply, address: string, isRedirected: boolean): Response => {
  const { status, statusText, headers } = reply;
  const hasNoBody = [204, 205, 304].includes(status);
  const body = hasNoBody ? null : (Readable.toWeb(reply.body) as WebStream<Uint8Array>); // the cast is safe: `reply.body` is a stream of bytes
  const response = new node.Response(body, { status, statusText, headers: headers.map(([...pair]) => pair) });
  const url = address.replace(/#.*/, '');
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: isRedirected } });
};

const failed = (cause: string | Error): TypeError =>
  new TypeError('fetch failed', { cause: typeof cause === 'string' ? new Error(cause) : cause });
