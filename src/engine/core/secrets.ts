/** Hides credentials from journal, log, messages and reports (behaviour R2): by their names, and every JWT and PEM. */

export const MASK = '***';

/** Headers that a repeated call leaves out: clients set them, only browsers send them, or they name an environment. */
export const LEFT_OUT =
  /^(?:host|content-length|connection|keep-alive|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie|x-mock-environment|baggage|traceparent|tracestate)$/;

/** Names of credentials everywhere, in lower case without `_` and `-`. */
const SECRET =
  /^(?:cookie|setcookie|bearer|dsn|.*(?:authorization|secret|token|password|passwd|passphrase|passcode|pwd|credential|apikey|accesskey|secretkey|privatekey|sshkey|privatekeypem|connectionstring|assertion|jwt|dpop|codeverifier)s?(?:value|old|new|v?\d+)?)$/;

/** Names of page tokens, which are not credentials. */
const CURSOR = /^(?:next|prev)?pagetoken$/;

/** Whether this can name a credential: `password`, `secret[]`, `a[token]`. @param more names, as `plainName` writes them */
export const isSecretName = (name: string, more?: ReadonlySet<string>): boolean =>
  name.split(/[^\p{L}\p{N}_-]+/u).some((word) => {
    const plain = plainName(word);
    return more?.has(plain) || (SECRET.test(plain) && !CURSOR.test(plain));
  });

/** A name in lower case without `_` and `-`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** A text with each JWT masked, and everything from the first PEM block on. */
export const withoutTokens = (text: string): string => {
  const pem = text.indexOf('-----BEGIN ');
  const shown = pem < 0 ? text : text.slice(0, pem) + MASK;
  // Each word is looked at once: an expression that looks for a JWT itself would begin anew at each `eyJ`.
  return shown.includes('eyJ') ? shown.replaceAll(/[\w.-]+/g, (word) => (isJwt(word) ? MASK : word)) : shown;
};

/** Whether a word has a part that is JSON in base64url, and another part after it. */
const isJwt = (word: string): boolean =>
  word.split('.').some((part, nth, parts) => /eyJ[\w-]{5}/.test(part) && (parts[nth + 1]?.length ?? 0) >= 5);

/** A text without a known credential. A short one is masked only where it stands in quotes, since words contain it too. */
export const maskSecret = (text: string, secret: string): string =>
  secret.length < 8 ? text.replaceAll(JSON.stringify(secret), `"${MASK}"`) : text.replaceAll(secret, MASK);

/** A path, with or without a query, with its credentials masked. */
export const maskUrl = (url: string): string => {
  const [path = '', query] = url.split(/\?(.*)/s);
  const shown = withoutTokens(path);
  return query === undefined ? shown : `${shown}?${maskQuery(query)}`;
};

/** A query or form with its credentials masked. */
export const maskQuery = (query: string): string => query.split('&').map(maskParameter).join('&');

const maskParameter = (parameter: string): string => {
  const [name = '', value] = parameter.split(/=(.*)/s);
  if (!isSecretName(decode(name))) return withoutTokens(parameter);
  const isPlain = /^[\w.[\]%-]{1,100}$/.test(name); // as parameters are called: with brackets and percent signs
  return value !== undefined && isPlain ? `${name}=${MASK}` : MASK;
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
