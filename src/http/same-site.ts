/** Tells whether a call comes from a page of this server, by headers that browsers set and pages cannot forge. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** The names of this server. */
export interface OwnNames {
  /** The server's address as clients see it. */
  readonly baseUrl: string;
  /**
   * Whether a page at this address belongs to this server, given that the browser used the same host name for the page
   * and for the call.
   */
  isOurs(page: URL): boolean;
}

/** Whether an address belongs to this server: it is the base URL (behind a proxy), or the host of the request. */
export const isOwnOrigin = (
  origin: string,
  { host }: IncomingHttpHeaders,
  { baseUrl, isOurs }: OwnNames,
): boolean => {
  const page = parseUrl(origin);
  if (!page) return false;
  return page.origin === parseUrl(baseUrl)?.origin || (page.host === host?.toLowerCase() && isOurs(page));
};

/** Whether the browser reports that the call comes from another site. Other programs do not send this header. */
export const isOfAnotherSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

export const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * Whether a host is safe from DNS rebinding: true for IP addresses, and for `localhost` and its subdomains, which every
 * browser resolves to this machine (RFC 6761, 6.3).
 * @param hostname as `URL` gives it: lower case, without a port, an IPv6 address in brackets
 */
export const cannotBeRebound = (hostname: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname === 'localhost' || hostname.endsWith('.localhost');
