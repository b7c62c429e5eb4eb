/** What `fetch` was asked to send, read the way `fetch` reads it. */

/** A request on its way, without a `Request` where nobody needs one: to make and read one costs as much as the call. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly redirect: NonNullable<RequestInit['redirect']>;
  readonly signal: AbortSignal | undefined;
}

/** @param base that a path is relative to. @throws TypeError as `fetch` for what cannot be sent */
export const readOutgoing = async (
  input: string | URL | Request,
  init: RequestInit | undefined,
  base: string,
): Promise<Outgoing> => {
  const { method = 'GET', body, redirect = 'follow', signal } = init ?? {};
  if (!isPlain(method, body) || input instanceof Request) return readRequest(input, init, base);
  const headers = new Headers(init?.headers);
  if (typeof body === 'string' && !headers.has('content-type'))
    headers.set('content-type', 'text/plain;charset=UTF-8');
  return {
    url: new URL(input, base),
    method,
    headers,
    body: typeof body === 'string' ? Buffer.from(body) : undefined,
    redirect,
    signal: signal ?? undefined,
  };
};

/** Nothing to make of the method or the body, but bytes of a text. */
const isPlain = (method: string, body: unknown): body is string | null | undefined =>
  body === undefined || body === null
    ? KNOWN_METHODS.has(method)
    : typeof body === 'string' && BODY_METHODS.has(method);

/** Written as servers know them. */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const KNOWN_METHODS = new Set(['GET', 'HEAD', ...BODY_METHODS]);

/** All else is left to the platform: bodies of every kind, and what may not be sent at all. */
const readRequest = async (
  input: string | URL | Request,
  init: RequestInit | undefined,
  base: string,
): Promise<Outgoing> => {
  const isReady = input instanceof Request && !init;
  const request = isReady
    ? input
    : new Request(input instanceof Request ? input : new URL(input, base), init);
  return {
    url: new URL(request.url),
    method: request.method,
    headers: request.headers,
    body: request.body ? new Uint8Array(await request.arrayBuffer()) : undefined,
    redirect: request.redirect,
    signal: request.signal,
  };
};
