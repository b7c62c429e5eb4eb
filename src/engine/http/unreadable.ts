/** Answers requests that Node cannot read, and that therefore never reach the app, in the shape of behaviour R1. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_KINDS } from '../core/errors.ts';

/** @param latest the latest response on the connection; if only a part was sent, another answer would corrupt it */
export const answerUnreadable = (
  { code = '', message }: NodeJS.ErrnoException,
  socket: Duplex,
  latest?: ServerResponse,
): void => {
  const isAnswering = latest?.headersSent && !latest.writableFinished;
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const advice =
    code === 'HPE_INVALID_URL' ? ' Encode every other character than ASCII as UTF-8, and then as %XX.' : '';
  const body = JSON.stringify(errorOf(`The request could not be read: ${message}.${advice}`));
  const status = STATUSES[code] ?? 400;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.on('error', () => socket.destroy()); // writing to a client that has disconnected emits an error
  // Destroys the socket, since a client that does not hang up would keep the connection open.
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
};

/** Node's own statuses for requests that it cannot read, by error code; any other error is a 400. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const errorOf = (message: string) => ({
  code: ERROR_KINDS.INVALID_ARGUMENT.code,
  message,
  details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', error_code: 'INVALID_ARGUMENT' }],
});
