/** Reading request bodies with Express' own parsers: bounded, UTF-8, and safe from names with a meaning of their own. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler, type Response } from 'express';
import { invalidField, Refusal } from '../core/errors.ts';
import { cut } from '../core/text.ts';
import { protoRefused, requirePlainJson, tooManyValues } from './json-text.ts';

export type BodyMediaType = 'application/json' | 'application/x-www-form-urlencoded';

export interface BodyOptions {
  readonly kind: BodyMediaType;
  /** The most bytes that are read, after decompression. */
  readonly limit: number;
  /** The most values that JSON may hold, at any depth. */
  readonly mostValues?: number;
  /** Leaves `request.body` undefined where none was sent. */
  readonly keepsAbsent?: boolean;
  /** Receives the text as it was sent, before it is parsed. */
  readonly onText?: (response: Response, text: string) => void;
}

/** A body that is too large is read to its end, so that its sender gets to the answer; not one of more bytes than this. */
const MOST_DRAINED = 32 * 1024 * 1024;

/**
 * Parses the body of a request into `request.body`; a body of length 0, whatever its media type, is `{}` (behaviour T5).
 * @throws Refusal 413 for too many bytes; 400 for another media type, bytes that are not UTF-8, text that does not
 *   parse, and what `requirePlainJson` refuses
 */
export const readBody = (settings: BodyOptions): RequestHandler => {
  const { kind, limit, mostValues = Infinity, keepsAbsent = false, onText } = settings;
  const withText = new WeakSet<IncomingMessage>();
  const verify = (request: IncomingMessage, response: unknown, bytes: Buffer): void => {
    if (bytes.length === 0) return;
    const { 'content-type': contentType } = request.headers;
    if (!isMediaType(contentType, kind)) throw wrongMediaType(contentType, kind);
    if (!isUtf8(bytes)) throw notUtf8();
    const text = bytes.toString();
    withText.add(request);
    onText?.(response as Response, text); // it is Express' own
    if (kind === 'application/json') requirePlainJson(bytes, mostValues);
    else requirePlainForm(text);
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

export const tooLarge = (limit: number): Refusal =>
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

/** More fields than any form of ours has. */
const MOST_FIELDS = 1_000;

const requirePlainForm = (text: string): void => {
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS) throw tooManyValues(MOST_FIELDS);
  if (new URLSearchParams(text).has('__proto__')) throw protoRefused();
};

/** Fields by name; a field sent more than once is a list. */
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
