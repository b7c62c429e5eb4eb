/**
 * Keeps other sites from deciding for a user. The pages know no cookies and no sessions, so a browser carries nothing
 * that another site could use: whoever posts must know the link's token, which stands in the address of the post and
 * is worth as much as a token in the form would be. Tokens written in a scenario can be guessed, though, and a visited
 * page could send a developer's browser to one. So a post must also come from a page of this very server: browsers say
 * where it comes from in `Sec-Fetch-Site` or `Origin`, which no page can forge. Programs that send neither, such as
 * curl, are no browsers and pass. A link that decides when it is opened (`?decision=approve`) may be followed from
 * anywhere, since applications send their users there; an image or a script of another site may not ask for it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { cannotBeRebound } from '../core/own-name.ts';
import { crossSite } from './refusal.ts';

/** @throws Refusal 403 if a browser sends the post from a page of another site */
export const requireSameSite = (headers: IncomingHttpHeaders, baseUrl: string): void => {
  if (isOfAnotherSite(headers)) throw crossSite();
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, headers.host, baseUrl)) throw crossSite();
};

/** @throws Refusal 403 if a page of another site embeds the address; whoever follows a link to it may come from there */
export const requireNavigation = (headers: IncomingHttpHeaders): void => {
  if (isOfAnotherSite(headers) && headers['sec-fetch-mode'] !== 'navigate') throw crossSite();
};

const isOfAnotherSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

/**
 * Behind a proxy the browser's address is the base URL; otherwise it is the host that the browser asked. That must not
 * be a name whose owner has made it mean this machine for a moment: the page would be of his making.
 */
const isOwn = (origin: string, host: string | undefined, baseUrl: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  const base = new URL(baseUrl);
  if (from.origin === base.origin) return true;
  const isOurs = from.hostname === base.hostname || cannotBeRebound(from.hostname);
  return isOurs && from.host === host?.toLowerCase();
};
