/** The headers that an answer can be given: by a fault, or by a stub. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { cut } from './text.ts';

/** Headers that Node sets itself. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'trailer']);

const HINT =
  'Use letters, digits and "-" in the name, and no line breaks or letters beyond Latin-1 in the value. Leave out headers of the connection, such as Content-Length, which the mock sets.';

/** The first header that cannot be sent, and why, in words; undefined if all can be sent. */
export const headersProblem = (headers: Readonly<Record<string, string>>) => {
  const bad = Object.entries(headers).find(
    ([name, value]) => FRAMING.has(name.toLowerCase()) || !isSendable(name, value),
  );
  return bad && { name: cut(bad[0]), words: 'cannot be set', hint: HINT };
};

const isSendable = (name: string, value: string): boolean => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};
