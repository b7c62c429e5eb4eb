/** The headers that an answer can be given: by a fault, or by a stub. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { cut } from './text.ts';

/** Headers that Node sets itself. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'trailer']);

export const HEADER_HINT =
  'Use letters, digits and "-" in the name, and no line breaks or letters beyond Latin-1 in the value. Leave out headers of the connection, such as Content-Length, which the mock sets.';

/** Why one of the headers cannot be sent, in words; undefined if all can. */
export const headersProblem = (headers: Readonly<Record<string, string>>): string | undefined => {
  const bad = Object.entries(headers).find(
    ([name, value]) => FRAMING.has(name.toLowerCase()) || !isSendable(name, value),
  );
  return bad && `headers.${cut(bad[0])} cannot be set`;
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
