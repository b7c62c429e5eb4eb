/** Answers requests that never reach the app: Node cannot read them, or they have no host, or ask for a tunnel. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../../core/errors.ts';

/** The answer to a request that cannot be read, in the shape of errors at its path. */
export type PresentUnreadable = (
  refusal: Refusal,
  path: string,
) => { readonly type: string; readonly body: string };

/** Answers CONNECT with a refusal; otherwise Node would close the connection without an answer. */
export const refuseTunnel = (_request: IncomingMessage, socket: Duplex): void => {
  socket.on('error', () => socket.destroy()); // writing to a client that has disconnected emits an error
  socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
};

/**
 * Answers a request that Node cannot read.
 * @param latest the latest response on the connection; if only a part was sent, an error answer would corrupt it
 */
export const answerParseError = (
  error: ParseError,
  socket: Duplex,
  present: PresentUnreadable,
  latest?: ServerResponse,
): void => {
  const isAnswering = latest?.headersSent && !latest.writableFinished;
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const { status, path, refusal } = toUnreadable(error);
  const { type, body } = present(refusal, path);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.on('error', () => socket.destroy()); // writing to a client that has disconnected emits an error
  // Destroys the socket, since a client that does not hang up would keep the connection open.
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
};

export const answerWithoutHost = (
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  present: PresentUnreadable,
): void => {
  const { type, body } = present(HOST_MISSING, url);
  response.writeHead(400, { 'Content-Type': `${type}; charset=utf-8`, Connection: 'close' }).end(body);
};

/** Statuses of answers to requests that Node cannot read, by error code; any other error is a 400. */
const PARSE_ERRORS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The refusal of a request that Node cannot read, and the path of the request, if Node read so far. */
const toUnreadable = ({ code = '', message, rawPacket }: ParseError) => ({
  status: PARSE_ERRORS[code] ?? 400,
  path: /^\S+ (\S+)/.exec(rawPacket?.toString('latin1', 0, 1_000) ?? '')?.[1] ?? '',
  refusal: new Refusal(
    'INVALID_ARGUMENT',
    `The request could not be read: ${message}.`,
    code === 'HPE_INVALID_URL' ? 'Encode every other character than ASCII as UTF-8, and then as %XX.' : '',
  ),
});

interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that Node read last. */
  readonly rawPacket?: Buffer;
}

const HOST_MISSING = new Refusal(
  'INVALID_ARGUMENT',
  'The request has no Host header.',
  'Send one, as HTTP/1.1 requires: the name and port of the server.',
);
