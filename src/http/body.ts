/** Reads request bodies of limited size, in UTF-8, and refuses dangerous member names. */

import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import { invalidField, Refusal } from '../core/errors.ts';
import { parseJson } from '../core/object.ts';
import { cut } from '../core/text.ts';

export type BodyMediaType = 'application/json' | 'application/x-www-form-urlencoded';

export interface BodyOptions {
  readonly kind: BodyMediaType;
  /** The most bytes that are read, after decompression. */
  readonly limit: number;
  /** The most values in JSON, at any depth. */
  readonly mostValues?: number;
}

/** The text and value of a body; an empty body has an empty text and no value. */
export interface ReadBody {
  readonly bodyText: string;
  readonly body: unknown;
}

/** Keeps the text of an unusable body for the journal. */
type KeepText = (text: string) => void;

/**
 * The most bytes that are read of a body that is too large, so that its client finishes sending and sees the answer.
 */
const MOST_DRAINED = 32 * 1024 * 1024;

/**
 * Reads bodies of one media type.
 * @throws Refusal 413 for too many bytes; 400 for another media type, bytes that are not UTF-8, text that does not
 * parse, and what `requirePlainJson` refuses
 */
export const createBodyReader = (options: BodyOptions) => {
  const { kind, limit, mostValues = Infinity } = options;
  const readBytes = createByteReader(limit);
  return async (request: Request, response: Response, keepText?: KeepText): Promise<ReadBody> => {
    const bytes = await readBytes(request, response);
    if (bytes.length === 0) return { bodyText: '', body: undefined };
    const { 'content-type': contentType } = request.headers;
    if (!isMediaType(contentType, kind)) throw wrongMediaType(contentType, kind);
    if (!isUtf8(bytes) || OTHER_CHARSET.test(contentType ?? '')) throw notUtf8();
    const bodyText = bytes.toString();
    keepText?.(bodyText);
    if (kind !== 'application/json') return { bodyText, body: parseForm(bodyText) };
    requirePlainJson(bytes, mostValues);
    const body = parseJson(bodyText);
    if (body === undefined) throw notJson();
    return { bodyText, body };
  };
};

const OTHER_CHARSET = /charset\s*=\s*"?(?!utf-?8)/i;

/**
 * Reads bodies of any media type.
 * @throws Refusal 413 for more bytes than `limit`, 400 if the body is incomplete
 */
export const createByteReader = (limit: number) => {
  const read = promisify(express.raw({ limit, type: () => true }));
  return async (request: Request, response: Response): Promise<Buffer> => {
    if (Number(request.headers['content-length']) > Math.max(MOST_DRAINED, limit)) throw tooLarge(limit);
    await read(request, response).catch((error) => {
      throw toRefusal(error, limit);
    });
    const { body }: { body?: unknown } = request;
    return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  };
};

/** Whether a Content-Type header names this media type, with any parameters. */
export const isMediaType = (header: string | undefined, kind: BodyMediaType): boolean =>
  header?.split(';', 1)[0]?.trim().toLowerCase() === kind;

const toRefusal = (error: { readonly type?: string; readonly message?: string }, limit: number): Refusal =>
  error.type === 'entity.too.large'
    ? tooLarge(limit)
    : invalidField('body', 'encoding', `The body could not be read: ${error.message}.`, 'Send it again.');

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

/** The most fields of a form; our own forms have far fewer. */
const MOST_FIELDS = 1_000;

/** Fields by name; a field sent more than once is a list. */
const parseForm = (text: string): Record<string, string | string[]> => {
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) throw tooManyValues(MOST_FIELDS);
  const form: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === '__proto__') throw protoRefused();
    const before = Object.hasOwn(form, name) ? form[name] : undefined;
    if (before === undefined) form[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else form[name] = [before, value];
  }
  return form;
};

/** The deepest nesting accepted: some JSON writers could not write deeper values again. */
const MOST_LEVELS = 200;

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, OPEN, CLOSE_LIST, CLOSE] = Buffer.from('"\\,:[{]}');

/**
 * Refuses JSON that is too large or dangerous.
 * @throws Refusal 400 for more than 200 levels, too many values, a member that is sent twice or named `__proto__`
 * (behaviour T5, T10), half of a surrogate pair (behaviour I2), or a number too large for a double
 */
export const requirePlainJson = (bytes: Buffer, mostValues: number): void => {
  /** The names seen in each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let isNameNext = false;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = checkText(bytes, at, isNameNext ? open.at(-1) : undefined);
        break;
      case COMMA:
        isNameNext = open.at(-1) !== undefined;
        values += 1;
        break;
      case COLON:
        isNameNext = false;
        break;
      case OPEN:
      case OPEN_LIST:
        isNameNext = bytes[at] === OPEN;
        open.push(isNameNext ? new Set() : undefined);
        break;
      case CLOSE:
      case CLOSE_LIST:
        open.pop();
    }
    if (values > mostValues) throw tooManyValues(mostValues);
    if (open.length > MOST_LEVELS) throw tooDeep();
  }
  requireFinite(bytes.toString());
};

/** Adds a string to the names of its object, if it is a name. @returns the index of the quote that ends the string */
const checkText = (bytes: Buffer, start: number, names: Set<string> | undefined): number => {
  const end = endOfText(bytes, start);
  if (names) addName(names, readText(bytes, start, end));
  else if (bytes.subarray(start, end).includes('\\u')) readText(bytes, start, end);
  return end;
};

/** The index of the quote that ends a string. */
const endOfText = (bytes: Buffer, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
};

const readText = (bytes: Buffer, start: number, end: number): string => {
  const written = bytes.toString('utf8', start + 1, end);
  const text = written.includes('\\') ? String(parseJson(`"${written}"`) ?? '') : written;
  if (!text.isWellFormed()) throw halfCharacter();
  return text;
};

const addName = (names: Set<string>, name: string): void => {
  if (name === '__proto__') throw protoRefused();
  if (names.has(name)) throw sentTwice(name);
  names.add(name);
};

/** Matches the start of every number that is too large for a double, and of many others. */
const HUGE = /[[:,\s]-?(?:\d[\d.]*[eE]\+?\d{2}|\d{100})/;

/**
 * Refuses numbers that are too large. Uses a reviver only if the text may hold one, since a reviver makes parsing three
 * times as slow.
 */
const requireFinite = (text: string): void => {
  if (!HUGE.test(text)) return;
  let huge: string | undefined;
  try {
    JSON.parse(text, (name, value) => {
      if (value === Infinity || value === -Infinity) huge ??= name;
      return value;
    });
  } catch {
    return;
  }
  if (huge !== undefined) throw tooHuge(cut(huge));
};

export const protoRefused = (): Refusal =>
  invalidField('__proto__', 'name', 'A member may not be named __proto__.', 'Leave it out.');

export const tooManyValues = (mostValues: number): Refusal =>
  invalidField('body', 'values', `The body holds more than ${mostValues} values.`, 'Send fewer.');

const sentTwice = (name: string): Refusal =>
  invalidField(
    cut(name) || 'body',
    'name',
    `The member ${JSON.stringify(cut(name))} occurs twice in one object.`,
    'Send it once.',
  );

const halfCharacter = (): Refusal =>
  invalidField(
    'body',
    'charset',
    'A text of the body holds half of a surrogate pair, which is not a character.',
    'Send the whole pair.',
  );

const tooDeep = (): Refusal =>
  invalidField(
    'body',
    'depth',
    `The body is nested deeper than ${MOST_LEVELS} levels.`,
    'Send fewer levels.',
  );

const tooHuge = (name: string): Refusal =>
  invalidField(
    name || 'body',
    'maximum',
    `The number at "${name}" is too large.`,
    'Send one below 1.8e308, or a text.',
  );
