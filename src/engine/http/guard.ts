/** Refuses calls from web pages of other servers. Relies on headers that browsers set and pages cannot forge. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { Refusal } from '../core/errors.ts';
import { cut } from '../core/text.ts';
import { IN_PROCESS_HOST } from './in-process.ts';

/**
 * Whether the call comes from a page of another server. A page with the base URL's origin belongs to the mock.
 * @param isOurs whether a page with the same host as the call belongs to the mock too
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

/** Whether the browser reports that the call comes from another site. */
export const isOfAnotherSite = ({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

/**
 * Whether the `hostname` of a `URL` is safe from DNS rebinding: the host of the base URL, an IP address, `localhost`, or a
 * subdomain of `localhost`, which every browser resolves to this machine (RFC 6761, 6.3).
 */
export const isSafeHost = (hostname: string, baseUrl: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === parseUrl(baseUrl)?.hostname;

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** The first handler of every control call: refuses pages of other origins, and callers without the control token, if any. */
export const createGuard =
  (controlToken: string | undefined, baseUrl: () => string): RequestHandler =>
  (request, _response, next) => {
    refuseForeignPages(request, baseUrl());
    // Against DNS rebinding: requires the control token or, if none is set, a host name that belongs to this server.
    if (controlToken === undefined) refuseForeignHosts(request, baseUrl());
    else requireControlToken(request.headers, controlToken);
    next();
  };

const requireControlToken = ({ authorization }: IncomingHttpHeaders, expected: string): void => {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (sent === expected) return;
  throw new Refusal(
    'UNAUTHENTICATED',
    `The control token is ${sent === undefined ? 'missing' : 'wrong'}.`,
    'Send "Authorization: Bearer TOKEN" with the token that the server was started with (--control-token).',
    { guide: 'control-plane#who-may-call-it' },
  );
};

const refuseForeignPages = ({ method, headers }: Request, baseUrl: string): void => {
  // `() => true` accepts any host name, because `createGuard` checks the token or the host name afterwards.
  if (isOfAnotherOrigin(headers, baseUrl, () => true)) throw foreign(`Origin ${cut(String(headers.origin))}`);
  // A link from another site may open a page: that changes nothing, and the other site cannot read the answer.
  const isLink =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (isOfAnotherSite(headers) && !isLink) throw foreign(`a ${headers['sec-fetch-site']} page`);
};

const foreign = (who: string): Refusal =>
  forbidden(
    `Calls from ${who} are refused: web pages of other origins cannot control the mock.`,
    'Call the control plane from the test process, or use the console of the mock.',
  );

const refuseForeignHosts = ({ headers, socket, grpc }: Request, baseUrl: string): void => {
  const { host = '' } = headers;
  const name = parseUrl(`http://${host}`)?.hostname;
  if (name !== undefined && isSafeHost(name, baseUrl)) return;
  if (name === IN_PROCESS_HOST && !grpc && !('remoteAddress' in socket)) return; // as sockets of the network have it
  throw forbidden(
    `The Host ${JSON.stringify(cut(host))} is not a name of this server.`,
    'Call localhost or an IP address. To use another host name, start the mock with --base-url or --control-token.',
  );
};

const forbidden = (problem: string, hint: string): Refusal =>
  new Refusal('FORBIDDEN', problem, hint, { guide: 'proof#security' });
