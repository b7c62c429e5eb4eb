/**
 * Keeps other sites from deciding for a user.
 *
 * The pages have no cookies and no sessions, so another site cannot use a browser's rights. To post, one must know
 * the link's token, which is in the address and protects as well as a token in the form would. But tokens written in
 * a scenario can be guessed, and a page that a developer visits could post to one. So a post must also come from a
 * page of this server: browsers say where it comes from in `Sec-Fetch-Site` or `Origin`, which no page can forge.
 * Programs that send neither, such as curl, are not browsers and may post. An address that decides when it is opened
 * (`?decision=approve`) may be opened from anywhere, since applications send their users there; embedding or
 * prefetching it decides nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { labelOf } from '../core/addresses.ts';
import type { Environments } from '../environments/environments.ts';
import { cannotBeRebound, isOfAnotherSite, isOwnOrigin, type OwnNames, parseUrl } from '../http/same-site.ts';
import { NoticeError, noticeOf } from './notices.ts';

/** Refuses posts from pages of other sites. @throws NoticeError 403 */
export const requireSameSite =
  (environments: Environments): RequestHandler =>
  ({ headers }, _response, next) => {
    const { origin } = headers;
    const isForeign = origin !== undefined && !isOwnOrigin(origin, headers, ownNames(environments));
    if (isForeign || isOfAnotherSite(headers)) throw new NoticeError(noticeOf('cross-site'));
    next();
  };

const FRAMES = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);

/** Refuses to show a page in a frame, or as a part of another site's page. @throws NoticeError 403 */
export const refuseFrame: RequestHandler = ({ headers }, _response, next) => {
  if (FRAMES.has(String(headers['sec-fetch-dest']))) throw new NoticeError(noticeOf('framed'));
  if (isOfAnotherSite(headers) && headers['sec-fetch-mode'] !== 'navigate')
    throw new NoticeError(noticeOf('cross-site'));
  next();
};

/** Headers with which browsers, even old ones, say that they load a page in advance. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Whether a user opened the address as a page, or a program that is not a browser called it. */
export const isOpenedByUser = (headers: IncomingHttpHeaders): boolean => {
  // Node's own fetch sends `Sec-Fetch-Mode` too.
  const isBrowser = 'sec-fetch-dest' in headers || 'sec-fetch-site' in headers;
  const isAhead = AHEAD.some((name) => headers[name] !== undefined);
  return !isAhead && (!isBrowser || headers['sec-fetch-dest'] === 'document');
};

/** The server's names, without names that an attacker could point at this machine (DNS rebinding). */
const ownNames = ({ baseUrl, urlForm }: Environments): OwnNames => ({
  baseUrl,
  isOurs: ({ host, hostname }) =>
    hostname === parseUrl(baseUrl)?.hostname ||
    labelOf(urlForm, host) !== undefined ||
    cannotBeRebound(hostname),
});
