/**
 * Keeps credentials out of what is shown: in bodies, headers and addresses. Bodies are parsed and walked; of one that
 * is not what it claims to be only length and digest are shown, since a credential could be anywhere in it.
 */
import { createHash } from 'node:crypto';
import { parseJson } from '../core/object.ts';
import { isSecretName, mentionsSecret } from '../core/secrets.ts';

export const MASK = '***';

/** A header's value as it may be shown; of `Authorization` the scheme is left. */
export const maskHeader = (name: string, value: string): string => {
  if (/^www-authenticate$/i.test(name)) return value;
  if (!isSecretName(name)) return maskText(value);
  const scheme = /^authorization$/i.test(name) ? /^(?:Bearer|Basic) /i.exec(value)?.[0] : undefined;
  return `${scheme ?? ''}${MASK}`;
};

/** A path with its query, as it is in a request line. */
export const maskUrl = (url: string): string => {
  const [path = '', query] = url.split(/\?(.*)/s);
  const shown = path
    .split('/')
    .map((segment) => (mentionsSecret(decode(segment)) ? MASK : segment))
    .join('/');
  return query === undefined ? shown : `${shown}?${query.split('&').map(maskParameter).join('&')}`;
};

/** `name=value` of a query. */
const maskParameter = (parameter: string): string => {
  const [name = '', value] = parameter.split(/=(.*)/s);
  if (isSecretName(decode(name))) return value !== undefined && isPlainName(name) ? `${name}=${MASK}` : MASK;
  return mentionsSecret(decode(value ?? name))
    ? `${value === undefined ? '' : `${name}=`}${MASK}`
    : parameter;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** A name as programs have it, brackets and escaped characters included. */
const isPlainName = (name: string): boolean => /^[\w.[\]%-]{1,100}$/.test(name);

export type BodyKind = 'json' | 'form' | 'text' | 'other';

/** What a body claims to be. */
export const kindOfBody = (contentType = ''): BodyKind => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/(?:.*\+)?json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') ? 'text' : 'other';
};

/** What a body holds; undefined where it is not what it claims to be, or is neither JSON nor a form. */
export const parseBody = (text: string, kind: BodyKind): unknown => {
  if (kind === 'form') return Object.fromEntries(new URLSearchParams(text));
  return kind === 'json' ? parseJson(text) : undefined;
};

/** Which side sent a body: what the mock answers echoes data of clients, but its errors never a credential (R2). */
export type BodySource = 'client' | 'answer' | 'error';

/** A body as it may be shown: JSON as what it holds, all else as text. */
export const maskBody = (text: string, kind: BodyKind, source: BodySource = 'client'): unknown => {
  if (kind === 'form') return text.split('&').map(maskField).join('&');
  if (kind === 'text' && source !== 'client') return maskText(text);
  const value = kind === 'json' ? parseJson(text) : undefined;
  if (typeof value === 'string') return MASK; // a text alone is what no call takes
  return value === undefined ? digest(text, kind) : maskValue(value, source === 'error' ? whole : maskText);
};

const digest = (text: string, kind: BodyKind): string => {
  const claimed = kind === 'json' ? 'that are not JSON' : 'that are neither JSON nor a form';
  const sum = createHash('sha256').update(text).digest('hex');
  return `[${Buffer.byteLength(text)} bytes ${claimed}, SHA-256 ${sum.slice(0, 16)}]`;
};

/** Fields of a token request whose value is no credential. */
const HARMLESS_FIELDS = new Set(['grant_type', 'client_id', 'scope', 'audience', 'resource']);

/** `name=value` of a form, which only token requests send: what is not known to be harmless is masked. */
const maskField = (field: string): string => {
  const [name = '', value = ''] = field.split(/=(.*)/s);
  if (HARMLESS_FIELDS.has(name) && /^[\w.:/%-]*$/.test(value) && !mentionsSecret(decode(value))) return field;
  return `${value !== '' && isPlainName(name) ? name : MASK}=${MASK}`;
};

type MaskText = (text: string) => string;

const whole: MaskText = (text) => text;

/** Deeper than any call may nest. */
const DEEPEST = 200;

const maskValue = (value: unknown, mask: MaskText, isSecret = false, depth = 0): unknown => {
  if (depth > DEEPEST) return MASK;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask, isSecret, depth + 1));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [
      isSecret ? maskNameWithin(name) : mask(name),
      maskValue(member, mask, isSecret || isSecretName(name), depth + 1),
    ]);
    return Object.fromEntries(members);
  }
  if (isSecret) return value === null || value === '' || typeof value === 'boolean' ? value : MASK;
  return typeof value === 'string' ? mask(value) : value;
};

/** Names of credentials that are no secret themselves; beneath one, a name that is not here could be a key. */
const NAMES_WITHIN = new Set(
  `oauth_token access_token refresh_token id_token scopes scope domain token_type token_expires_at expires_at expires_in
  static_auth details username user_name password api_key apikey key token bearer secret header value
  vendorb_dwd subject trusted_idp db_user access_key_id secret_access_key session_token`.split(/\s+/),
);

const maskNameWithin = (name: string): string => (NAMES_WITHIN.has(name) ? name : MASK);

/** A text that holds JSON, an address or an assignment is masked by what it holds. */
const maskText: MaskText = (text) => {
  if (/^\s*[{[]/.test(text)) {
    const value = parseJson(text);
    return value === undefined ? MASK : JSON.stringify(maskValue(value, maskText));
  }
  if (!mentionsSecret(text)) return text;
  return /^https?:\/\/[^\s?]+\?\S*$/i.test(text) ? maskUrl(text) : MASK;
};
