/**
 * Keeps other sites from deciding for a user. The pages know no cookies and no sessions, so a browser carries nothing
 * that another site could use: whoever posts must know the link's token, which stands in the address of the post and
 * is worth as much as a token in the form would be. Tokens written in a scenario can be guessed, though, and a visited
 * page could send a developer's browser to one. So a post must also come from a page of this very server: browsers say
 * where it comes from in `Sec-Fetch-Site` or `Origin`, which no page can forge. Programs that send neither, such as
 * curl, are no browsers and pass.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { crossSite } from './refusal.ts';

/** @throws Refusal 403 if a browser sends the post from a page of another site */
export const requireSameSite = (headers: IncomingHttpHeaders, baseUrl: string): void => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, headers.host, baseUrl)) throw crossSite();
};

/** Behind a proxy the browser's address is the base URL; otherwise it is whatever host the browser asked. */
const isOwn = (origin: string, host: string | undefined, baseUrl: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host?.toLowerCase() || from.origin === new URL(baseUrl).origin;
};
