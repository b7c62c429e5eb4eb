/** Addresses: of e-mail, of the web, of this machine, and of an environment on it. */
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

/** E-mail addresses as RFC 5322 writes them: `ada@acme.test`, `root@localhost`, `"a b"@acme.test`, `ada@[192.0.2.1]`. */
const ATOMS = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const QUOTED = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
const LITERAL = '\\[[\\x21-\\x5a\\x5e-\\x7e]+\\]';
const ADDRESS = new RegExp(`^(?:${ATOMS}|${QUOTED})@(?:${ATOMS}|${LITERAL})$`);

/** The longest that mail carries (RFC 5321), in characters. */
const LONGEST = 254;

export const isEmail = (text: string): boolean => text.length <= LONGEST && ADDRESS.test(text);

/**
 * Whether a browser can go to a URL. The platform also parses control characters, empty labels (`https://.`) and, on newer
 * Node, labels such as `xn--` that stand for no name: those stay as they are when they are decoded.
 */
export const isWebAddress = (url: string): boolean => {
  if (!URL.canParse(url) || /\p{Cc}/u.test(url)) return false;
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return true;
  const labels = domainToUnicode(hostname.replace(/\.$/, '')).split('.');
  return labels.every((label) => label !== '' && !label.startsWith('xn--'));
};

/**
 * Whether a host cannot be rebound: an address is not a name, and `localhost` with all below it is always this
 * machine, as every browser resolves it (RFC 6761, 6.3).
 * @param hostname as `URL` gives it: lower case, without a port, an IPv6 address in brackets
 */
export const cannotBeRebound = (hostname: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === 'localhost' || hostname.endsWith('.localhost');

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address of a server on this machine by the loopback name that a client used for it (behaviour E3): with the base URL
 * `http://127.0.0.1:4720`, a client of `localhost:4720` has `http://localhost:4720`. Any other address stays as it is.
 * @param host the Host header of the call
 */
export const asCalled = (baseUrl: string, host = ''): string => {
  const own = new URL(baseUrl);
  const address = `${own.protocol}//${host}`;
  if (!LOOPBACK.has(own.hostname) || !URL.canParse(address)) return baseUrl;
  const called = new URL(address);
  return LOOPBACK.has(called.hostname) && called.port === own.port
    ? baseUrl.replace(own.host, called.host)
    : baseUrl;
};

const FORM = /^(https?:\/\/)\{env\}\./i;

/** A base URL without the place of the name: the server's own address. */
export const withoutLabel = (baseUrl: string): string => baseUrl.replace(FORM, '$1');

/** The address of one environment; the same for all if the base URL has no place for a name. */
export const withLabel = (baseUrl: string, name: string): string =>
  baseUrl.replace(FORM, (_form, scheme: string) => `${scheme}${name.toLowerCase()}.`);

/** What a host has in the place of the name, or undefined. */
export const labelOf = (baseUrl: string, host: string): string | undefined => {
  if (!FORM.test(baseUrl)) return undefined;
  const [label, ...rest] = host.toLowerCase().split('.');
  return label !== undefined && rest.join('.') === new URL(withoutLabel(baseUrl)).host ? label : undefined;
};
