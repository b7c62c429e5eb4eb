/** Tells whether a call comes from a page of this server, by headers that browsers set and pages cannot forge. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whether a browser reports that the call comes from a page of another server. A page of this server has the origin of
 * the base URL (behind a proxy), or the host of the call.
 * @param isOurs whether a page at the host of the call belongs to this server
 */
export const isOfAnotherOrigin = (
  { origin, host }: IncomingHttpHeaders,
  baseUrl: string,
  isOurs: (page: URL) => boolean,
): boolean => {
  if (origin === undefined) return false;
  const page = parseUrl(origin);
  if (!page) return true;
  const isAtHost = page.host === host?.toLowerCase();
  return page.origin !== parseUrl(baseUrl)?.origin && !(isAtHost && isOurs(page));
};

/** Whether the browser reports that the call comes from another site. Only browsers send this header. */
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
