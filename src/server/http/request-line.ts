/** Requests that Node cannot read, or that lack a Host. They are refused in the shape of errors at their path. */
import { Refusal } from '../../core/errors.ts';

/** Statuses of answers to requests that Node cannot read, by error code; any other error is a 400. */
const PARSE_ERRORS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The refusal of a request that Node cannot read, and the path of the request, if Node read so far. */
export const toUnreadable = ({ code = '', message, rawPacket }: ParseError) => ({
  status: PARSE_ERRORS[code] ?? 400,
  path: /^\S+ (\S+)/.exec(rawPacket?.toString('latin1', 0, 1_000) ?? '')?.[1] ?? '',
  refusal: new Refusal(
    'INVALID_ARGUMENT',
    `The request could not be read: ${message}.`,
    code === 'HPE_INVALID_URL' ? 'Encode every other character than ASCII as UTF-8, and then as %XX.' : '',
  ),
});

export interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that Node read last. */
  readonly rawPacket?: Buffer;
}

export const HOST_MISSING = new Refusal(
  'INVALID_ARGUMENT',
  'The request has no Host header.',
  'Send one, as HTTP/1.1 requires: the name and port of the server.',
);
