/** Serves HTTP/2 clients. Only gRPC needs that protocol, so all other requests are refused. */
import { createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { finish } from './exchange.ts';
import type { Http2 } from './share-port.ts';

const SETTINGS = { maxConcurrentStreams: 100 };
/** The memory limit of one session, in megabytes. */
const MOST_MEMORY = 256;

/** @param grpc answers gRPC calls, and returns false for other requests */
export const createHttp2 = (
  grpc: (request: Http2ServerRequest, response: Http2ServerResponse) => boolean,
): Http2 => {
  const server = createServer({ maxSessionMemory: MOST_MEMORY, settings: SETTINGS }, (request, response) => {
    if (!grpc(request, response)) finish(request, response, 505, REST);
  });
  const sessions = new Set<{ close(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  return {
    accept: (socket) => {
      socket.allowHalfOpen = false; // a client that closes its sending side counts as disconnected
      server.emit('connection', socket); // Node's documented way to hand a connection to a server
    },
    close: () => {
      for (const session of sessions) session.close();
    },
  };
};

const REST = 'Over HTTP/2, the mock answers only gRPC calls. Send this request over HTTP/1.1.\n';
