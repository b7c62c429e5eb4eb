/** E-mail addresses, web addresses, and the address of this server. */
import { domainToUnicode } from 'node:url';

/** E-mail addresses as in RFC 5322: `ada@acme.test`, `root@localhost`, `"a b"@acme.test`, `ada@[192.0.2.1]`. */
const ATOMS = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const QUOTED = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
const LITERAL = '\\[[\\x21-\\x5a\\x5e-\\x7e]+\\]';
const ADDRESS = new RegExp(`^(?:${ATOMS}|${QUOTED})@(?:${ATOMS}|${LITERAL})$`);

/** RFC 5321 allows up to 254 characters. */
export const isEmail = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

/** Whether a browser can open a URL. The class `URL` is less strict: it accepts control characters and `https://.` */
export const isWebAddress = (url: string): boolean => {
  if (!URL.canParse(url) || /\p{Cc}/u.test(url)) return false;
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return true;
  // A label that still begins with `xn--` after decoding is invalid, but newer versions of Node accept it in a URL.
  const labels = domainToUnicode(hostname.replace(/\.$/, '')).split('.');
  return labels.every((label) => label !== '' && !label.startsWith('xn--'));
};

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The base URL with the loopback host that the client called (behaviour E3): `http://127.0.0.1:4720` becomes
 * `http://localhost:4720` for the Host `localhost:4720`.
 */
export const withCalledHost = (baseUrl: string, host = ''): string => {
  const own = new URL(baseUrl);
  const address = `${own.protocol}//${host}`;
  if (!LOOPBACK.has(own.hostname) || !URL.canParse(address)) return baseUrl;
  const called = new URL(address);
  return LOOPBACK.has(called.hostname) && called.port === own.port
    ? baseUrl.replace(own.host, called.host)
    : baseUrl;
};
