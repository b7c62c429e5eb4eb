/** Answers requests that Node cannot parse, in the format of the API's errors (behaviour R1); they reach no plane. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

interface ReadError extends NodeJS.ErrnoException {
  /** The parser's reason, such as `Invalid characters in url`. */
  readonly reason?: string;
}

/** Answers by the code of the error; any other error is a 400. */
const ANSWERS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request line and headers are larger than 16 KiB. Send less in them.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunks of the body have too many extensions. Send them without.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time. Send it again.'],
};

/**
 * Answers a request that Node could not parse.
 * @param isAnswering whether a part of an answer was sent on this connection; a second answer would corrupt it
 */
export const answerParseError = (error: ReadError, socket: Duplex, isAnswering: boolean): void => {
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const reason = `The request is not valid HTTP (${error.reason ?? error.message}). Percent-encode what a URL cannot hold, such as spaces and "ü".`;
  const [status, message] = ANSWERS[error.code ?? ''] ?? [400, reason];
  const detail = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', error_code: 'INVALID_ARGUMENT' };
  const body = JSON.stringify({ code: 3, message, details: [detail] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy()); // the client may be gone already
  // Destroys the connection, which a client that does not hang up would keep open.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};
