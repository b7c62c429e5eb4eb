/** Takes what a handler writes into node's response before it becomes bytes of a connection. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A response, as soon as its head is known. */
export interface Received {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** A stream only if the response did not end at once. */
  readonly body: Uint8Array | string | ReadableStream<Uint8Array> | null;
}

export interface Capture {
  /** Ends a body that somebody may be reading with an error. */
  fail(error: unknown): void;
}

type Chunk = string | Uint8Array;
type Rest = readonly unknown[];

/**
 * Node's response goes on to do all else that a response does: it counts, refuses headers that come too late, and says
 * when it is finished. Its methods are replaced on the object and not by a class, since its prototype is the one that
 * Express wants.
 * @param isHead such a response never has a body
 * @param onHead told once, with the whole body where it is known
 */
export const captureResponse = (
  response: ServerResponse,
  isHead: boolean,
  onHead: (received: Received) => void,
): Capture => {
  const hasBody = (): boolean => !isHead && !EMPTY_STATUSES.has(response.statusCode);
  const sink = createSink(
    (body) => onHead({ ...headOf(response), body: hasBody() ? body : null }),
    () => response.socket?.destroy(),
  );
  const { write, end, writeHead, flushHeaders } = response;
  Object.assign(response, {
    writeHead: (status: number, ...rest: Rest) => {
      setHeaders(response, rest);
      return Reflect.apply(writeHead, response, [status]);
    },
    flushHeaders: () => {
      sink.open();
      Reflect.apply(flushHeaders, response, []);
    },
    write: (chunk: Chunk, ...rest: Rest) => {
      sink.write(toBytes(chunk, rest[0]));
      return Reflect.apply(write, response, [chunk, ...rest]);
    },
    end: (...all: Rest) => {
      if (!response.writableEnded) sink.end(lastChunk(all));
      return Reflect.apply(end, response, all);
    },
  });
  return sink;
};

const EMPTY_STATUSES = new Set([204, 205, 304]);

interface Sink extends Capture {
  /** The head is known; the body will come. */
  open(): void;
  write(chunk: Uint8Array): void;
  end(chunk: Chunk): void;
}

const createSink = (onHead: (body: Received['body']) => void, onCancel: () => void): Sink => {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isOpen = false;
  const open = (): void => {
    if (isOpen) return;
    isOpen = true;
    const cancel = (): void => {
      stream = undefined;
      onCancel();
    };
    const start = (controller: typeof stream): void => {
      stream = controller;
    };
    onHead(new ReadableStream<Uint8Array>({ start, cancel }));
  };
  return {
    open,
    write: (chunk) => {
      open();
      stream?.enqueue(chunk);
    },
    end: (chunk) => {
      if (!isOpen) onHead(chunk);
      else if (chunk.length > 0) stream?.enqueue(toBytes(chunk, 'utf8'));
      isOpen = true;
      stream?.close();
      stream = undefined;
    },
    fail: (error) => {
      stream?.error(error);
      stream = undefined;
    },
  };
};

const headOf = (response: ServerResponse): Pick<Received, 'status' | 'headers'> => {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (Array.isArray(value)) for (const one of value) headers.push([name, one]);
    else headers.push([name, String(value)]);
  }
  return { status: response.statusCode, headers };
};

/** `writeHead(status, headers)` writes them at once, where nobody could read them back. */
const setHeaders = (response: ServerResponse, rest: Rest): void => {
  const headers = rest.find((part) => typeof part === 'object' && part !== null) ?? {};
  for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) // the only object it takes
    if (value !== undefined) response.setHeader(name, value);
};

/** What `end` is given beside a callback: nothing, or a chunk and its encoding. */
const lastChunk = ([chunk, encoding]: Rest): Chunk => {
  if (typeof chunk === 'string') return isUtf8(encoding) ? chunk : toBytes(chunk, encoding);
  return chunk instanceof Uint8Array ? chunk : '';
};

const isUtf8 = (encoding: unknown): boolean => typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);

const toBytes = (chunk: Chunk, encoding: unknown): Uint8Array =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8') // node names it so
    : chunk;
