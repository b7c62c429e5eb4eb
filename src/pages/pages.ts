/** The pages an end user sees, served on the server's own address: links, invitations, and how connecting ended. */
import express, { type Request, type Response, type Router } from 'express';
import type { State } from '../domain/state.ts';
import type { Environments } from '../environments/environments.ts';
import { send } from './answer.ts';
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

/**
 * Answers all that lies under /magicLink, /invitations and /connect, unknown addresses there too; passes on the rest.
 * Pages work without scripts; what is refused is a page that says what to do, never a redirect.
 */
export const createHostedPages = ({ environments, onInternalError }: HostedOptions): Router => {
  const router = express.Router({ caseSensitive: true });
  const serve = (area: string, answer: Serve): void => {
    router.use(area, async (request, response) => {
      try {
        await answer(environments, request, response);
      } catch (error) {
        refuse(response, error, onInternalError);
      }
    });
  };
  serve('/magicLink', serveTokens(LINKS));
  serve('/invitations', serveTokens(INVITATIONS));
  serve('/connect', serveOutcome);
  return router;
};

type Serve = (environments: Environments, request: Request, response: Response) => Promise<void> | void;

/** Pages that a token opens. */
interface TokenPages {
  readonly knows: (state: State, token: string) => boolean;
  readonly visit: (visit: Visit) => Step;
  readonly unknown: Notice;
}

const LINKS: TokenPages = { knows: knowsLink, visit: visitLink, unknown: LINK_NOTICES.unknown };
const INVITATIONS: TokenPages = {
  knows: knowsInvitation,
  visit: visitInvitation,
  unknown: INVITATION_NOTICES.unknown,
};

const serveTokens =
  ({ knows, visit, unknown }: TokenPages): Serve =>
  async (environments, request, response) => {
    const token = /^\/([^/]+)$/.exec(request.path)?.[1];
    if (token === undefined) throw noSuchPage();
    const given = await readVisit(request, response, token, environments.baseUrl);
    const environment = findVisited(environments, token, request.headers, (state) => knows(state, token));
    if (environment) runStep(environments, environment, response, visit(given));
    else send(response, { status: unknown.status, page: noticePage(unknown) });
  };

const serveOutcome: Serve = (_world, request, response) => {
  const notice = OUTCOME_NOTICES.get(request.path.slice(1));
  if (!notice) throw noSuchPage();
  if (request.method !== 'GET' && request.method !== 'HEAD') throw wrongMethod(request.method, 'GET, HEAD');
  send(response, { status: notice.status, page: noticePage(notice) });
};

const refuse = (response: Response, error: unknown, onInternalError: (error: unknown) => void): void => {
  const { notice, headers } = toRefusal(error);
  if (notice.status >= 500) onInternalError(error);
  if (!response.headersSent) send(response, { status: notice.status, page: noticePage(notice), headers });
};
