/** Reading a request body: bounded, UTF-8, JSON or form, with `__proto__` refused (behaviour T4, T5, T10). */
import express, { type Request, type Response } from 'express';
import { ApiError, invalidField } from '../core/errors.ts';

const LIMIT = 1024 * 1024;
/** A body that is too large is read to its end, so that its sender gets to the answer; not one of more bytes than this. */
const DRAINED = 32 * LIMIT;
const DEEPEST = 200;

const readAnyBytes = express.raw({ type: () => true, limit: LIMIT });

/** The text of a body; "" if there is none. @throws ApiError 413 over 1 MiB, 400 if it cannot be read */
export const readBody = async (request: Request, response: Response): Promise<string> => {
  if (!hasBody(request)) return '';
  if (Number(request.headers['content-length']) > DRAINED) throw tooLarge();
  return decode(await (isPlain(request) ? readPlainBytes(request) : readCodedBytes(request, response)));
};

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A body as it is, of a length that was told and may be read: nothing but to gather it, at a tenth of the cost. */
const isPlain = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  Number(headers['content-length']) <= LIMIT;

const readPlainBytes = (request: Request): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const fail = (): void => reject(unreadable('the connection ended'));
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.once('error', fail);
    request.once('aborted', fail);
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  });

/** Compressed, in pieces of unknown number, or too large. */
const readCodedBytes = (request: Request, response: Response): Promise<unknown> =>
  new Promise((resolve, reject) => {
    readAnyBytes(request, response, (error?: unknown) =>
      error === undefined ? resolve(request.body) : reject(toApiError(error)),
    );
  });

const utf8 = new TextDecoder('utf-8', { fatal: true });

const decode = (bytes: unknown): string => {
  if (!(bytes instanceof Uint8Array)) return '';
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'charset', 'The body is not UTF-8. Encode it as UTF-8 and send it again.');
  }
};

const toApiError = (error: unknown): Error => {
  const { type, message } = error as { type?: string; message?: string };
  if (type === 'entity.too.large') return tooLarge();
  return unreadable(message ?? 'the connection ended');
};

const tooLarge = (): ApiError =>
  new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${LIMIT} bytes. Send a smaller one.`, {
    headers: { Connection: 'close' },
  });

const unreadable = (why: string): ApiError =>
  invalidField('body', 'encoding', `The body could not be read: ${why}. Send it again.`);

/** The media types a mocked operation can take. */
export type BodyKind = 'application/json' | 'application/x-www-form-urlencoded';

/** Whether a Content-Type header names the given media type, parameters aside. */
export const isMediaType = (header: string | undefined, kind: BodyKind): boolean =>
  header !== undefined && header.split(';', 1)[0]?.trim().toLowerCase() === kind;

/**
 * What the text holds; an empty text is `{}` (behaviour T5).
 * @throws ApiError 400 for another media type, text that is no JSON, nesting beyond 200, or a `__proto__` member
 */
export const parseBody = (text: string, contentType: string | undefined, kind: BodyKind): unknown => {
  if (text === '') return {};
  if (!isMediaType(contentType, kind)) throw wrongMediaType(contentType, kind);
  return kind === 'application/json' ? parseJson(text) : parseForm(text);
};

const wrongMediaType = (contentType: string | undefined, kind: BodyKind): ApiError =>
  invalidField(
    'Content-Type',
    'content',
    `Content-Type is ${contentType === undefined ? 'missing' : JSON.stringify(contentType.slice(0, 100))}. Send ${kind}.`,
  );

const parseJson = (text: string): unknown => {
  if (text.length > 2 * DEEPEST && isTooDeep(text)) {
    throw invalidField('body', 'depth', `The body nests deeper than ${DEEPEST} levels. Send a flatter one.`);
  }
  const mayHoldProto = text.includes('__proto__') || text.includes('\\u');
  try {
    return mayHoldProto ? JSON.parse(text, refuseProto) : JSON.parse(text);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw invalidField('body', 'json', 'The body is not JSON. Send one JSON object.');
  }
};

function refuseProto(this: unknown, key: string, value: unknown): unknown {
  if (key === '__proto__') throw protoRefused();
  return value;
}

const protoRefused = (): ApiError =>
  invalidField('__proto__', 'name', 'A member may not be named __proto__. Leave it out.');

/**
 * Deeper than JSON.stringify could write again. Brackets within strings do not count. A string that never ends is one
 * match too: the search would otherwise begin anew at every quote in it, in time that grows with the square.
 */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gs)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
};

/** In one pass: to ask for each name by itself costs the square of them, and a megabyte holds a hundred thousand. */
const parseForm = (text: string): unknown => {
  const body: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === '__proto__') throw protoRefused();
    const before = Object.hasOwn(body, name) ? body[name] : undefined;
    if (before === undefined) body[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else body[name] = [before, value];
  }
  return body;
};
