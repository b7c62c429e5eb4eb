/** One request and its response through a handler of node:http, with no connection between them. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import type { MessageClasses } from '../../http/messages.ts';
import { captureResponse, type Received } from './capture.ts';
import type { Outgoing } from './outgoing.ts';
import { createSocket } from './socket.ts';

/** What of a request is handed over. */
type Handed = Pick<Outgoing, 'method' | 'url' | 'body' | 'signal'> & {
  /** `Headers`, or the like: the platform's own cost a start 50 ms, for reading the module that they come from. */
  readonly headers: Iterable<readonly [string, string]>;
};

/**
 * Hands a request to the handler.
 * @throws the signal's reason if it aborts; TypeError if the handler breaks the connection off, as `fetch` does
 */
export const exchange = (
  handler: RequestListener,
  messages: MessageClasses,
  sent: Handed,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    // It has what node's messages use of a socket.
    const socket = createSocket() as unknown as Socket;
    const request = openRequest(messages, socket, sent);
    const response = new messages.ServerResponse(request);
    response.assignSocket(socket);
    // Answers come through the event loop, as from a connection: a caller that asks again and again would otherwise
    // keep timers and streams of the same process from ever having their turn.
    const capture = captureResponse(response, sent.method === 'HEAD', (received) =>
      setImmediate(resolve, received),
    );
    const fail = (error: unknown): void => {
      capture.fail(error);
      reject(error);
    };
    const { signal } = sent;
    const abort = (): void => {
      fail(signal?.reason);
      socket.destroy();
      request.destroy();
    };
    socket.once('close', () => {
      signal?.removeEventListener('abort', abort);
      if (!response.writableEnded) fail(brokenOff());
    });
    response.once('finish', () => socket.destroy());
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    handler(request, response);
  });

const openRequest = (messages: MessageClasses, socket: Socket, sent: Handed): IncomingMessage => {
  const { method, url, body } = sent;
  const headers: Record<string, string> = { host: url.host, accept: '*/*', 'user-agent': 'node' };
  for (const [name, value] of sent.headers) headers[name] = value;
  // As clients do: a method that takes a body says so when there is none.
  if (body || !WITHOUT_BODY.has(method)) headers['content-length'] = String(body?.byteLength ?? 0);
  const request = new messages.IncomingMessage(socket);
  request.method = method;
  request.url = url.pathname + url.search;
  request.httpVersion = '1.1';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.headers = headers;
  for (const [name, value] of Object.entries(headers)) request.rawHeaders.push(name, value);
  if (body) request.push(body);
  request.push(null);
  request.complete = true;
  return request;
};

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** As `fetch` rejects when a server closes a connection without an answer. */
const brokenOff = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('the mock broke the connection off'), { code: 'ECONNRESET' }),
  });
