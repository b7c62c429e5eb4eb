/** The classes of the app's messages, and calls of the app without a network, through these classes and an in-memory socket. */
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTick } from 'node:process';
import { type Duplex, type Readable, Transform } from 'node:stream';
import timers from 'node:timers';
import express, { type Express as App } from 'express';
import type { Refusal } from '../core/errors.ts';

/** The original timer, read when this file is loaded: a test runner that fakes timers replaces it later. */
const { setImmediate } = timers;

export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Creates the classes to pass to `http.createServer`. They already have the prototypes that Express sets on every request:
 * setting another one takes two thirds of Express' time on Node 20 and 22, and setting the same one costs nothing.
 */
export const createMessageClasses = (app: App): MessageClasses => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {}
  adopt(AppRequest.prototype, express.request, app);
  adopt(AppResponse.prototype, express.response, app);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};

/** Adds Express' methods to a message class, and the app as a member that Express reads. */
const adopt = (prototype: object, methods: object, app: App): void => {
  Object.setPrototypeOf(prototype, methods);
  Object.defineProperty(prototype, 'app', { value: app, configurable: true, writable: true });
};

/** The host of a mock that does not listen. It is accepted from the own process only: on a network others could claim it. */
export const IN_PROCESS_HOST = 'mock.local';

export interface AppCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Aborts when the client has disconnected or no longer waits. This ends the call and the body of the reply. */
  readonly signal?: AbortSignal | null | undefined;
  readonly grpc?: GrpcOrigin;
}

export interface AppReply {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case; a name can occur more than once. Headers about a network connection are left out. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body of the reply. Destroy it to tell the app that the client has disconnected. */
  readonly body: Readable;
}

export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

/** @returns the reply, once its status and headers are known @throws `BrokenOff`, or the reason of the signal */
export type AskApp = (call: AppCall) => Promise<AppReply>;

export type InProcess = ReturnType<typeof createInProcess>;

export const createInProcess = (app: RequestListener, messages: MessageClasses) => {
  const open = new Set<Duplex>();
  const ask: AskApp = (call) =>
    new Promise((resolve, reject) => {
      const { signal } = call;
      const socket = openSocket((head) => {
        const { statusCode: status, statusMessage: statusText } = response;
        // A reply takes a turn of the event loop, as over a network: a caller in a loop must not keep timers waiting.
        setImmediate(() => resolve({ status, statusText, headers: readHeaders(head), body: socket }));
      });
      const request = toMessage(messages, socket, call);
      const response = toResponse(messages, socket, request);
      const abort = (): void => void socket.destroy(signal?.reason);
      open.add(socket);
      response.once('finish', () => open.delete(socket));
      socket.on('error', reject); // has no effect after `resolve`
      socket.once('close', () => {
        open.delete(socket);
        signal?.removeEventListener('abort', abort);
      });
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort);
      app(request, response);
    });
  const breakOff = (): void => {
    for (const socket of open) socket.destroy();
  };
  return { ask, breakOff };
};

const toMessage = (
  { IncomingMessage }: MessageClasses,
  socket: Duplex,
  { method, url, headers, body = '', grpc }: AppCall,
): IncomingMessage => {
  const message = new IncomingMessage(socket as Socket);
  Object.assign(message, { method, url, grpc, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  message.headers = { ...headers };
  message.rawHeaders = Object.entries(headers).flat();
  if (body.length > 0) message.push(Buffer.from(body));
  message.complete = true;
  message.push(null);
  return message;
};

const toResponse = ({ ServerResponse }: MessageClasses, socket: Duplex, request: IncomingMessage) => {
  const response = new ServerResponse(request);
  response.useChunkedEncodingByDefault = false; // chunked encoding would write chunk sizes into the body
  response.assignSocket(socket as Socket); // the cast is safe: a Duplex has every socket member that Node's response uses
  socket.on('drain', () => response.emit('drain'));
  return response.once('finish', () => {
    socket.end();
    nextTick(() => response.emit('close')); // as Node's server does
  });
};

/** The maximum number of bytes buffered for a slow reader, as a network would buffer them. */
const BACKLOG = 256 * 1024;
const CUT = 'The mock closed the connection before the reply was complete.';
const BLANK_LINE = '\r\n\r\n';

/** A socket for a response to write to, from which the body of that response is read. */
const openSocket = (onHead: (head: string) => void): Duplex => {
  let isBody = false;
  return new Transform({
    readableHighWaterMark: BACKLOG,
    transform: (bytes: Buffer, _encoding, done) => {
      const end = isBody ? 0 : bytes.indexOf(BLANK_LINE) + BLANK_LINE.length; // the first write contains the whole head
      if (!isBody) onHead(bytes.toString('latin1', 0, end));
      isBody = true;
      done(null, bytes.subarray(end));
    },
    destroy(error, done) {
      done(error ?? (this.writableEnded ? null : new BrokenOff(CUT)));
    },
  });
};

/** Headers about a network connection, which a call in process does not have. */
const OF_CONNECTION = /^(connection|keep-alive|transfer-encoding)$/;

const readHeaders = (head: string): AppReply['headers'] => {
  const [, ...lines] = head.trimEnd().split('\r\n'); // without the status
  const headers = lines.map((line) => {
    const [name = '', value = ''] = line.split(/: *(.*)/s);
    return [name.toLowerCase(), value] as const;
  });
  return headers.filter(([name]) => !OF_CONNECTION.test(name));
};

/** The gRPC call that a request was converted from. */
export interface GrpcOrigin {
  /** The method as `package.Service/Method`. */
  readonly method: string;
  /** The newest world when the call began; absent for a call that no method answers (behaviour E8). */
  readonly began?: number;
  /** Why nothing can answer the call: the descriptors have no such method, or a value for the path is missing. */
  readonly refusal?: Refusal | undefined;
  /** Why no operation can answer the call. A stub still can (behaviour X4). */
  readonly unserved?: Refusal | undefined;
  /** What the conversion loses. The reply is converted after the call was recorded, so the list can still grow. */
  readonly warnings?: string[];
}

declare global {
  namespace Express {
    interface Request {
      /** Set only for a request that was converted from a gRPC call. */
      readonly grpc?: GrpcOrigin;
    }
  }
}
