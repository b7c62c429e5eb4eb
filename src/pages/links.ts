/** Visits of an authorization link: looking at it, and deciding on it (behaviour V2-V5). */
import { getRow } from '../core/table.ts';
import type { Effects, Env } from '../domain/operation.ts';
import type { State } from '../domain/state.ts';
import type { PageVisit } from '../environments/environment.ts';
import { approve, deny, repeatApproval } from '../simulation/consent.ts';
import { type FormReply, submitCredentials } from '../simulation/credential-form.ts';
import { type LinkPage, type LinkSubject, viewLink } from '../simulation/link-page.ts';
import { consentPage } from './consent-page.ts';
import { type CredentialFormValues, credentialPage, readEntered } from './credential-page.ts';
import { NoticeError, noticeOf, noticePage } from './notices.ts';
import type { Form, PageAnswer, Step, Visit, VisitAnswer } from './visit.ts';

/** The id of the account for which a link was made. @param token without an environment's key */
export const findLinked = (state: State, token: string): PageVisit['resource'] | undefined => {
  const link = getRow(state.authorization_links, token);
  return link && { connected_account_id: link.account_id };
};

/** One visit of a link: decides if the visit makes a decision, else shows the page. */
export const visitLink =
  (visit: Visit): Step =>
  (state, env) => {
    const action = readAction(visit, env);
    if (action === 'open') return { action, answer: show(state, visit.token, env) };
    const { reply, ...effects } = decide(action, state, visit, env);
    return { action, answer: toAnswer(reply, state, visit, env), ...effects };
  };

type Choice = 'approve' | 'deny';

/**
 * The action of a visit: a GET decides by its query, else by the environment's setting; a post decides by its form;
 * HEAD never decides.
 */
const readAction = ({ method, query, form, mayDecide }: Visit, env: Env): Choice | 'submit' | 'open' => {
  if (method === 'HEAD') return 'open';
  if (method === 'POST') return toDecision([form.get('decision') ?? '']) ?? 'submit';
  if (!mayDecide) return 'open';
  const named = query.getAll('decision').filter((value) => value !== '');
  if (named.length > 0) {
    const decision = toDecision(named);
    if (decision === undefined) throw new NoticeError(noticeOf('decision-unknown'));
    return decision;
  }
  return env.settings.hosted === 'interactive' ? 'open' : env.settings.hosted;
};

const toDecision = ([value, ...more]: readonly string[]): Choice | undefined =>
  more.length === 0 && (value === 'approve' || value === 'deny') ? value : undefined;

const decide = (
  decision: Choice | 'submit',
  state: State,
  { method, token, form }: Visit,
  env: Env,
): { readonly reply: FormReply } & Effects => {
  const repeated = decision === 'approve' && method === 'POST' && repeatApproval(state, { token }, env);
  if (repeated) return { reply: repeated };
  if (decision === 'approve') return approve(state, { token }, env);
  if (decision === 'deny') return deny(state, { token }, env);
  return submitCredentials(state, { token, fields: Object.fromEntries(readEntered(form)) }, env);
};

const toAnswer = (reply: FormReply, state: State, { token, form }: Visit, env: Env): VisitAnswer => {
  switch (reply.outcome) {
    case 'redirect':
      return { location: reply.redirect_url };
    case 'refused':
      return closed(reply.linkState, env);
    case 'incomplete':
      return show(state, token, env, { form, missing: new Set(reply.missing.map(({ name }) => name)) });
    case 'formless':
      return show(state, token, env, { form, missing: new Set() });
  }
};

/** A form to show again, with the problem. */
interface IncompleteForm {
  readonly form: Form;
  readonly missing: NonNullable<CredentialFormValues['missing']>;
}

const show = (state: State, token: string, env: Env, attempt?: IncompleteForm): PageAnswer => {
  const { reply: link } = viewLink(state, { token }, env);
  if (link.linkState !== 'open') return closed(link.linkState, env);
  const environment = env.environment.name;
  const answer = { status: attempt ? 400 : 200, formAction: formAction(link, env) };
  if (link.kind === 'consent') {
    const problem = attempt && 'Choose Approve or Deny below.';
    return { ...answer, name: 'consent', page: consentPage({ ...link, environment, problem }) };
  }
  const entered = attempt && { entered: readEntered(attempt.form), missing: attempt.missing };
  return { ...answer, name: 'credentials', page: credentialPage({ ...link, environment, ...entered }) };
};

const closed = (linkState: Exclude<LinkPage['linkState'], 'open'>, env: Env): PageAnswer =>
  noticePage(noticeOf(`link-${linkState}`), env.environment.name);

/**
 * The addresses that a form may lead to, as CSP sources. Chromium also checks every redirect after a post, and the
 * application may redirect to any address, so all addresses are allowed. Without an application, the form leads to this
 * server, under one of its two names.
 */
const formAction = ({ user_verify_url }: LinkSubject, { baseUrl }: Env): string =>
  user_verify_url === undefined ? `'self' ${new URL(baseUrl).origin}` : "'self' http: https:";
