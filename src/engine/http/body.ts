/** Reads request bodies of limited size, in UTF-8, and refuses dangerous member names. */
import { isUtf8 } from 'node:buffer';
import { parse, stringify } from 'node:querystring';
import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import { type FieldViolation, invalidField, Refusal, refuse } from '../core/errors.ts';
import { isExactNumber, MOST_LEVELS } from '../core/limits.ts';
import { hasMembers, parseJson } from '../core/object.ts';
import { isDecodable } from '../core/secrets.ts';
import { cut } from '../core/text.ts';

interface BodyOptions {
  /** The maximum number of bytes, after decompression. */
  readonly limit: number;
  /** The maximum number of JSON values in the body, including nested values. */
  readonly mostValues?: number;
  readonly mostLevels?: number;
}

const JSON_KIND = 'application/json';

/** Creates a reader for bodies. An empty body has an empty text, and no value. */
export const createBodyReader = ({ limit, mostValues = Infinity, mostLevels = MOST_LEVELS }: BodyOptions) => {
  const readBytes = createByteReader(limit);
  return {
    /** @throws Refusal 413 for too many bytes; 400 for another media type, or bytes that are not UTF-8 */
    readText: async (request: Request, response: Response, kind = JSON_KIND): Promise<string> => {
      const bytes = await readBytes(request, response);
      const { 'content-type': sent } = request.headers;
      if (bytes.length > 0 && sent?.split(';', 1)[0]?.trim().toLowerCase() !== kind) {
        const is = sent === undefined ? 'missing' : JSON.stringify(cut(sent));
        throw invalidField('Content-Type', 'content', `Content-Type is ${is}.`, `Send ${kind}.`, 'T4');
      }
      if (!isUtf8(bytes))
        throw refuseBody('charset', 'The body is not UTF-8.', 'Encode the body as UTF-8 and send it again.');
      return bytes.toString().replace(/^\uFEFF/, ''); // some programs write a byte order mark first
    },
    /** @throws Refusal 400 for text that does not parse, and everything that `requirePlainJson` refuses */
    parse: (text: string, kind = JSON_KIND): unknown => {
      if (text === '') return undefined;
      if (kind !== JSON_KIND) return parseForm(text);
      requirePlainJson(text, mostValues, mostLevels);
      const body = parseJson(text);
      if (body === undefined) throw refuseBody('json', 'The body is not JSON.', 'Send one JSON object.');
      return body;
    },
  };
};

/** Reads bodies of any media type. @throws Refusal 413 for more bytes than `limit`, 400 if the body is incomplete */
export const createByteReader = (limit: number) => {
  const read = promisify(express.raw({ limit, type: () => true }));
  const tooLarge = (): Refusal =>
    new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, 'Send a smaller body.', {
      headers: { Connection: 'close' },
    });
  return async (request: Request, response: Response): Promise<Buffer> => {
    await read(request, response).catch((error) => {
      if (error.type === 'entity.too.large') throw tooLarge();
      const advice = error.type === 'encoding.unsupported' ? OTHER_ENCODING : 'Send it again.';
      throw refuseBody('encoding', `The body could not be read: ${error.message}.`, advice);
    });
    const bytes = bytesOf(request);
    if (bytes.length > limit) throw tooLarge();
    return bytes;
  };
};

const OTHER_ENCODING = 'Send it without Content-Encoding, or with gzip, deflate or br.';

/**
 * The bytes of a body that was read. If somebody else has read it already (middleware before the mock, a serverless
 * host), they are written again from what that reader left in `request.body`.
 */
const bytesOf = (request: Request): Buffer => {
  const { body, rawBody = body }: { body?: unknown; rawBody?: unknown } = request;
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  const isSent = length !== '0' || coding !== undefined;
  if (Buffer.isBuffer(rawBody)) return rawBody;
  if (typeof body === 'string') return Buffer.from(body);
  if (typeof body === 'object' && body !== null && (isSent || hasMembers(body)))
    return Buffer.from(request.is('urlencoded') ? stringify({ ...body }) : JSON.stringify(body));
  if (!isSent || !request.readableDidRead) return Buffer.alloc(0);
  const problem = 'The body was read before it reached the mock, and is not in request.body.';
  const advice =
    'Mount the mock before the middleware that reads it, or let that middleware set request.body.';
  throw refuseBody('encoding', problem, advice);
};

const refuseBody = (constraint: string, description: string, advice: string) =>
  invalidField('body', constraint, description, advice, 'T4');

const parseForm = (text: string): object => {
  refuse(encodingProblems(text));
  const form = parse(text, '&', '=', { maxKeys: 0 }); // without a limit
  if ('__proto__' in form) throw protoRefused();
  return form;
};

/** A problem for each field of a form or query whose percent-encoding is not UTF-8: `%FF`, `%zz` (behaviour I2). */
export const encodingProblems = (encoded: string): FieldViolation[] =>
  encoded
    .split('&')
    .filter((pair) => pair.includes('%') && !isDecodable(pair))
    .flatMap((pair) => [...new URLSearchParams(pair).keys()].map((name) => notDecodable(cut(name))));

export const notDecodable = (field: string): FieldViolation => {
  const description = `${field} is not UTF-8 in percent-encoding.`;
  const advice = 'Encode each byte of the UTF-8 text as % and two hexadecimal digits, and % itself as %25.';
  return { field, constraint: 'charset', rule: 'I2', description, advice };
};

/** A token of JSON: a string (with the colon after it, if any), a bracket, a comma, a number, or a word like `true`. */
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[[\]{},]|[^\s"[\]{},]+)/gsy;

/** An object or list that is not closed yet, and where in it the text is. */
interface Open {
  /** The member names so far. A list has none. */
  readonly names: Set<string>;
  /** The name of the member, or the number of the item. */
  at: string | number;
}

/** The path of a value, such as `api_config.items[0]`. */
const pathOf = (open: readonly Open[]): string => {
  const steps = open.map(({ at }) => (typeof at === 'number' ? `[${at}]` : `.${at}`));
  return cut(steps.join('').slice(1)) || 'body';
};

/**
 * Refuses JSON that is too large or dangerous, before it is parsed.
 * @throws Refusal 400 for too many levels, too many values, a member that appears twice or is named `__proto__`
 * (behaviour T5, T10), half of a surrogate pair (behaviour I2), or a number that would be rounded
 */
const requirePlainJson = (text: string, mostValues: number, mostLevels: number): void => {
  const open: Open[] = [];
  let values = 1;
  for (const [, token = ''] of text.matchAll(TOKEN)) {
    if (token === ',') values += 1;
    if (/^[[\]{},]$/.test(token)) step(token, open);
    else checkToken(token, open);
    if (values > mostValues)
      throw refuseBody('values', `The body has more than ${mostValues} values.`, 'Send fewer values.');
    if (open.length <= mostLevels) continue;
    const problem = `The body is nested deeper than ${mostLevels} levels.`;
    throw refuseBody('depth', problem, 'Send a body with fewer levels.');
  }
};

const step = (token: string, open: Open[]): void => {
  const last = open.at(-1);
  if (token === '{' || token === '[') open.push({ names: new Set(), at: token === '[' ? 0 : '' });
  else if (token !== ',') open.pop();
  else if (typeof last?.at === 'number') last.at += 1;
};

/** Checks a string, a number or a member name. */
const checkToken = (token: string, open: readonly Open[]): void => {
  if (token.startsWith('"')) {
    const written = token.slice(1, token.lastIndexOf('"'));
    const text = written.includes('\\') ? String(parseJson(`"${written}"`) ?? '') : written;
    if (token.endsWith(':')) addName(open, text.toWellFormed());
    if (text.isWellFormed()) return;
    const problem = `${pathOf(open)} contains half of a surrogate pair, which is not a character.`;
    throw invalidField(pathOf(open), 'charset', problem, 'Send both halves of the surrogate pair.', 'I2');
  }
  if (!/^-?\d/.test(token) || isExactNumber(token, Number(token))) return;
  const path = pathOf(open);
  const problem = `The number ${cut(token)} at "${path}" is too large to be kept exactly.`;
  throw invalidField(path, 'maximum', problem, 'Send it as a string, or send a smaller number.');
};

const addName = (open: readonly Open[], name: string): void => {
  if (name === '__proto__') throw protoRefused();
  const last = open.at(-1);
  if (!last) return; // not JSON: the parser says so
  last.at = name;
  if (last.names.has(name)) {
    const problem = `The member "${pathOf(open)}" appears twice in one object.`;
    throw invalidField(pathOf(open), 'name', problem, 'Send it once.', 'T5');
  }
  last.names.add(name);
};

const protoRefused = (): Refusal =>
  invalidField('__proto__', 'name', 'A member cannot be named __proto__.', 'Leave it out.', 'T10');
