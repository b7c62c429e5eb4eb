/** The body of a control call: bounded, UTF-8, JSON. */
import express, { type Request, type Response } from 'express';
import { ControlError } from './errors.ts';

/** A whole environment may be sent: a hundred thousand accounts need less than this. */
const LIMIT = 64 * 1024 * 1024;

const readBytes = express.raw({ type: () => true, limit: LIMIT });

/**
 * What a body holds; undefined if there is none.
 * @throws ControlError 413 over 64 MiB, 415 for another media type, 400 for what cannot be read
 */
export const readBody = async (request: Request, response: Response): Promise<unknown> => {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
    return undefined;
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(toControlError(error)),
    );
  });
  // It is a Buffer, or undefined for a body that turned out to be empty.
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  requireJson(headers['content-type']);
  return parse(bytes);
};

/** Also keeps out forms of web pages, which browsers send without asking first. */
const requireJson = (contentType = ''): void => {
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json') return;
  throw new ControlError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The Content-Type is ${contentType === '' ? 'missing' : JSON.stringify(contentType.slice(0, 100))}.`,
    'Send JSON with the header "Content-Type: application/json".',
  );
};

const parse = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ControlError('INVALID_ARGUMENT', 'The body is not JSON in UTF-8.', 'Send one JSON object.');
  }
};

const toControlError = (error: unknown): ControlError => {
  const { type } = error as { type?: string }; // body-parser's errors say what kind they are
  return type === 'entity.too.large'
    ? new ControlError(
        'PAYLOAD_TOO_LARGE',
        `The body is larger than ${LIMIT} bytes.`,
        'Send a smaller one.',
        {
          Connection: 'close',
        },
      )
    : new ControlError('INVALID_ARGUMENT', 'The body could not be read.', 'Send it again, as plain JSON.');
};
