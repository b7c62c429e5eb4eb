/** Says what is wrong with a value or name: the same words in a scenario, over HTTP and in code (behaviour N2, N5). */

import { cut, didYouMean, listNames, misfit, nearest } from '../core/text.ts';
import { isJsonObject, type JsonObject } from './document.ts';
import { isSecretMember, otherNames } from './marks.ts';
import { allowedBy, type Format, requirementOf } from './words.ts';

/** A value, and the keyword of its schema that it breaks. */
export interface WrongValue {
  readonly keyword: string;
  readonly value: unknown;
  readonly path: readonly (string | number)[];
  /** The value's schema, and those in its `allOf` etc. */
  readonly forms: readonly JsonObject[];
  /** With the keyword `type`: the types that are allowed. */
  readonly types: readonly string[];
  /** Default: the formats of the contract. */
  readonly formats?: Readonly<Record<string, Format>>;
  /** A number as a file has it. */
  readonly written?: string | undefined;
}

/**
 * What is wrong, after the value's name: `is 5, but must be a string`.
 * @param others errors about the same value, for which one sentence speaks
 */
export const describeWrong = (wrong: WrongValue, others: readonly WrongValue[] = []): string => {
  const [first = '', ...more] = new Set(
    [wrong, ...others].map(({ keyword, forms, types, formats }) =>
      requirementOf(keyword, forms, formats, types),
    ),
  );
  return misfit(shownValue(wrong), [first, ...more.map((one) => one.replace(/^must be /, ''))].join(', or '));
};

/**
 * The value, shortened; undefined where a credential could appear. A string sent in place of an object is often that
 * object as JSON, so the string is not shown either.
 */
export const shownValue = ({ value, path, types, written }: WrongValue): string | undefined => {
  if (value === undefined || path.some((step) => isSecretMember(String(step)))) return undefined;
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  const isText = typeof value === 'string';
  if (isText && (types.includes('object') || types.includes('array'))) return 'a string';
  return cut(written ?? JSON.stringify(value));
};

/** What to do about a wrong value, if a typing mistake explains it; else "". */
export const adviceOn = ({ keyword, value, forms, types }: WrongValue): string => {
  const known = keyword === 'enum' || keyword === 'const' ? allowedBy(forms) : [];
  if (typeof value === 'string') {
    const isUnquoted =
      known.includes(value) ||
      (types.includes('boolean') && /^(true|false)$/.test(value)) ||
      (types.some((type) => type === 'integer' || type === 'number') && /^-?\d+$/.test(value));
    return isUnquoted ? `Write ${value} without quotes.` : didYouMean(value, known).trim();
  }
  if (typeof value !== 'number' && typeof value !== 'boolean') return '';
  if (known.includes(String(value))) return 'Write it in quotes.';
  const isText = types.includes('string') && !forms.some(({ format }) => format !== undefined);
  return isText ? 'Write it in quotes.' : '';
};

/** Names by which other tools call what faults and stubs call so. */
const OTHER_WORDS = [
  { pattern: /^(?:delay|timeout|latency|wait)(?:_?ms)?$/i, meant: 'delay_ms' },
  { pattern: /^(?:http_?)?(?:status|status_?code)$/i, meant: 'status' },
  { pattern: /^op(?:eration_?id)?$/i, meant: 'operation' },
];

type NameKind = 'member' | 'parameter';

/** What is wrong with an unknown name, after the name itself. */
export const unknownWords = (kind: NameKind): string => `is not a known ${kind}`;

/** The known name that was probably meant by an unknown one; undefined if none is like it. */
export const nameMeant = (name: string, known: readonly string[]): string | undefined =>
  [...otherNames(), ...OTHER_WORDS].find(({ pattern, meant }) => pattern.test(name) && known.includes(meant))
    ?.meant ?? nearest(name, known);

/** What to do about an unknown name: the known name that was probably meant, or else all known names. */
export const adviceOnName = (name: string, known: readonly string[], kind: NameKind): string => {
  const meant = nameMeant(name, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  return known.length === 0 ? 'Leave it out.' : `The ${kind}s are ${listNames(known)}.`;
};
