/** A request of the API without a network: node's own message classes over a connection that leads nowhere. */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { MessageClasses } from '../http/messages.ts';

export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the call: the client has gone, or waits no longer. */
  readonly signal: AbortSignal;
  /** Sees the request before the app does. */
  readonly mark: (request: IncomingMessage) => void;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Of an exchange that ends without a reply, because the app broke the connection off. */
export class BrokenOff extends Error {}

export type AskApi = (request: ApiRequest) => Promise<ApiReply>;

export interface ExchangeOptions {
  /** What answers the calls, as requests of the API. */
  readonly app: RequestListener;
  readonly messages: MessageClasses;
  /** The body that a response was sent with. */
  readonly bodyOf: (response: ServerResponse) => string;
}

/** Takes whatever is written; the body of a response is known elsewhere. */
class NowhereSocket extends Duplex {
  override write(_chunk: unknown, encodingOrDone?: unknown, done: unknown = encodingOrDone): boolean {
    if (typeof done === 'function') done();
    return true;
  }
  override _read(): void {}
}

/** @returns a function that rejects with `BrokenOff`, or with the signal's reason */
export const createExchange =
  ({ app, messages, bodyOf }: ExchangeOptions): AskApi =>
  ({ signal, mark, ...sent }) =>
    new Promise((resolve, reject) => {
      const socket = new NowhereSocket() as unknown as Socket; // it has what node's messages use of one
      const request = toMessage(messages, socket, sent);
      mark(request);
      const response = new messages.ServerResponse(request);
      response.assignSocket(socket);
      const abort = (): void => {
        reject(signal.reason);
        socket.destroy();
      };
      const breakOff = (): void => {
        signal.removeEventListener('abort', abort);
        response.destroy();
        reject(new BrokenOff('The mock broke the call off.'));
      };
      socket.once('close', breakOff);
      response.once('finish', () => {
        signal.removeEventListener('abort', abort);
        socket.off('close', breakOff).destroy();
        resolve({ status: response.statusCode, headers: response.getHeaders(), body: bodyOf(response) });
      });
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      app(request, response);
    });

const toMessage = (
  { IncomingMessage }: MessageClasses,
  socket: Socket,
  { method, url, headers, body }: Pick<ApiRequest, 'method' | 'url' | 'headers' | 'body'>,
): IncomingMessage => {
  const message = new IncomingMessage(socket);
  Object.assign(message, { method, url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  message.headers = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
  message.rawHeaders = Object.entries(headers).flat();
  if (body !== '') message.push(Buffer.from(body));
  message.push(null);
  message.complete = true;
  return message;
};
