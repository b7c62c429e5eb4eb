/** What a JSON text may hold, looked at byte by byte before it is parsed; a text that is not JSON is left to the parser. */
import { invalidField, type Refusal } from '../core/errors.ts';
import { parseJson } from '../core/object.ts';
import { cut } from '../core/text.ts';

/** Deeper than this, JSON could not be written again by every reader. */
const MOST_LEVELS = 200;

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, OPEN, CLOSE_LIST, CLOSE] = Buffer.from('"\\,:[{]}');

/**
 * @throws Refusal 400 for nesting beyond 200 levels, too many values, a member that is sent twice or named `__proto__`
 *   (behaviour T5, T10), half a surrogate pair (behaviour I2), or a number that no reader could keep
 */
export const requirePlainJson = (bytes: Buffer, mostValues: number): void => {
  /** Of each object and list that is open; a list has no names. */
  const open: (Set<string> | undefined)[] = [];
  let isNameNext = false;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      const names = isNameNext ? open.at(-1) : undefined;
      if (names) addName(names, readText(bytes, at, end));
      else if (bytes.subarray(at, end).includes('\\u')) readText(bytes, at, end);
      at = end;
    } else if (byte === COMMA) {
      isNameNext = open.at(-1) !== undefined;
      values += 1;
      if (values > mostValues) throw tooManyValues(mostValues);
    } else if (byte === OPEN || byte === OPEN_LIST) {
      isNameNext = byte === OPEN;
      if (open.push(isNameNext ? new Set() : undefined) > MOST_LEVELS) throw tooDeep();
    } else if (byte === CLOSE || byte === CLOSE_LIST) open.pop();
    else if (byte === COLON) isNameNext = false;
  }
  requireFinite(bytes.toString());
};

/** Where the quote is that ends a text. */
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

/** How every number begins that is too large for a double; most that begin so are not. */
const HUGE = /[[:,\s]-?(?:\d[\d.]*[eE]\+?\d{2}|\d{100})/;

/** A reviver makes parsing three times as slow, so it runs only where there may be something for it. */
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
  if (huge !== undefined) throw tooLarge(cut(huge));
};

export const protoRefused = (): Refusal =>
  invalidField('__proto__', 'name', 'A member may not be named __proto__.', 'Leave it out.');

export const tooManyValues = (mostValues: number): Refusal =>
  invalidField('body', 'values', `The body holds more than ${mostValues} values.`, 'Send fewer.');

const sentTwice = (name: string): Refusal =>
  invalidField(
    cut(name) || 'body',
    'name',
    `The member ${JSON.stringify(cut(name))} stands twice in one object.`,
    'Send it once.',
  );

const halfCharacter = (): Refusal =>
  invalidField(
    'body',
    'charset',
    'A text of the body holds half a surrogate pair, which is not a character.',
    'Send both halves.',
  );

const tooDeep = (): Refusal =>
  invalidField('body', 'depth', `The body nests deeper than ${MOST_LEVELS} levels.`, 'Send a flatter one.');

const tooLarge = (name: string): Refusal =>
  invalidField(
    name || 'body',
    'maximum',
    `The number at "${name}" is too large.`,
    'Send one below 1.8e308, or a text.',
  );
