/**
 * Masks credentials in bodies and headers, by their names (behaviour R2). Of a request body that is neither JSON nor a
 * form, only its length and digest are shown, since nothing in it has a name.
 */
import { createHash } from 'node:crypto';
import { isSecretMember } from '../contract/marks.ts';
import { MOST_LEVELS } from '../core/limits.ts';
import { isJsonObject, parseJson } from '../core/object.ts';
import { MASK, maskQuery, maskUrl, withoutTokens } from '../core/secrets.ts';

/** A header's value with its credentials masked; the scheme of `Authorization` stays. */
export const maskHeader = (name: string, value: string): string => {
  if (!isSecretMember(name)) return withoutTokens(value);
  const scheme = /^authorization$/i.test(name) ? /^(?:Bearer|Basic) /i.exec(value)?.[0] : undefined;
  return `${scheme ?? ''}${MASK}`;
};

type BodyKind = 'json' | 'form' | 'text' | 'other';

export const kindOfBody = (contentType = ''): BodyKind => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/(?:.*\+)?json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') ? 'text' : 'other';
};

/** The parsed body; undefined if the body cannot be parsed, or is neither JSON nor a form. */
export const parseBody = (text: string, kind: BodyKind): unknown => {
  if (kind === 'form') return Object.fromEntries(new URLSearchParams(text));
  return kind === 'json' ? parseJson(text) : undefined;
};

/** A masked body: JSON as a value, all else as text. @param isReply a reply of the mock may also be a text */
export const maskBody = (text: string, kind: BodyKind, isReply = false): unknown => {
  if (kind === 'form') return maskQuery(text);
  if (kind === 'text' && isReply) return withoutTokens(text);
  const value = kind === 'json' ? parseJson(text) : undefined;
  return value === undefined ? digest(text, kind) : maskValue(value);
};

const digest = (text: string, kind: BodyKind): string => {
  const claimed = kind === 'json' ? 'that are not JSON' : 'that are neither JSON nor a form';
  const sum = createHash('sha256').update(text).digest('hex');
  return `[${Buffer.byteLength(text)} bytes ${claimed}, SHA-256 ${sum.slice(0, 16)}]`;
};

const maskValue = (value: unknown, isSecret = false, depth = 0): unknown => {
  if (depth > MOST_LEVELS) return MASK; // no such body is accepted
  if (Array.isArray(value)) return value.map((item) => maskValue(item, isSecret, depth + 1));
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]) => [
      withoutTokens(name),
      maskValue(member, isSecret || isSecretMember(name), depth + 1),
    ]);
    return Object.fromEntries(members);
  }
  if (isSecret) return value === null || value === '' || typeof value === 'boolean' ? value : MASK;
  return typeof value === 'string' ? maskText(value, depth) : value;
};

/** Masks a text by the names in it, if it is JSON or a URL. */
const maskText = (text: string, depth: number): string => {
  const value = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  if (value !== undefined) return JSON.stringify(maskValue(value, false, depth + 1));
  return /^https?:\/\/[^\s?]+\?\S*$/i.test(text) ? maskUrl(text) : withoutTokens(text);
};
