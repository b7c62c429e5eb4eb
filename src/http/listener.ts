/** A port of this machine: opened for an app, and closed so that nothing is left open. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { MessageClasses } from './messages.ts';

export interface ListenOptions {
  /** 0 for any that is free. */
  readonly port: number;
  readonly host: string;
  /** Files in PEM; both or none. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export interface Listener {
  /** Where it listens, as a client calls it: `http://127.0.0.1:4720`. */
  readonly url: string;
  /** Takes no more connections. Requests under way finish, for five seconds at most; then nothing is left open. */
  close(): Promise<void>;
}

/** @throws Error that says what to do about a port that is taken or an address this machine does not have */
export const listen = async (
  app: RequestListener,
  messages: MessageClasses,
  options: ListenOptions,
): Promise<Listener> => {
  const { port, host, tls } = options;
  const server = tls
    ? createHttpsServer({ ...messages, cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, app)
    : createHttpServer(messages, app);
  const sockets = trackSockets(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, options)));
    server.listen(port, host, resolve);
  });
  const url = `${tls ? 'https' : 'http'}://${nameOf(host)}:${portOf(server)}`;
  let closed: Promise<void> | undefined;
  return {
    url,
    close: () => {
      closed ??= closeServer(server, sockets);
      return closed;
    },
  };
};

const ADVICE: Readonly<Record<string, (options: ListenOptions) => string>> = {
  EADDRINUSE: ({ port, host }) =>
    `Port ${port} of ${host} is in use. Choose another one, or 0 for any that is free.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user. Choose one from 1024 on.`,
  EADDRNOTAVAIL: ({ host }) => `This machine has no address ${host}. Choose 127.0.0.1 or 0.0.0.0.`,
  ENOTFOUND: ({ host }) => `The host ${host} is unknown. Choose 127.0.0.1 or 0.0.0.0.`,
};

const explained = (error: NodeJS.ErrnoException, options: ListenOptions): Error => {
  const advise = ADVICE[error.code ?? ''];
  return advise ? Object.assign(new Error(advise(options), { cause: error }), { code: error.code }) : error;
};

/** A wildcard address is no name that a client can call. */
const nameOf = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port; // it listens on TCP

const trackSockets = (server: Server): ReadonlySet<Socket> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
};

const GRACE = 5_000;
const SWEEP = 20;

/** Node waits for kept-alive connections that fall idle later, and for those that never sent a request. */
const closeServer = (server: Server, sockets: ReadonlySet<Socket>): Promise<void> =>
  new Promise((resolve) => {
    const sweep = setInterval(() => closeIdle(server, sockets), SWEEP);
    const force = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(force);
      resolve();
    });
    closeIdle(server, sockets);
  });

const closeIdle = (server: Server, sockets: ReadonlySet<Socket>): void => {
  server.closeIdleConnections();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
};
