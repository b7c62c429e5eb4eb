/**
 * Protects the control plane: refuses web pages of other origins and, if there is a control token, callers without it.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { Refusal } from '../core/errors.ts';
import { cut } from '../core/text.ts';
import { cannotBeRebound, isOfAnotherOrigin, isOfAnotherSite, parseUrl } from '../http/same-site.ts';
import type { Controlled } from './types.ts';

export interface GuardOptions {
  /** If set, every call must send this token. */
  readonly controlToken?: string | undefined;
  /** The address that the server listens on; absent if it does not listen. */
  readonly host?: string | undefined;
  readonly controlled: Pick<Controlled, 'environments'>;
}

/**
 * Makes the handler that runs first on every control call, and refuses callers that may not control the mock.
 * @throws Refusal 401 or 403
 */
export const createGuard = (options: GuardOptions): RequestHandler => {
  const expected = options.controlToken === undefined ? undefined : digest(options.controlToken);
  return (request, _response, next) => {
    refuseForeignPages(request, options);
    // The control token keeps out pages under a rebound name; without a token, only the server's own names are allowed.
    if (expected) requireToken(request.headers, expected);
    else refuseForeignHosts(request, options);
    next();
  };
};

/** Digests of all tokens have the same length, so comparing them always takes the same time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const requireToken = ({ authorization }: IncomingHttpHeaders, expected: Buffer): void => {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (sent !== undefined && timingSafeEqual(digest(sent), expected)) return;
  throw new Refusal(
    'UNAUTHENTICATED',
    sent === undefined ? 'The control token is missing.' : 'The control token is wrong.',
    'Send "Authorization: Bearer TOKEN" with the token that the server was started with (--control-token).',
  );
};

const refuseForeignPages = ({ method, headers }: Request, options: GuardOptions): void => {
  // Any host name is allowed here: `refuseForeignHosts` refuses foreign names, or a token is required.
  if (isOfAnotherOrigin(headers, options.controlled.environments.baseUrl, () => true))
    throw foreign(`Origin ${cut(String(headers.origin))}`);
  if (!isOfAnotherSite(headers)) return;
  // Allows links from other sites: opening a link changes nothing, and the other page cannot read the answer.
  if (
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
    return;
  throw foreign(`a ${headers['sec-fetch-site']} page`);
};

const foreign = (who: string): Refusal =>
  new Refusal(
    'FORBIDDEN',
    `Calls from ${who} are refused: web pages of other origins cannot control the mock.`,
    'Call the control plane from the test process, or use the console of the mock.',
  );

const refuseForeignHosts = ({ headers, socket }: Request, options: GuardOptions): void => {
  const { host = '' } = headers;
  const name = parseUrl(`http://${host}`)?.hostname;
  if (name !== undefined && isOwnHost(name, options)) return;
  if (name === IN_PROCESS && !('remoteAddress' in socket)) return; // only sockets of the network have a `remoteAddress`
  throw new Refusal(
    'FORBIDDEN',
    `The Host ${JSON.stringify(cut(host))} is not a name of this server.`,
    'Call it as localhost or by its address; start it with --base-url or --control-token to use another name.',
  );
};

/**
 * The host of in-process calls. Calls from the network may not use it, since anyone on a local network can claim the
 * name.
 */
const IN_PROCESS = 'mock.local';

/** Whether a host is safe from DNS rebinding, or is a name that the server was started with. */
const isOwnHost = (name: string, { host, controlled }: GuardOptions): boolean =>
  cannotBeRebound(name) ||
  name === host?.toLowerCase() ||
  name === parseUrl(controlled.environments.baseUrl)?.hostname;
