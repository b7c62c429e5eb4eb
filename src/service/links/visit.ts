/** The page of an authorization link: shows the link, and carries out the user's decision (behaviour V2-V5). */

import { NoticeError, noticePage } from '../../engine/pages/notices.ts';
import type { PageAnswer, Visit, VisitAnswer } from '../../engine/pages/visit.ts';
import type { Env, ServiceEffects, VisitStep } from '../operation.ts';
import type { State } from '../state.ts';
import {
  approve,
  type ClosedState,
  deny,
  type FormReply,
  type LinkSubject,
  repeatApproval,
  submitCredentials,
  viewLink,
} from './decisions.ts';
import { NOTICES } from './notices.ts';
import { type Attempt, consentPage, credentialPage, readEntered } from './page.ts';

/** Handles a visit to a link: carries out the visit's decision, or shows the page if there is no decision. */
export const visitLink =
  (visit: Visit): VisitStep =>
  (state, env) => {
    const action = readAction(visit, env);
    if (action === 'open') return { answer: show(state, visit.token, env) };
    const { reply, ...effects } = decide(action, state, visit, env);
    return { answer: toAnswer(reply, state, visit, env), ...effects };
  };

type Choice = 'approve' | 'deny' | 'error';

/**
 * The action of a visit. In a GET, the query can contain the decision; if it does not, the environment's setting
 * decides. In a POST, the form contains the decision. A HEAD only opens the page.
 */
const readAction = ({ method, query, form, mayDecide }: Visit, env: Env): Choice | 'submit' | 'open' => {
  if (method === 'HEAD') return 'open';
  const sent = form.get('decision') ?? '';
  if (method === 'POST') return isChoice(sent) ? sent : 'submit';
  if (!mayDecide) return 'open';
  const named = query.getAll('decision').filter((value) => value !== '');
  const [choice = '', ...more] = named;
  if (isChoice(choice) && more.length === 0 && !FOREIGN[choice].some((name) => query.has(name)))
    return choice;
  if (named.length > 0) throw new NoticeError(NOTICES['decision-unknown']);
  return env.settings.hosted === 'interactive' ? 'open' : env.settings.hosted;
};

/** The decisions, each with the parameters that belong to another one. */
const FOREIGN: Readonly<Record<Choice, readonly string[]>> = {
  approve: ['error', 'error_description'],
  deny: ['scopes'],
  error: ['scopes'],
};
const isChoice = (value: string): value is Choice => Object.hasOwn(FOREIGN, value);

const decide = (
  action: Choice | 'submit',
  state: State,
  { method, token, form, query, scopes }: Visit,
  env: Env,
): { readonly reply: FormReply } & ServiceEffects => {
  if (action === 'submit') return submitCredentials(state, { token, fields: readEntered(form) }, env);
  if (action !== 'approve') {
    const sent = (name: string): string | undefined => form.get(name) || query.get(name) || undefined;
    const error = sent('error');
    if (error === undefined && action === 'error') throw new NoticeError(NOTICES['decision-unknown']);
    return deny(state, { token, error, error_description: sent('error_description') }, env);
  }
  const repeated = method === 'POST' ? repeatApproval(state, { token }, env) : undefined;
  return repeated ? { reply: repeated } : approve(state, { token, scopes }, env);
};

const toAnswer = (reply: FormReply, state: State, { token, form }: Visit, env: Env): VisitAnswer => {
  if (reply.outcome === 'redirect') return { location: reply.redirect_url };
  if (reply.outcome === 'refused') return closed(reply.linkState, env);
  const missing = reply.outcome === 'incomplete' ? reply.missing.map(({ name }) => name) : [];
  return show(state, token, env, { entered: readEntered(form), missing });
};

/** The page of a link. @param attempt what the user sent, if the page is shown again because of a problem */
const show = (state: State, token: string, env: Env, attempt?: Attempt): PageAnswer => {
  const { reply: link } = viewLink(state, { token }, env);
  if (link.linkState !== 'open') return closed(link.linkState, env);
  const environment = env.environment.name;
  const answer = { status: attempt ? 400 : 200, formAction: formAction(link, env) };
  if (link.kind === 'form') return { ...answer, page: credentialPage(link, environment, attempt) };
  const problem = attempt && 'Choose Approve or Deny below.';
  return { ...answer, page: consentPage(link, environment, problem) };
};

const closed = (linkState: ClosedState, env: Env): PageAnswer =>
  noticePage(NOTICES[`link-${linkState}`], env.environment.name);

/**
 * The addresses to which a form can lead, as CSP sources. If an application verifies the user, it may redirect to any
 * address. All addresses are then allowed, since Chromium also checks redirects after a post. Otherwise the form leads
 * to this server: to the host that was called, or to the base URL.
 */
const formAction = ({ user_verify_url }: LinkSubject, { baseUrl }: Env): string =>
  user_verify_url === undefined ? `'self' ${new URL(baseUrl).origin}` : "'self' http: https:";
