/** What `fetch` was asked to send, read the way `fetch` reads it. */

/** A request on its way, without the cost of a `Request` where nobody needs one. */
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
  init: RequestInit = {},
  base: string,
): Promise<Outgoing> => {
  const { method = 'GET', body, headers, redirect = 'follow', signal } = init;
  const isPlain = (body === undefined || body === null) && PLAIN_METHODS.has(method);
  if (!isPlain || input instanceof Request) return readRequest(input, init, base);
  return {
    url: new URL(input, base),
    method,
    headers: new Headers(headers),
    body: undefined,
    redirect,
    signal: signal ?? undefined,
  };
};

/** Written as servers know them, so that nothing has to be made of them. */
const PLAIN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** All else is left to the platform: bodies of every kind, and what may not be sent at all. */
const readRequest = async (
  input: string | URL | Request,
  init: RequestInit,
  base: string,
): Promise<Outgoing> => {
  const request = new Request(input instanceof Request ? input : new URL(input, base), init);
  return {
    url: new URL(request.url),
    method: request.method,
    headers: request.headers,
    body: request.body ? new Uint8Array(await request.arrayBuffer()) : undefined,
    redirect: request.redirect,
    signal: request.signal,
  };
};
