/** Stops a server: answers the requests under way, and then closes every connection. */
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Keeps the open connections of a server. */
export const trackSockets = (server: Server): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
};

/**
 * Once drained, ends each connection after the answer to its last request. Tracks the connections itself, because Node
 * never closes a connection whose client hangs up while an answer waits behind earlier answers.
 */
export const withDraining = (app: RequestListener) => {
  const latest = new Map<Duplex, ServerResponse>();
  let isClosing = false;
  const end = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  return {
    answer: ((request, response) => {
      const { socket } = request;
      if (!latest.has(socket)) socket.once('close', () => latest.delete(socket));
      latest.set(socket, response);
      if (isClosing) end(response);
      app(request, response);
    }) satisfies RequestListener,
    drain: (): void => {
      isClosing = true;
      latest.forEach(end);
    },
    /** Whether a part of an answer was sent, and the rest is still to come. */
    isAnswering: (socket: Duplex): boolean => {
      const response = latest.get(socket);
      return response?.headersSent === true && !response.writableFinished;
    },
  };
};

const GRACE = 5_000;
const SWEEP = 20;
/** Milliseconds that an idle connection stays open: its client may have sent another request already. */
const IDLE_GRACE = 50;

/**
 * Closes idle connections again and again: Node alone would wait for connections that become idle later, or that never
 * sent a request.
 */
export const closeServer = (server: Server, sockets: ReadonlySet<Socket>): Promise<void> =>
  new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const idleGrace = setTimeout(() => {
      closeIdle(server, sockets);
      sweep = setInterval(() => closeIdle(server, sockets), SWEEP);
    }, IDLE_GRACE);
    const force = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE);
    // `close` of an HTTP server would reset idle connections at once, so this calls the `close` that it inherits.
    Reflect.apply(NetServer.prototype.close, server, [
      () => {
        clearTimeout(idleGrace);
        clearInterval(sweep);
        clearTimeout(force);
        server.close();
        resolve();
      },
    ]);
  });

const closeIdle = (server: Server, sockets: ReadonlySet<Socket>): void => {
  server.closeIdleConnections();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
};
