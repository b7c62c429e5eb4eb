/** Servers of tests: other services, applications behind or in front of a mock, and listeners without a mock. */
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../../src/engine/http/listener.ts';

/** Starts a server on a free port. */
export const serveHttp = async (listener: RequestListener, options: ServerOptions = {}) => {
  const server = createServer(options, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // the server listens on TCP, so it has a port
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, port, server, close, [Symbol.asyncDispose]: close };
};

type Listen = Parameters<typeof listen>;

/** Starts the mock's own listener with another app. */
export const openListener = async (app: Listen[0], options: Pick<Listen[2], 'sharing'> = {}) => {
  const listener = await listen(
    app,
    { IncomingMessage, ServerResponse },
    { port: 0, host: '127.0.0.1', ...options },
  );
  return { ...listener, port: Number(new URL(listener.url).port) };
};
