/** Opens a port for an app, and closes it so that no connection stays open. */
import { createServer as createHttpServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { monotonicNow } from '../core/clock.ts';
import { ERROR_KINDS } from '../core/errors.ts';
import { readRegularFile } from '../core/files.ts';
import type { MessageClasses } from './in-process.ts';

/** Takes over the connections of `server` that use HTTP/2. @returns a function that closes them */
export type SharePort = (server: Server, isTls: boolean) => () => void;

interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  /** Paths of files in PEM. Default: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly share: SharePort;
}

export type Listener = Awaited<ReturnType<typeof listen>>;

/** @throws Error that says what to do about a port, an address or a certificate that cannot be used */
export const listen = async (app: RequestListener, messages: MessageClasses, options: ListenOptions) => {
  const { port, host, tls, share } = options;
  const server = createServer(app, messages, options);
  server.on('clientError', answerUnreadable);
  const closeShared = share(server, tls !== undefined);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, options)));
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), resolve);
  });
  server.on('error', () => {}); // without a listener, a connection that cannot be accepted would end the process
  const { port: opened } = server.address() as AddressInfo; // the cast is safe: the address of a TCP server is an `AddressInfo`
  return {
    /** The address that clients call: `http://127.0.0.1:4720`. */
    url: `${tls ? 'https' : 'http'}://${nameOf(host)}:${opened}`,
    /** Stops accepting connections. Requests in progress get five seconds to finish; then every connection is closed. */
    close: () => {
      closeShared();
      return closeServer(server, sockets);
    },
  };
};

/** Says why Node cannot read a request, such as one with an umlaut in its URL, where Node itself would say nothing. */
const answerUnreadable = (
  { code, message }: NodeJS.ErrnoException,
  socket: Duplex & Partial<Socket>,
): void => {
  if (!socket.writable || socket.bytesWritten) return void socket.destroy(); // perhaps in the middle of an answer
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const encode = 'Encode every other character than ASCII as UTF-8, and then as %XX.';
  const body = JSON.stringify({
    code: ERROR_KINDS.INVALID_ARGUMENT.code,
    message: `The request could not be read: ${message}.${code === 'HPE_INVALID_URL' ? ` ${encode}` : ''}`,
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', error_code: 'INVALID_ARGUMENT' }],
  });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nConnection: close`;
  // Destroyed, since a client that does not hang up would keep the connection open.
  socket.on('error', () => {}).end(`${head}\r\n\r\n${body}`, () => socket.destroy());
};

/** @throws Error if a file cannot be read, or if the certificate and the key do not match */
const createServer = (app: RequestListener, messages: MessageClasses, { tls }: ListenOptions): Server => {
  if (!tls) return createHttpServer(messages, app);
  const pair = { cert: readPem('certificate', tls.cert), key: readPem('private key', tls.key) };
  const ALPNProtocols = ['http/1.1', 'h2']; // the preferred protocol first
  try {
    return createHttpsServer({ ...messages, ...pair, ALPNProtocols }, app);
  } catch (cause) {
    const problem = `${tls.cert} and ${tls.key} are not a certificate and its private key in PEM.`;
    throw new Error(`${problem} Give the certificate first, and then its key.`, { cause });
  }
};

const readPem = (noun: string, file: string): Buffer => {
  const read = readRegularFile(file);
  if ('bytes' in read) return read.bytes;
  throw new Error(`The ${noun} ${file} ${read.problem}. Give the path of an existing PEM file.`);
};

/** The time for requests in progress to finish, and the time between two checks for idle connections, in milliseconds. */
const [GRACE, SWEEP] = [5_000, 20];

const closeServer = async (server: Server, sockets: ReadonlySet<Socket>): Promise<void> => {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const end = monotonicNow() + GRACE;
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    const isLate = monotonicNow() >= end;
    // Browsers connect before they have anything to send, and Node does not count such a connection as idle.
    for (const socket of sockets) if (isLate || socket.bytesRead === 0) socket.destroy();
  }, SWEEP);
  await new Promise((resolve) => void server.close(resolve)); // with an error if it was closed before
  clearInterval(sweep);
};

const explained = (error: NodeJS.ErrnoException, { port, host }: ListenOptions): Error => {
  const advice: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Choose another port, or 0 for any free port.`,
    EACCES: `This user is not allowed to open port ${port}. Choose 1024 or higher.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Choose 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: `The host ${host} is unknown. Choose 127.0.0.1 or 0.0.0.0.`,
  };
  const { code = '' } = error;
  return advice[code] ? Object.assign(new Error(advice[code], { cause: error }), { code }) : error;
};

/** The host for a URL: clients cannot call a wildcard address such as 0.0.0.0. */
const nameOf = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
};
