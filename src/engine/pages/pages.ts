/** The pages that end users see on the server's own address: links, invitations, and the result of connecting. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorRequestHandler, IRouter, Request, RequestHandler, Response } from 'express';
import { Refusal } from '../core/errors.ts';
import type { Environments } from '../environments/all-environments.ts';
import { newestWorld } from '../environments/environment.ts';
import { readNamedEnvironments } from '../environments/mock-headers.ts';
import { createBodyReader } from '../http/body.ts';
import { isOfAnotherOrigin, isOfAnotherSite, isSafeHost } from '../http/guard.ts';
import type { Visit, VisitAnswer } from '../operation.ts';
import type { TokenPages } from '../service.ts';
import { type Notice, NoticeError, noticePage, STYLE } from './layout.ts';

/**
 * Answers every address under the first segments of the service's pages, even unknown ones, and passes on all other
 * requests. Pages work without scripts. A refusal shows a page that says what to do, and never redirects.
 * @param onInternalError called for every internal error; the visitor sees a plain 500 page
 */
export const mountHostedPages = (
  app: IRouter,
  environments: Environments,
  onInternalError: (error: unknown) => void,
): void => {
  const { pages: own, pagePaths } = environments.service;
  for (const pages of own.tokenPages) {
    const visit = serveVisit(pages, environments);
    app
      .route(`${pages.path}/:token`)
      .get(visit)
      .post(requireSameSite(environments), readForm, visit)
      .all(refuseMethod('GET, HEAD, POST'));
  }
  for (const [path, notice] of Object.entries(own.notices))
    app
      .route(path)
      .get((_request, response) => sendAnswer(response, noticePage(notice)))
      .all(refuseMethod('GET, HEAD'));
  app.use([...pagePaths], () => Promise.reject(new NoticeError(PAGE_UNKNOWN)), answerError(onInternalError));
};

const READER = createBodyReader({ limit: 64 * 1024 });
const FORM = 'application/x-www-form-urlencoded';

const readForm: RequestHandler = async (request, response, next) => {
  response.locals.began = newestWorld();
  request.body = READER.parse(await READER.readText(request, response, FORM), FORM) ?? {};
  next();
};

const serveVisit =
  ({ isKnown, visit, unknown }: TokenPages, environments: Environments): RequestHandler =>
  (request, response) => {
    const { began = newestWorld() } = response.locals;
    const given = readVisit(request, isOpenedByUser(request.headers));
    // The key at the token's end tells the environment, or else a header. A token in a scenario file has no key: without
    // a header, it belongs to the first environment with that token (behaviour E2, E5).
    const environment =
      environments.findByKey(given.token) ??
      readNamedEnvironments(environments, request.headers)[0]?.environment ??
      [...environments.byId.values()].find(({ current }) => isKnown(current.data, given.token));
    if (!environment) return sendAnswer(response, noticePage(unknown));
    environment.requireWorldSince(began);
    sendAnswer(response, environment.runStep(visit(given)).answer);
  };

/*
 * Other sites must not decide for a user. The pages have no cookies, so only someone who knows a link's token can post.
 * But tokens in a scenario file can be guessed, so a post must also come from a page of this server. The headers
 * `Sec-Fetch-Site` and `Origin`, which no page can forge, tell where a post comes from. Programs that send neither, such
 * as curl, can post. A GET with a decision in the query (`?decision=approve`) can come from any site, because
 * applications send users to such addresses. If a browser only embeds or prefetches the address, nothing is decided.
 */

/** Refuses posts from pages of other sites. @throws NoticeError 403 */
const requireSameSite =
  (environments: Environments): RequestHandler =>
  ({ headers }, _response, next) => {
    // A host name that an attacker cannot use (by DNS rebinding).
    const isOurs = ({ hostname }: URL): boolean => isSafeHost(hostname, environments.baseUrl);
    if (isOfAnotherOrigin(headers, environments.baseUrl, isOurs) || isOfAnotherSite(headers))
      throw new NoticeError(CROSS_SITE);
    next();
  };

/** Headers with which browsers, even old ones, announce that they are loading a page in advance. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** True if a user opened the address as a page, or if the caller is not a browser. */
const isOpenedByUser = (headers: IncomingHttpHeaders): boolean => {
  // `Sec-Fetch-Mode` does not identify a browser, because Node's own fetch also sends that header.
  const isBrowser = 'sec-fetch-dest' in headers || 'sec-fetch-site' in headers;
  const isAhead = AHEAD.some((name) => headers[name] !== undefined);
  return !isAhead && (!isBrowser || headers['sec-fetch-dest'] === 'document');
};

/** @param Allow the methods that a page accepts */
const refuseMethod =
  (Allow: string): RequestHandler =>
  ({ method }) => {
    throw new NoticeError({
      name: 'method-refused',
      status: 405,
      title: 'This page does not accept that request',
      explanation: `${method} requests are not accepted here.`,
      next: `Open the link in a browser, or use one of the methods ${Allow}.`,
      headers: { Allow },
    });
  };

const PAGE_UNKNOWN: Notice = {
  name: 'page-unknown',
  status: 404,
  title: 'Page not found',
  explanation: 'This server has no page at this address.',
  next: 'Check that the whole link was copied, without anything added at its end.',
};

const CROSS_SITE: Notice = {
  name: 'cross-site',
  status: 403,
  title: 'This decision came from another site',
  explanation: 'A page of another server sent the decision, so it does not count.',
  next: 'Open the link in your browser, and use the buttons on the page. If you already did that, restart the mock with a --base-url that has the host name from the address bar of the browser.',
};

const INTERNAL_ERROR: Notice = {
  name: 'internal-error',
  status: 500,
  title: 'The mock failed',
  explanation: 'Something went wrong on this server. Nothing was changed.',
  next: 'Try again. If it fails again, look for the reason in the log of the mock, and report it.',
};

const noticeOfError = (error: unknown): Notice => {
  if (error instanceof NoticeError) return error.notice;
  if (error instanceof URIError) return PAGE_UNKNOWN;
  if (!(error instanceof Refusal)) return INTERNAL_ERROR;
  const { problem: explanation, hint, httpStatus: status, extras } = error;
  return {
    name: 'refused',
    status,
    title: 'This is not possible at the moment',
    explanation,
    next: hint || 'Correct the problem described above, then open the link again.',
    headers: extras.headers ?? {},
  };
};

const answerError =
  (onInternalError: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const notice = noticeOfError(error);
    if (notice === INTERNAL_ERROR) onInternalError(error);
    if (!response.headersSent) sendAnswer(response, noticePage(notice));
  };

const readVisit = ({ method, url, params, body }: Request, mayDecide: boolean): Visit => {
  const fields: Readonly<Record<string, string | string[]>> = method === 'POST' ? body : {};
  const query = new URL(url, 'http://mock.local').searchParams;
  return {
    method,
    token: String(params.token),
    query,
    scopes: readScopes(method === 'POST' || !query.has('scopes') ? fields.scopes : query.getAll('scopes')),
    form: new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat().at(-1) ?? ''])),
    mayDecide,
  };
};

/** Unticked boxes are not sent, so the page sends an empty value too: then no box at all means no scope. */
const readScopes = (sent: string | string[] | undefined): readonly string[] | undefined =>
  sent === undefined ? undefined : [sent].flat().flatMap((scopes) => scopes.split(/[\s,]+/).filter(Boolean));

/**
 * Sends an answer, with a Referrer-Policy that hides the page's address and the token in it from other sites. A page
 * with a form uses `same-origin`, because under `no-referrer` a browser would send the form with `Origin: null`.
 */
const sendAnswer = (response: Response, answer: VisitAnswer): void => {
  response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  if ('location' in answer) {
    // `new URL` escapes every character that could end the header.
    const Location = new URL(answer.location).href;
    response.status(302).set({ Location, 'Referrer-Policy': 'no-referrer' }).end();
    return;
  }
  const { status, page, formAction = "'none'", headers } = answer;
  response.set({
    'Content-Security-Policy': `${POLICY}; form-action ${formAction}`,
    'Referrer-Policy': answer.formAction === undefined ? 'no-referrer' : 'same-origin',
    ...headers,
  });
  response.status(status).type('html').send(page);
};

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;
