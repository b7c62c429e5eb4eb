/** What is particular to `POST /oauth/token` (behaviour E3, R3): HTTP Basic, and refusals in the words of RFC 6749. */

import type { Schemas } from '../contract/types.ts';
import type { FieldViolation } from '../core/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The form fields, with id and secret from HTTP Basic where the header carries them (RFC 6749, 2.3.1). */
export const withBasicCredentials = (fields: Fields, authorization: string | undefined): Fields => {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return fields;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return fields;
  return { ...fields, client_id: decode(text.slice(0, colon)), client_secret: decode(text.slice(colon + 1)) };
};

/** The RFC has both form-encoded before they are joined; a raw value with a stray `%` is taken as it is. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'));
  } catch {
    return text;
  }
};

/** 400 as RFC 6749 writes it, for a token request that breaks the contract. */
export const toTokenError = (violations: readonly FieldViolation[]): Schemas['TokenError'] => {
  const isUnsupported = violations.some(
    ({ field, constraint }) => field === 'grant_type' && constraint === 'enum',
  );
  return {
    error: isUnsupported ? 'unsupported_grant_type' : 'invalid_request',
    error_description: violations.map(({ description }) => description).join(' '),
  };
};
