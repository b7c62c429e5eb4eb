/** Servers of tests: other services, and applications behind or in front of a mock. */
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';

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
