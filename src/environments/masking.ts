/** Keeps credentials out of what is shown: in bodies, headers and addresses, whole, cut short or malformed. */

export const MASK = '***';

/** Names, without case, `_` and `-`, under which a credential may stand; all beneath such a member is hidden. */
const SECRET =
  /^(?:authorizationdetails|staticauth|vendorbdwd|trustedidp|authorization|proxyauthorization|cookie|setcookie|bearer|accesskeyid|.*(?:secret|token|password|passwd|apikey|accesskey|privatekey|assertion))$/;

/** Cursors of a list: opaque, but no credentials. */
const CURSOR = /^(?:next|prev)?pagetoken$/;

/** Whether a member, parameter or header of this name may hold a credential. */
export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  return SECRET.test(plain) && !CURSOR.test(plain);
};

/** A header's value as it may be shown; of `Authorization` the scheme is left. */
export const maskHeader = (name: string, value: string): string => {
  if (!isSecretName(name)) return value;
  const scheme = /^authorization$/i.test(name) ? /^(Bearer|Basic) /i.exec(value)?.[0] : undefined;
  return `${scheme ?? ''}${MASK}`;
};

/** A path with its query, as it stands in a request line. */
export const maskUrl = (url: string): string => {
  const mark = url.indexOf('?');
  return mark < 0 ? url : `${url.slice(0, mark + 1)}${maskForm(url.slice(mark + 1))}`;
};

/** Fields joined by `&`: a form, or a query. */
export const maskForm = (text: string): string =>
  text
    .split('&')
    .map((field) => {
      const equals = field.indexOf('=');
      return equals >= 0 && isSecretName(decode(field.slice(0, equals)))
        ? `${field.slice(0, equals + 1)}${MASK}`
        : field;
    })
    .join('&');

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** A body by what it looks like. What is neither JSON nor a form could hold anything, so it is not shown at all. */
export const maskBody = (text: string): string => {
  if (/^\s*["{[\d-]|^\s*(?:true|false|null)\b/.test(text)) return maskJson(text);
  if (/^[^\s=&<]+=[^\n]*$/.test(text)) return maskForm(text);
  return text === '' ? '' : `[${text.length} characters that are neither JSON nor a form]`;
};

/** In order: a member's name, opening, closing, what separates, a text (perhaps cut), anything else. */
const TOKENS =
  /(?<name>"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*:))|(?<opening>[{[])|(?<closing>[}\]])|(?<separator>[\s,:]+)|(?<text>"[^"\\]*(?:\\.[^"\\]*)*"?)|[^"{}[\]\s,:]+/gs;
const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const HIDDEN = `"${MASK}"`;

type Token = { readonly [Kind in 'name' | 'opening' | 'closing' | 'separator' | 'text']?: string };

/**
 * Walks the text without parsing it, because one that was cut or is no JSON may hold credentials all the same.
 * Whatever stands under a secret name is hidden, and so is everything that JSON would not have there.
 */
const maskJson = (text: string): string => {
  const nesting = { depth: 0, hiddenFrom: Number.POSITIVE_INFINITY, isNextHidden: false };
  let masked = '';
  for (const { 0: token, groups = {} } of text.matchAll(TOKENS)) masked += maskToken(token, groups, nesting);
  return masked;
};

/** Where a walk stands: how deep, from which depth on all is hidden, and whether the next value is. */
interface Nesting {
  depth: number;
  hiddenFrom: number;
  isNextHidden: boolean;
}

const maskToken = (token: string, kind: Token, nesting: Nesting): string => {
  if (kind.separator !== undefined) return token;
  if (kind.opening !== undefined) open(nesting);
  else if (kind.closing !== undefined) close(nesting);
  else if (kind.name !== undefined && !nesting.isNextHidden) return maskName(kind.name, nesting);
  else return hideValue(token, kind, nesting);
  return token;
};

/** What a member of a free-form credential is called; a key that was sent as a name has digits, or is longer. */
const PLAIN_NAME = /^[A-Za-z_-]{1,30}$/;

const maskName = (quoted: string, nesting: Nesting): string => {
  const name = unquote(quoted);
  nesting.isNextHidden = isSecretName(name);
  return nesting.depth >= nesting.hiddenFrom && !PLAIN_NAME.test(name) ? HIDDEN : quoted;
};

const open = (nesting: Nesting): void => {
  nesting.depth += 1;
  if (nesting.isNextHidden) nesting.hiddenFrom = Math.min(nesting.hiddenFrom, nesting.depth);
  nesting.isNextHidden = false;
};

const close = (nesting: Nesting): void => {
  if (nesting.depth === nesting.hiddenFrom) nesting.hiddenFrom = Number.POSITIVE_INFINITY;
  nesting.depth -= 1;
};

const hideValue = (value: string, kind: Token, nesting: Nesting): string => {
  const isHidden = nesting.isNextHidden || nesting.depth >= nesting.hiddenFrom;
  nesting.isNextHidden = false;
  if (isHidden || !(kind.text !== undefined || LITERAL.test(value))) return HIDDEN;
  return kind.text === undefined ? value : maskText(kind.text, nesting.depth);
};

/** A text that holds JSON holds its credentials too; one that is the whole body is not what any call takes. */
const maskText = (text: string, depth: number): string => {
  if (depth === 0) return HIDDEN;
  if (!/^"\s*(?:[{[]|\\)/.test(text)) return text;
  const written = unquote(text);
  if (written === text) return HIDDEN; // it was cut
  return /^\s*[{[]/.test(written) ? JSON.stringify(maskJson(written)) : text;
};

/** A name may be spelt with escapes: `"client\u005fsecret"`. */
const unquote = (text: string): string => {
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
};
