/** The pages an end user sees, served on the server's own address: links, invitations, and how connecting ended. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express';
import type { State } from '../domain/state.ts';
import { type Environment, run } from '../environments/environment.ts';
import { type Environments, findByKey } from '../environments/environments.ts';
import { readNamedEnvironments } from '../environments/named-environment.ts';
import { readBody } from '../http/body.ts';
import { refuseFrame, requireSameSite } from './cross-site.ts';
import { knowsInvitation, visitInvitation } from './invitations.ts';
import { knowsLink, visitLink } from './links.ts';
import { isNotice, noticeOf, noticeOfError, noticePage, Refusal, wrongMethod } from './notices.ts';
import { readVisit, type Step, send, type Visit } from './visit.ts';

export interface HostedOptions {
  readonly environments: Environments;
  /** Called for every internal error, which a visitor sees as a plain 500 page. */
  readonly onInternalError: (error: unknown) => void;
}

const FORM_LIMIT = 64 * 1024;

/**
 * Answers all that lies under /magicLink, /invitations and /connect, unknown addresses there too; passes on the rest.
 * Pages work without scripts; what is refused is a page that says what to do, never a redirect.
 */
export const mountHostedPages = (app: IRouter, { environments, onInternalError }: HostedOptions): void => {
  const readForm = readBody({ kind: 'application/x-www-form-urlencoded', limit: FORM_LIMIT });
  const sameSite = requireSameSite(environments);
  for (const { path, ...pages } of [LINKS, INVITATIONS]) {
    const visit = serveVisit(pages, environments);
    app
      .route(path)
      .get(refuseFrame, visit)
      .post(sameSite, readForm, visit)
      .all(refuseMethod('GET, HEAD, POST'));
  }
  app.route('/connect/:outcome').get(serveOutcome).all(refuseMethod('GET, HEAD'));
  app.use(['/magicLink', '/invitations', '/connect'], refuseUnknownPage, answerError(onInternalError));
};

/** Pages that a token opens. */
interface TokenPages {
  readonly knows: (state: State, token: string) => boolean;
  readonly visit: (visit: Visit) => Step;
  readonly unknown: Parameters<typeof noticeOf>[0];
}

const LINKS = {
  path: '/magicLink/:token',
  knows: knowsLink,
  visit: visitLink,
  unknown: 'link-unknown',
} as const;
const INVITATIONS = {
  path: '/invitations/:token',
  knows: knowsInvitation,
  visit: visitInvitation,
  unknown: 'invitation-unknown',
} as const;

/** The answer goes out first, then what the visit changed is committed. */
const serveVisit =
  ({ knows, visit, unknown }: TokenPages, environments: Environments): RequestHandler =>
  (request, response) => {
    const given = readVisit(request);
    const { token } = given;
    const environment = findVisited(environments, token, request.headers, (state) => knows(state, token));
    if (environment)
      run(environment, environments.baseUrl, visit(given), ({ answer }) => send(response, answer));
    else send(response, noticePage(noticeOf(unknown)));
  };

/**
 * By the key at the token's end; else by header or host; else, for a token that a scenario wrote out, the first that
 * knows it (behaviour E2, E5).
 * @param knows whether a state has a row for the token as it is
 */
const findVisited = (
  environments: Environments,
  token: string,
  headers: IncomingHttpHeaders,
  knows: (state: State) => boolean,
): Environment | undefined =>
  findByKey(environments, token) ??
  readNamedEnvironments(environments, headers)[0]?.environment ??
  [...environments.byId.values()].find(({ current }) => knows(current.data));

const serveOutcome: RequestHandler = ({ params }, response) => {
  const name = `connect-${String(params.outcome)}`;
  if (!isNotice(name)) throw new Refusal(noticeOf('page-unknown'));
  send(response, noticePage(noticeOf(name)));
};

const refuseMethod =
  (allowed: string): RequestHandler =>
  ({ method }) => {
    throw wrongMethod(method, allowed);
  };

const refuseUnknownPage: RequestHandler = () => {
  throw new Refusal(noticeOf('page-unknown'));
};

const answerError =
  (onInternalError: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const notice = noticeOfError(error);
    if (notice.status >= 500) onInternalError(error);
    if (!response.headersSent) send(response, noticePage(notice));
  };
