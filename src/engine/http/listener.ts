/** Opens a port for an app, and closes it so that no connection stays open. */
import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { readRegularFile } from '../core/files.ts';
import { nextTurn } from '../core/turns.ts';
import type { MessageClasses } from './messages.ts';
import { answerUnreadable } from './unreadable.ts';

/** Lets clients of another protocol use the same port. */
export interface PortSharing {
  /** What a TLS client can choose from, the preferred protocol first. */
  readonly protocols: readonly string[];
  /** Takes over the connections of `server` that use the other protocol. @returns a function that closes them */
  share(server: Server, isTls: boolean): () => void;
}

/** Paths of files in PEM. */
interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** Default: plain HTTP. */
  readonly tls?: CertificateFiles | undefined;
  /** Default: HTTP/1.1 only. */
  readonly sharing?: PortSharing;
}

export interface Listener {
  /** The address that clients call: `http://127.0.0.1:4720`. */
  readonly url: string;
  /** Stops accepting connections. Requests in progress get five seconds to finish; then every connection is closed. */
  close(): Promise<void>;
}

/**
 * Opens a port.
 * @throws Error that says what to do if the port is in use, this machine does not have the address, or the certificate
 * cannot be used
 */
export const listen = async (
  app: RequestListener,
  messages: MessageClasses,
  options: ListenOptions,
): Promise<Listener> => {
  const { port, host, tls } = options;
  const { server, close } = serve(app, messages, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, options)));
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), resolve);
  });
  server.on('error', () => {}); // without a listener, a connection that cannot be accepted would end the process
  const url = `${tls ? 'https' : 'http'}://${nameOf(host)}:${(server.address() as AddressInfo).port}`; // the cast is safe: the address of a TCP server is an `AddressInfo`
  return { url, close };
};

const serve = (app: RequestListener, messages: MessageClasses, { tls, sharing }: ListenOptions) => {
  let isClosing = false;
  const latest = new WeakMap<Duplex, ServerResponse>();
  const answer: RequestListener = (request, response) => {
    latest.set(request.socket, response);
    if (isClosing) response.setHeader('Connection', 'close');
    request.url = request.url?.replace(WHOLE_ADDRESS, '/');
    app(request, response);
  };
  const protocols = sharing && { ALPNProtocols: [...sharing.protocols] };
  const server: Server = tls
    ? createHttpsServer({ ...messages, ...readCertificate(tls), ...protocols }, answer)
    : createHttpServer(messages, answer);
  server.on('clientError', (error, socket) => answerUnreadable(error, socket, latest.get(socket)));
  const closeShared = sharing?.share(server, tls !== undefined);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    for (const socket of sockets) endAfterAnswer(latest.get(socket));
    // Accepts the clients that have connected before; the second turn follows a whole round of the event loop.
    await nextTurn();
    await nextTurn();
    closeShared?.();
    return closeServer(server, sockets);
  };
  return { server, close };
};

/** Tells the client of an answer that is not sent yet to open another connection for its next call. */
const endAfterAnswer = (response: ServerResponse | undefined): void => {
  if (response && !response.headersSent) response.setHeader('Connection', 'close');
};

/** Reads the files. @throws Error if a file cannot be read, or if the certificate and the key do not match */
const readCertificate = (files: CertificateFiles) => {
  const read = { cert: readPem('certificate', files.cert), key: readPem('private key', files.key) };
  try {
    createSecureContext(read);
  } catch (cause) {
    throw new Error(
      `${files.cert} and ${files.key} are not a certificate and its private key in PEM. Give the certificate first, and then its key.`,
      { cause },
    );
  }
  return read;
};

const readPem = (noun: string, file: string): Buffer => {
  const read = readRegularFile(file);
  if ('bytes' in read) return read.bytes;
  throw new Error(`The ${noun} ${file} ${read.problem}. Give the path of an existing PEM file.`);
};

/** The start of an absolute URL: a client that uses the mock as a proxy sends such URLs (RFC 9112, 3.2.2). */
const WHOLE_ADDRESS = /^https?:\/\/[^/?#]*\/?/i;

/** The time for requests in progress to finish, in milliseconds. */
const GRACE = 5_000;
/** Milliseconds between two checks for idle connections. */
const SWEEP = 20;

const closeServer = (server: Server, sockets: ReadonlySet<Socket>): Promise<void> =>
  new Promise((resolve) => {
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      // Browsers connect before they have anything to send, and Node does not count such a connection as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP);
    const force = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(force);
      resolve();
    });
  });

const ADVICE: Readonly<Record<string, (options: ListenOptions) => string>> = {
  EADDRINUSE: ({ port, host }) =>
    `Port ${port} of ${host} is in use. Choose another port, or 0 for any free port.`,
  EACCES: ({ port }) => `This user is not allowed to open port ${port}. Choose 1024 or higher.`,
  EADDRNOTAVAIL: ({ host }) => `This machine has no address ${host}. Choose 127.0.0.1 or 0.0.0.0.`,
  ENOTFOUND: ({ host }) => `The host ${host} is unknown. Choose 127.0.0.1 or 0.0.0.0.`,
};

const explained = (error: NodeJS.ErrnoException, options: ListenOptions): Error => {
  const advise = ADVICE[error.code ?? ''];
  return advise ? Object.assign(new Error(advise(options), { cause: error }), { code: error.code }) : error;
};

/** The host for a URL: clients cannot call a wildcard address such as 0.0.0.0. */
const nameOf = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
};
