/** One request and its response through a handler of node:http, with no connection between them. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { MessageClasses } from '../../http/messages.ts';
import { captureResponse, type Received } from './capture.ts';
import { createSocket } from './socket.ts';

/** What goes in: as a client would send it. */
export interface Sent {
  readonly method: string;
  /** Path and query, as in a request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
}

/**
 * Hands a request to the handler.
 * @throws the signal's reason if it aborts; TypeError if the handler breaks the connection off, as `fetch` does
 */
export const exchange = (handler: RequestListener, messages: MessageClasses, sent: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    // Of a socket, node's messages use what every duplex stream has.
    const socket = createSocket() as unknown as Socket;
    const request = openRequest(messages, socket, sent);
    const response = new messages.ServerResponse(request);
    response.assignSocket(socket);
    const capture = captureResponse(response, sent.method === 'HEAD', resolve);
    const fail = (error: unknown): void => {
      capture.fail(error);
      reject(error);
    };
    const abort = (): void => {
      fail(sent.signal.reason);
      request.destroy();
      socket.destroy();
    };
    socket.once('close', () => {
      sent.signal.removeEventListener('abort', abort);
      if (!response.writableEnded) fail(brokenOff());
    });
    response.once('finish', () => socket.destroy());
    if (sent.signal.aborted) return abort();
    sent.signal.addEventListener('abort', abort);
    handler(request, response);
  });

const openRequest = (messages: MessageClasses, socket: Socket, sent: Sent): IncomingMessage => {
  const request = new messages.IncomingMessage(socket);
  request.method = sent.method;
  request.url = sent.target;
  request.httpVersion = '1.1';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.headers = { ...sent.headers };
  request.rawHeaders = Object.entries(sent.headers).flat();
  if (sent.body) request.push(sent.body);
  request.push(null);
  request.complete = true;
  return request;
};

/** As `fetch` rejects when a server closes a connection without an answer. */
const brokenOff = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('the mock broke the connection off'), { code: 'ECONNRESET' }),
  });
