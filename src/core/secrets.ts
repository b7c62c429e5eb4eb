/** Recognizes credentials, so that the journal, the log, messages and reports can hide them (behaviour R2). */

export const MASK = '***';

/** Names of credentials, in lower case without `_` and `-`. A member with such a name is masked completely. */
const SECRET =
  /^(?:authorizationdetails|staticauth|vendorbdwd|trustedidp|cookie|setcookie|bearer|accesskeyid|dsn|.*(?:authorization|secret|token|password|passwd|passphrase|passcode|pwd|credential|apikey|accesskey|secretkey|privatekey|sshkey|privatekeypem|connectionstring|assertion|jwt|dpop|codeverifier)s?(?:value|old|new|v?\d+)?)$/;

/** Names of page tokens, which are not credentials. */
const CURSOR = /^(?:next|prev)?pagetoken$/;

/** Whether a member, parameter or header of this name can be a credential: `password`, `secret[]`, `a[token]`. */
export const isSecretName = (name: string): boolean =>
  name.split(/[^\p{L}\p{N}_-]+/u).some((word) => {
    const plain = word.toLowerCase().replaceAll(/[_-]/g, '');
    return SECRET.test(plain) && !CURSOR.test(plain);
  });

/** Whether a text contains a credential: `client_secret=X`, `"access_token" => "X"`, `Bearer X`, a JWT, a PEM block. */
export const mentionsSecret = (text: string): boolean =>
  (/[=:>]/.test(text) && ASSIGNMENT.test(text)) ||
  /\b(?:bearer|basic|dpop)\s+\S/i.test(text) ||
  /\beyJ[\w-]{5,}\.[\w-]{5,}\.|-----BEGIN /.test(text);

/** Long values that are not credentials, by name: what the contract describes, the public key, and usual headers. */
const PLAIN =
  /^(?:authrequestid|requestid|xrequestid|state|identifier|externalid|query|link|n|etag|ifnonematch|secwebsocketkey|traceparent)$/;

/**
 * Whether a value under this name looks like a key or token: 40 or more characters of base64, in both cases. Nobody can
 * list the names under which applications keep credentials in free-form members.
 */
export const looksSecret = (name: string, value: string): boolean => isKey(value) && !isLongName(name);

/** Whether values under this name may be long without being credentials. */
export const isLongName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  return PLAIN.test(plain) || CURSOR.test(plain);
};

const isKey = (value: string): boolean =>
  /^[A-Za-z0-9+/_-]{40,}={0,2}$/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  /\d/.test(value);

/** A sentence or other text with everything masked that looks like a key or token. */
export const withoutKeys = (text: string): string =>
  text
    .replace(/-----BEGIN [\s\S]*/, MASK)
    .replaceAll(/\beyJ[\w-]{5,}\.[\w.-]{5,}/g, MASK)
    .replaceAll(/[A-Za-z0-9+/_-]{40,}={0,2}/g, (word) =>
      // In a path, each segment is a word of its own.
      (word.startsWith('/') ? word.split('/') : [word]).map((one) => (isKey(one) ? MASK : one)).join('/'),
    );

/** A text with the passwords of its URLs masked: `postgres://app:***@db.test`. */
export const withoutPasswords = (text: string): string =>
  text.includes('://') ? text.replaceAll(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${MASK}@`) : text;

const ASSIGNMENT =
  /(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|assertion|authorization|cookie|jwt|dpop|code[_-]?verifier)[\w\-[\]"'.\s]{0,40}[=:>]/i;

/** A text without a known credential. A short one is masked only where it stands in quotes, since words contain it too. */
export const maskSecret = (text: string, secret: string): string =>
  secret.length < 8 ? text.replaceAll(JSON.stringify(secret), `"${MASK}"`) : text.replaceAll(secret, MASK);

/** A path, with or without a query, with its credentials masked. */
export const maskUrl = (url: string): string => {
  const [path = '', query] = url.split(/\?(.*)/s);
  const shown = path
    .split('/')
    .map((segment) => (mentionsSecret(decode(segment)) || looksSecret('', decode(segment)) ? MASK : segment))
    .join('/');
  return query === undefined ? shown : `${shown}?${query.split('&').map(maskParameter).join('&')}`;
};

/** Masks the value in `name=value` of a query if a credential has this name, or if the value contains a credential. */
const maskParameter = (parameter: string): string => {
  const [name = '', value] = parameter.split(/=(.*)/s);
  if (looksSecret('', decode(name))) return `${MASK}=${MASK}`;
  if (isSecretName(decode(name))) return value !== undefined && isPlainName(name) ? `${name}=${MASK}` : MASK;
  return mentionsSecret(decode(value ?? name)) || looksSecret(decode(name), decode(value ?? ''))
    ? `${value === undefined ? '' : `${name}=`}${MASK}`
    : parameter;
};

/** Decodes a URL-encoded text, including `+`. Returns the whole text unchanged if its encoding is invalid. */
export const decode = (text: string): string =>
  isDecodable(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;

/** Whether every percent sign in a text belongs to the encoding of a character in UTF-8. */
export const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** Whether a text looks like the name of a parameter, which can contain brackets and percent signs. */
export const isPlainName = (name: string): boolean => /^[\w.[\]%-]{1,100}$/.test(name);
