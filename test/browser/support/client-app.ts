/** The application that a user comes from: its page that the service sends users back to. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ClientApp {
  /** Its `user_verify_url`. */
  readonly verifyUrl: string;
  close(): Promise<void>;
}

const PAGE =
  '<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,"><h1>Back in the application</h1>';

export const startClientApp = async (): Promise<ClientApp> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return {
    verifyUrl: `http://127.0.0.1:${port}/verify?from=mock`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
