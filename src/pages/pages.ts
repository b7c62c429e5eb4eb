/** The pages that end users see on the server's own address: links, invitations, and the result of connecting. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorRequestHandler, IRouter, RequestHandler } from 'express';
import { toTimestamp } from '../core/clock.ts';
import type { State } from '../domain/state.ts';
import { type Environment, openStep, type PageVisit } from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { readNamedEnvironments } from '../environments/named-environment.ts';
import { createBodyReader } from '../http/body.ts';
import { isOpenedByUser, refuseFrame, requireSameSite } from './cross-site.ts';
import { findInvited, visitInvitation } from './invitations.ts';
import { findLinked, visitLink } from './links.ts';
import { isNotice, NoticeError, noticeOf, noticeOfError, noticePage, wrongMethod } from './notices.ts';
import { readVisit, type Step, sendAnswer, type Visit, type VisitAnswer } from './visit.ts';

export interface HostedOptions {
  readonly environments: Environments;
  /** Called for every internal error, which a visitor sees as a plain 500 page. */
  readonly onInternalError: (error: unknown) => void;
}

const FORM_LIMIT = 64 * 1024;

/**
 * Answers every address under /magicLink, /invitations and /connect, even unknown ones; passes on the rest. Pages
 * work without scripts. A refusal shows a page that says what to do, and never redirects.
 */
export const mountHostedPages = (app: IRouter, { environments, onInternalError }: HostedOptions): void => {
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

const readFields = createBodyReader({ kind: 'application/x-www-form-urlencoded', limit: FORM_LIMIT });

const readForm: RequestHandler = async (request, response, next) => {
  request.body = (await readFields(request, response)).body ?? {};
  next();
};

/** Pages that a token opens. */
interface TokenPages {
  /** Ids of the row that the token's page is about, if the state has a row with exactly this token. */
  readonly find: (state: State, token: string) => PageVisit['resource'] | undefined;
  readonly visit: (visit: Visit) => Step;
  readonly unknown: Parameters<typeof noticeOf>[0];
}

const LINKS = {
  path: '/magicLink/:token',
  find: findLinked,
  visit: visitLink,
  unknown: 'link-unknown',
} as const;
const INVITATIONS = {
  path: '/invitations/:token',
  find: findInvited,
  visit: visitInvitation,
  unknown: 'invitation-unknown',
} as const;

const serveVisit =
  ({ find, visit, unknown }: TokenPages, environments: Environments): RequestHandler =>
  (request, response) => {
    const given = readVisit(request, isOpenedByUser(request.headers));
    const { token } = given;
    const environment = findVisited(environments, token, request.headers, find);
    if (!environment) return sendAnswer(response, noticePage(noticeOf(unknown)));
    const { state, env, commit } = openStep(environment, environments.baseUrl);
    const { action, answer, ...effects } = visit(given)(state, env);
    commit(effects);
    const resource = find(state, env.withoutEnvironmentKey(token)) ?? {};
    environment.visits.add({ time: toTimestamp(env.now), action, ...presentAnswer(answer), resource });
    sendAnswer(response, answer);
  };

const presentAnswer = (answer: VisitAnswer): Pick<PageVisit, 'status' | 'page' | 'redirect_url'> => {
  if (!('location' in answer)) return { status: answer.status, page: answer.name };
  const { origin, pathname } = new URL(answer.location);
  return { status: 302, redirect_url: origin + pathname };
};

/**
 * Finds the environment of a token: by the key at the token's end, else by header or host. A token that a scenario wrote
 * has no key; it belongs to the first environment that has it (behaviour E2, E5).
 */
const findVisited = (
  environments: Environments,
  token: string,
  headers: IncomingHttpHeaders,
  find: TokenPages['find'],
): Environment | undefined =>
  environments.findByKey(token) ??
  readNamedEnvironments(environments, headers)[0]?.environment ??
  [...environments.byId.values()].find(({ current }) => find(current.data, token));

const serveOutcome: RequestHandler = ({ params }, response) => {
  const name = `connect-${String(params.outcome)}`;
  if (!isNotice(name)) throw new NoticeError(noticeOf('page-unknown'));
  sendAnswer(response, noticePage(noticeOf(name)));
};

const refuseMethod =
  (allowed: string): RequestHandler =>
  ({ method }) => {
    throw wrongMethod(method, allowed);
  };

const refuseUnknownPage: RequestHandler = () => {
  throw new NoticeError(noticeOf('page-unknown'));
};

const answerError =
  (onInternalError: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const notice = noticeOfError(error);
    if (notice.status >= 500) onInternalError(error);
    if (!response.headersSent) sendAnswer(response, noticePage(notice));
  };
