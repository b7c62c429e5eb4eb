/**
 * Masks credentials in bodies and headers. If a body does not match its content type, only its length and digest are
 * shown, since a credential could be anywhere in it.
 */
import { createHash } from 'node:crypto';
import { parseJson } from '../../core/object.ts';
import {
  decode,
  isLongName,
  isPlainName,
  isSecretName,
  looksSecret,
  MASK,
  maskUrl,
  mentionsSecret,
  withoutKeys,
  withoutPasswords,
} from '../../core/secrets.ts';

/** A header's value with its credentials masked; the scheme of `Authorization` stays. */
export const maskHeader = (name: string, value: string): string => {
  if (/^www-authenticate$/i.test(name)) return value;
  if (/-bin$/i.test(name)) return MASK; // a gRPC header with binary data, which can hold anything
  if (!isSecretName(name)) return isLongName(name) ? maskText(value) : withoutKeys(maskText(value));
  const scheme = /^authorization$/i.test(name) ? /^(?:Bearer|Basic) /i.exec(value)?.[0] : undefined;
  return `${scheme ?? ''}${MASK}`;
};

export type BodyKind = 'json' | 'form' | 'text' | 'other';

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

/** A client's request, or the mock's answer or error. An error never holds a credential (behaviour R2). */
export type BodySource = 'client' | 'answer' | 'error';

/** Only this much of a body is masked and shown; the rest is cut off. */
export const BODY_LIMIT = 64 * 1024;

/** A masked body: JSON as a value, all else as text. */
export const maskBody = (text: string, kind: BodyKind, source: BodySource = 'client'): unknown => {
  if (kind === 'form') return maskForm(text);
  if (kind === 'text' && source !== 'client') return withoutKeys(maskText(text));
  const value = kind === 'json' ? parseJson(text) : undefined;
  if (typeof value === 'string') return MASK; // a body that is only a JSON string could be a credential
  return value === undefined ? digest(text, kind) : maskValue(value, source === 'error' ? String : maskText);
};

const digest = (text: string, kind: BodyKind): string => {
  const claimed = kind === 'json' ? 'that are not JSON' : 'that are neither JSON nor a form';
  const sum = createHash('sha256').update(text).digest('hex');
  return `[${Buffer.byteLength(text)} bytes ${claimed}, SHA-256 ${sum.slice(0, 16)}]`;
};

/** Fields of a token request that never hold a credential. */
const HARMLESS_FIELDS = new Set(['grant_type', 'client_id', 'scope', 'audience', 'resource']);

/** Masks all fields but the harmless ones: only token requests send forms, and these carry credentials. */
const maskForm = (text: string): string => text.slice(0, BODY_LIMIT).split('&').map(maskField).join('&');

const maskField = (field: string): string => {
  const [name = '', value = ''] = field.split(/=(.*)/s);
  const isPlain = name === 'client_id' || !looksSecret(name, decode(value));
  if (HARMLESS_FIELDS.has(name) && isPlain && /^[\w.:/%-]*$/.test(value) && !mentionsSecret(decode(value)))
    return field;
  return `${value !== '' && isPlainName(name) && !looksSecret('', name) ? name : MASK}=${MASK}`;
};

type MaskText = (text: string) => string;

/** The mock refuses bodies that are nested deeper than this, so masking stops here. */
const DEEPEST = 200;

/** How to mask strings, and how many more characters of the body can be shown. */
interface Masking {
  readonly mask: MaskText;
  left: number;
}

const maskValue = (value: unknown, mask: MaskText): unknown => maskPart(value, { mask, left: BODY_LIMIT });

/** @param name the name of the member that has the value or, if the value is an item, the list */
const maskPart = (value: unknown, masking: Masking, isSecret = false, depth = 0, name = ''): unknown => {
  if (depth > DEEPEST) return MASK;
  if (Array.isArray(value)) return maskItems(value, masking, isSecret, depth + 1, name);
  if (typeof value === 'object' && value !== null) return maskMembers(value, masking, isSecret, depth + 1);
  masking.left -= typeof value === 'string' ? value.length : 1;
  if (isSecret) return value === null || value === '' || typeof value === 'boolean' ? value : MASK;
  if (typeof value !== 'string') return value;
  return looksSecret(name, value) ? MASK : masking.mask(value);
};

const maskItems = (
  items: readonly unknown[],
  masking: Masking,
  isSecret: boolean,
  depth: number,
  name: string,
) => {
  const masked: unknown[] = [];
  const isPair = items.length === 2 && isNameOfSecret(items[0]); // a name and its value, such as ["client_secret", "X"]
  for (const item of items) {
    if (masking.left <= 0) break;
    masking.left -= 1;
    masked.push(maskPart(item, masking, isSecret || (isPair && masked.length === 1), depth, name));
  }
  return masked;
};

const maskMembers = (value: object, masking: Masking, isSecret: boolean, depth: number) => {
  const masked: [string, unknown][] = [];
  // A name and its value in two members, such as {"name": "client_secret", "value": "X"}.
  const isPair = 'value' in value && Object.values(value).some(isNameOfSecret);
  for (const [name, member] of Object.entries(value)) {
    if (masking.left <= 0) break;
    masking.left -= name.length;
    const isOne = isSecret || isSecretName(name) || (isPair && name === 'value');
    const isHidden = looksSecret('', name) || (isSecret && !NAMES_WITHIN.has(name));
    const shown = isHidden ? MASK : masking.mask(name);
    masked.push([shown, maskPart(member, masking, isOne, depth, name)]);
  }
  return Object.fromEntries(masked);
};

/** Whether the whole text is the name of a credential. */
const isNameOfSecret = (text: unknown): boolean =>
  typeof text === 'string' && isPlainName(text) && isSecretName(text);

/** Member names that are safe to show inside a credential; any other name there could itself be secret. */
const NAMES_WITHIN = new Set(
  `oauth_token access_token refresh_token id_token scopes scope domain token_type token_expires_at expires_at expires_in
  static_auth details username user_name password api_key apikey key token bearer secret header value
  vendorb_dwd subject trusted_idp db_user access_key_id secret_access_key session_token`.split(/\s+/),
);

/** Masks the secrets within JSON or a URL. Any other text that contains a secret is masked as a whole. */
const maskText: MaskText = (text) => {
  if (/^\s*[{[]/.test(text)) {
    const value = parseJson(text);
    return value === undefined ? MASK : JSON.stringify(maskValue(value, maskText));
  }
  const shown = withoutPasswords(text);
  if (/^https?:\/\/[^\s?]+\?\S*$/i.test(shown)) return maskUrl(shown);
  return mentionsSecret(shown) ? MASK : shown;
};
