/** The pages an end user sees, served on the server's own address: links, invitations, and how connecting ended. */
import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express';
import type { State } from '../domain/state.ts';
import type { Environments } from '../environments/environments.ts';
import { readBody } from '../http/body.ts';
import { send } from './answer.ts';
import { refuseFrame, requireSameSite } from './cross-site.ts';
import { findVisited } from './environment.ts';
import { knowsInvitation, visitInvitation } from './invitations.ts';
import { knowsLink, visitLink } from './links.ts';
import { type Notice, noticePage } from './notice-page.ts';
import { INVITATION_NOTICES, LINK_NOTICES, OUTCOME_NOTICES } from './notices.ts';
import { noSuchPage, toRefusal, wrongMethod } from './refusal.ts';
import { readVisit, runStep, type Step, type Visit } from './visit.ts';

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
  readonly unknown: Notice;
}

const LINKS = {
  path: '/magicLink/:token',
  knows: knowsLink,
  visit: visitLink,
  unknown: LINK_NOTICES.unknown,
};
const INVITATIONS = {
  path: '/invitations/:token',
  knows: knowsInvitation,
  visit: visitInvitation,
  unknown: INVITATION_NOTICES.unknown,
};

const serveVisit =
  ({ knows, visit, unknown }: TokenPages, environments: Environments): RequestHandler =>
  (request, response) => {
    const given = readVisit(request);
    const { token } = given;
    const environment = findVisited(environments, token, request.headers, (state) => knows(state, token));
    if (environment) runStep(environments, environment, response, visit(given));
    else send(response, { status: unknown.status, page: noticePage(unknown) });
  };

const serveOutcome: RequestHandler = ({ params }, response) => {
  const notice = OUTCOME_NOTICES.get(String(params.outcome));
  if (!notice) throw noSuchPage();
  send(response, { status: notice.status, page: noticePage(notice) });
};

const refuseMethod =
  (allowed: string): RequestHandler =>
  ({ method }) => {
    throw wrongMethod(method, allowed);
  };

const refuseUnknownPage: RequestHandler = () => {
  throw noSuchPage();
};

const answerError =
  (onInternalError: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const { notice, headers, isFramable } = toRefusal(error);
    if (notice.status >= 500) onInternalError(error);
    if (!response.headersSent)
      send(response, { status: notice.status, page: noticePage(notice), headers, isFramable });
  };
