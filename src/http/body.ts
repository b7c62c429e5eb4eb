/** Reading request bodies with Express' own parsers: bounded, UTF-8, and safe from names with a meaning of their own. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler, type Response } from 'express';
import { invalidField, Refusal } from '../core/errors.ts';
import { cut } from '../core/text.ts';

export type BodyMediaType = 'application/json' | 'application/x-www-form-urlencoded';

export interface BodyOptions {
  readonly kind: BodyMediaType;
  /** The most bytes that are read, after decompression. */
  readonly limit: number;
  /** The most values that JSON may hold, at any depth. Default: as many as fit. */
  readonly mostValues?: number;
  /** Leaves `request.body` undefined where none was sent. */
  readonly keepsAbsent?: boolean;
  /** Receives the text as it was sent, before it is parsed. */
  readonly onText?: (response: Response, text: string) => void;
}

/** A body that is too large is read to its end, so that its sender gets to the answer; not one of more bytes than this. */
const MOST_DRAINED = 32 * 1024 * 1024;
/** Deeper than this, JSON could not be written again by every reader. */
const MOST_LEVELS = 200;

/**
 * Parses the body of a request into `request.body`; a body of length 0, whatever its media type, is `{}` (behaviour T5).
 * @throws Refusal 413 for too many bytes; 400 for another media type, bytes that are not UTF-8, text that does not
 * parse, nesting beyond 200 levels, too many values, a member named `__proto__` (behaviour T10), or a number that no
 * reader could keep
 */
export const readBody = (settings: BodyOptions): RequestHandler => {
  const { kind, limit, mostValues = Infinity, keepsAbsent = false, onText } = settings;
  const withText = new WeakSet<IncomingMessage>();
  const verify = (request: IncomingMessage, response: unknown, bytes: Buffer): void => {
    if (bytes.length === 0) return;
    const { 'content-type': contentType } = request.headers;
    if (!isMediaType(contentType, kind)) throw wrongMediaType(contentType, kind);
    if (!isUtf8(bytes)) throw notUtf8();
    if (kind === 'application/json') requireSize(bytes, mostValues);
    const text = bytes.toString();
    withText.add(request);
    onText?.(response as Response, text); // it is Express' own
    if (kind === 'application/json') requireSafeJson(text);
    else if (new URLSearchParams(text).has('__proto__')) throw protoRefused();
  };
  const options = { limit, verify, type: () => true };
  // Express' own parser of forms takes seconds for a megabyte of names, and drops some of them.
  const parse =
    kind === 'application/json' ? express.json({ ...options, strict: false }) : express.text(options);
  return (request, response, next) => {
    if (Number(request.headers['content-length']) > Math.max(MOST_DRAINED, limit)) throw tooLarge(limit);
    parse(request, response, (error?: unknown) => {
      if (error !== undefined) return next(toApiError(error, kind, limit));
      if (!withText.has(request)) request.body = keepsAbsent ? undefined : {};
      else if (kind !== 'application/json') request.body = parseForm(request.body);
      // The validator compiles for every media type that it sees, so it sees one.
      request.headers['content-type'] = kind;
      next();
    });
  };
};

/** For operations without a body: what a client sends there is not read, and its media type not looked at. */
export const ignoreBody: RequestHandler = (request, _response, next) => {
  delete request.headers['content-type'];
  next();
};

/** Whether a Content-Type header names the given media type, parameters aside. */
export const isMediaType = (header: string | undefined, kind: BodyMediaType): boolean =>
  header?.split(';', 1)[0]?.trim().toLowerCase() === kind;

const toApiError = (error: unknown, kind: BodyMediaType, limit: number): unknown => {
  if (error instanceof Refusal) return error;
  const { type = '', message = 'the connection ended' } = error as { type?: string; message?: string };
  if (type === 'entity.too.large') return tooLarge(limit);
  if (type === 'charset.unsupported') return notUtf8();
  if (type === 'entity.parse.failed' && kind === 'application/json') return notJson();
  return invalidField('body', 'encoding', `The body could not be read: ${message}.`, 'Send it again.');
};

const tooLarge = (limit: number): Refusal =>
  new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, 'Send a smaller one.', {
    headers: { Connection: 'close' },
  });

const wrongMediaType = (sent: string | undefined, kind: BodyMediaType): Refusal =>
  invalidField(
    'Content-Type',
    'content',
    `Content-Type is ${sent === undefined ? 'missing' : JSON.stringify(cut(sent))}.`,
    `Send ${kind}.`,
  );

const notUtf8 = (): Refusal =>
  invalidField('body', 'charset', 'The body is not UTF-8.', 'Encode it as UTF-8 and send it again.');

const notJson = (): Refusal => invalidField('body', 'json', 'The body is not JSON.', 'Send one JSON object.');

const protoRefused = (): Refusal =>
  invalidField('__proto__', 'name', 'A member may not be named __proto__.', 'Leave it out.');

const hugeRefused = (name: string): Refusal =>
  invalidField(
    cut(name) || 'body',
    'maximum',
    `The number at "${cut(name)}" is too large.`,
    'Send one below 1.8e308, or a text.',
  );

const requireSafeJson = (text: string): void => {
  // A reviver makes parsing three times as slow, so it runs only where there may be something for it.
  if (text.includes('__proto__') || text.includes('\\u') || HUGE.test(text)) refuseMembers(text);
};

/** How every number begins that is too large for a double; most that begin so are not. */
const HUGE = /[[:,\s]-?(?:\d[\d.]*[eE]\+?\d{2}|\d{100})/;

const refuseMembers = (text: string): void => {
  try {
    JSON.parse(text, (name, value) => {
      if (name === '__proto__') throw protoRefused();
      if (value === Infinity || value === -Infinity) throw hugeRefused(name);
      return value;
    });
  } catch (error) {
    if (error instanceof Refusal) throw error; // text that does not parse is refused by the parser
  }
};

/** Fields by name; one that is sent more than once is a list. */
const parseForm = (text: string): Record<string, string | string[]> => {
  const form: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = form[name];
    if (before === undefined) form[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else form[name] = [before, value];
  }
  return { ...form };
};

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,');
/** By how much each byte changes the depth. */
const STEPS = new Int8Array(256);
Buffer.from('[{]}').forEach((byte, nth) => {
  STEPS[byte] = nth < 2 ? 1 : -1;
});

/** Counted before anything is parsed; what is not JSON is left to the parser. @throws Refusal 400 */
const requireSize = (bytes: Buffer, mostValues: number): void => {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) values += 1;
    else depth += STEPS[byte] ?? 0;
    if (depth > MOST_LEVELS) throw tooDeep();
    if (values > mostValues) throw tooManyValues(mostValues);
  }
};

const endOfText = (bytes: Buffer, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
};

const tooDeep = (): Refusal =>
  invalidField('body', 'depth', `The body nests deeper than ${MOST_LEVELS} levels.`, 'Send a flatter one.');

const tooManyValues = (mostValues: number): Refusal =>
  invalidField('body', 'values', `The body holds more than ${mostValues} values.`, 'Send fewer.');
