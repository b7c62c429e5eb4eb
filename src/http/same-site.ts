/** Whether a call comes from a page of this server, as browsers say it in headers that no page can forge. */
import type { IncomingHttpHeaders } from 'node:http';

/** What this server is called. */
export interface OwnNames {
  /** Its address as clients see it. */
  readonly baseUrl: string;
  /** Whether a page of this address can only be ours, when the browser asked for it by the same name. */
  isOurs(page: URL): boolean;
}

/** Behind a proxy the browser's address is the base URL; otherwise it is the host that the browser asked. */
export const isOwnOrigin = (
  origin: string,
  { host }: IncomingHttpHeaders,
  { baseUrl, isOurs }: OwnNames,
): boolean => {
  const page = parseUrl(origin);
  if (!page) return false;
  return page.origin === parseUrl(baseUrl)?.origin || (page.host === host?.toLowerCase() && isOurs(page));
};

/** Programs that are not browsers send no such header. */
export const isOfAnotherSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

export const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
