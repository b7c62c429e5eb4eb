/** A request of the API without a network: node's own message classes over a connection that leads nowhere. */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
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
  /** Ends the call: whoever asked has gone, or waits no longer. */
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

export type Exchange = (request: ApiRequest) => Promise<ApiReply>;

/** What is written here was taken before, when it was still a body. */
class NowhereSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  override write(_chunk: unknown, encodingOrDone?: unknown, done: unknown = encodingOrDone): boolean {
    if (typeof done === 'function') done();
    return true;
  }
  override _read(): void {}
  setTimeout(): this {
    return this;
  }
}

/** @returns a function that rejects with `BrokenOff`, or with the signal's reason */
export const createExchange =
  (app: RequestListener, messages: MessageClasses): Exchange =>
  ({ signal, mark, ...sent }) =>
    new Promise((resolve, reject) => {
      // It has what node's messages use of a socket.
      const socket = new NowhereSocket() as unknown as Socket;
      const request = toMessage(messages, socket, sent);
      mark(request);
      const response = new messages.ServerResponse(request);
      response.assignSocket(socket);
      const chunks: (string | Uint8Array)[] = [];
      const { write, end, writeHead } = response;
      let head: OutgoingHttpHeaders = {};
      const keep = (chunk: unknown): void => {
        if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(chunk);
      };
      response.writeHead = (...given: unknown[]) => {
        const last = given.at(-1);
        if (typeof last === 'object') head = { ...last };
        return Reflect.apply(writeHead, response, given);
      };
      response.write = (...given: unknown[]) => {
        keep(given[0]);
        return Reflect.apply(write, response, given);
      };
      response.end = (...given: unknown[]) => {
        keep(given[0]);
        return Reflect.apply(end, response, given);
      };
      const abort = (): void => {
        reject(signal.reason);
        socket.destroy();
      };
      let isOver = false;
      response.once('finish', () => {
        isOver = true;
        const { statusCode: status } = response;
        resolve({
          status,
          headers: { ...response.getHeaders(), ...head },
          body: textOf(chunks),
        });
        socket.destroy();
      });
      socket.once('close', () => {
        signal.removeEventListener('abort', abort);
        if (isOver) return;
        response.destroy();
        reject(new BrokenOff('The mock broke the call off.'));
      });
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      app(request, response);
    });

const textOf = (chunks: readonly (string | Uint8Array)[]): string =>
  chunks.every((chunk) => typeof chunk === 'string')
    ? chunks.join('')
    : Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString();

const toMessage = (
  messages: MessageClasses,
  socket: Socket,
  { method, url, headers, body }: Pick<ApiRequest, 'method' | 'url' | 'headers' | 'body'>,
): IncomingMessage => {
  const message = new messages.IncomingMessage(socket);
  message.method = method;
  message.url = url;
  message.httpVersion = '1.1';
  message.httpVersionMajor = 1;
  message.httpVersionMinor = 1;
  message.headers = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
  for (const [name, value] of Object.entries(headers)) message.rawHeaders.push(name, value);
  if (body !== '') message.push(Buffer.from(body));
  message.push(null);
  message.complete = true;
  return message;
};
