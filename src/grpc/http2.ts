/** Serves HTTP/2 clients: answers their gRPC calls, and passes all other requests to the app. */
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { node } from '../core/node-globals.ts';
import { nextTurn } from '../core/turns.ts';
import type { AskApp } from '../server/http/in-process.ts';
import type { Http2 } from './share-port.ts';

const SETTINGS = { maxConcurrentStreams: 100 };
/** The memory limit of one session, in megabytes. */
const MOST_MEMORY = 256;

/** @param grpc answers gRPC calls, and returns false for other requests @param ask answers all other requests */
export const createHttp2 = (
  grpc: (request: Http2ServerRequest, response: Http2ServerResponse) => boolean,
  ask: AskApp,
): Http2 => {
  const server = createServer({ maxSessionMemory: MOST_MEMORY, settings: SETTINGS }, (request, response) =>
    inTurn(request.stream, () => {
      if (!grpc(request, response)) answerInProcess(request, ask).catch(() => response.stream.destroy());
    }),
  );
  const sessions = new Set<{ close(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  return {
    accept: (socket, { requestTimeout, unreadTimeout }) => {
      socket.allowHalfOpen = false; // a client that closes its sending side counts as disconnected
      server.once('session', (session) => {
        session.on('stream', (stream) => refuseSlow(stream, requestTimeout));
        disconnectIdle(session, socket, unreadTimeout);
      });
      server.emit('connection', socket); // Node's documented way to hand a connection to a server
    },
    close: () => {
      for (const session of sessions) session.close();
    },
  };
};

/** When the latest call of a session has begun. */
const begun = new WeakMap<object, Promise<void>>();

/** Runs a call in a turn of its own: else a client that sends a hundred calls in one piece would hold everybody. */
const inTurn = (stream: ServerHttp2Stream, run: () => void): void => {
  const session = stream.session ?? stream;
  const turn = (begun.get(session) ?? Promise.resolve()).then(nextTurn).then(() => {
    if (!stream.destroyed) run();
  });
  begun.set(session, turn);
};

/** Disconnects a client that for so many milliseconds reads nothing of an answer, or neither calls nor sends anything. */
const disconnectIdle = (session: ServerHttp2Session, socket: Socket, limit: number): void => {
  let streams = 0;
  session.on('stream', (stream) => {
    streams += 1;
    stream.once('close', () => {
      streams -= 1;
    });
    // Destroys the socket, since a session that is closed waits for the client to read, and then to hang up.
    watchReading(stream, limit, () => socket.destroy());
  });
  session.setTimeout(limit);
  session.on('timeout', () => {
    // An answer that is not ready, such as the answer to a long wait, has not been left unread.
    if (streams > 0) return void session.setTimeout(limit);
    session.close(); // tells the client to open another connection for its next call
    socket.setTimeout(limit, () => socket.destroy());
  });
};

/** Node's own timers of streams do not end if the client sends pings, since the answers to these count as progress. */
const watchReading = (stream: ServerHttp2Stream, limit: number, giveUp: () => void): void => {
  let unread = 0;
  const timer = setInterval(() => {
    if (stream.writableLength > 0 && stream.writableLength === unread) giveUp();
    unread = stream.writableLength;
  }, limit);
  stream.on('drain', () => {
    unread = 0;
  });
  stream.once('close', () => clearInterval(timer));
};

/** Ends a request that is not complete in time. For HTTP/1.1, Node does this itself. */
const refuseSlow = (stream: ServerHttp2Stream, patience: number): void => {
  if (stream.endAfterHeaders) return;
  const timer = setTimeout(() => {
    if (!stream.headersSent) stream.respond({ ':status': 408 }, { endStream: true });
    stream.close(constants.NGHTTP2_CANCEL);
  }, patience);
  const stop = (): void => clearTimeout(timer);
  stream.once('end', stop).once('close', stop);
};

/** Calls the app in process, since Express reads only HTTP/1.1 messages. */
const answerInProcess = async (
  { method, url, authority, headers, stream }: Http2ServerRequest,
  ask: AskApp,
): Promise<void> => {
  const gone = new node.AbortController();
  stream.once('close', () => gone.abort());
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const hasBody = !stream.endAfterHeaders;
  const reply = await ask({
    method,
    url,
    headers: {
      host: authority,
      ...(hasBody && headers['content-length'] === undefined && { 'transfer-encoding': 'chunked' }),
      ...Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
    },
    body: hasBody ? stream : undefined,
    remoteAddress: stream.session?.socket.remoteAddress ?? 'gone',
    signal: gone.signal,
  });
  // If the client has just reset the connection, a write would hang on Node 20; the event 'close' will abort the call.
  if (stream.session?.socket.destroyed) return;
  stream.respond({ ':status': reply.status, ...Object.fromEntries(reply.headers) });
  await pipeline(reply.body, inPieces, stream);
  if (!stream.readableEnded) stream.close(); // stops an upload that the app does not read
};

const PIECE = 64 * 1024;

/** Cuts long chunks, so that `watchReading` sees that a slow client reads. */
async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
}
