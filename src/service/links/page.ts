/** The page of an authorization link: shows the link, and carries out the user's decision (behaviour V2-V5). */
import { wireTimes } from '../../engine/core/moment.ts';
import { defined } from '../../engine/core/object.ts';
import { getRow } from '../../engine/core/table.ts';
import type { PageAnswer, Visit, VisitAnswer } from '../../engine/operation.ts';
import {
  type Html,
  html,
  type Notice,
  NoticeError,
  noticePage,
  questionPage,
} from '../../engine/pages/layout.ts';
import { type CredentialField, credentialFields } from '../accounts/credentials.ts';
import { requireConnectorOf } from '../connections.ts';
import { customProviderOf } from '../providers.ts';
import type { ConnectionRow, LinkRow, State } from '../state.ts';
import type { Env, ServiceEffects, VisitStep } from '../types.ts';
import {
  approve,
  ClosedLink,
  type Decided,
  deny,
  type OpenLink,
  repeatApproval,
  requireOpenLink,
  submitCredentials,
} from './operations.ts';

/** Handles a visit to a link: carries out the visit's decision, or shows the page if there is no decision. */
export const visitLink =
  (visit: Visit): VisitStep =>
  (state, env) => {
    try {
      const action = readAction(visit, env);
      if (action === 'open') return { answer: show(state, visit.token, env) };
      if (action === 'submit') return submit(state, visit, env);
      return toAnswer(decide(action, state, visit, env));
    } catch (error) {
      if (!(error instanceof ClosedLink)) throw error;
      return { answer: noticePage(NOTICES[`link-${error.linkState}`], env.environment.name) };
    }
  };

const toAnswer = ({ reply, ...effects }: Decided): { readonly answer: VisitAnswer } & ServiceEffects => ({
  answer: { location: reply.redirect_url },
  ...effects,
});

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
  choice: Choice,
  state: State,
  { method, token, form, query, scopes }: Visit,
  env: Env,
): Decided => {
  if (choice === 'approve') {
    const repeated = method === 'POST' ? repeatApproval(state, token, env) : undefined;
    return repeated ?? approve(state, token, scopes, env);
  }
  const sent = (name: string): string | undefined => form.get(name) || query.get(name) || undefined;
  const error = sent('error');
  if (error === undefined && choice === 'error') throw new NoticeError(NOTICES['decision-unknown']);
  return deny(state, token, defined({ error, error_description: sent('error_description') }), env);
};

/** Submits the form of a link, or shows its page again if a required field is empty. Unknown fields are ignored. */
const submit = (state: State, { token, form }: Visit, env: Env) => {
  const { account } = requireOpenLink(state, token, env);
  const { connection, kind } = requireConnectorOf(state, account);
  const entered = readEntered(form);
  const fields = kind.page === 'form' ? credentialFields(state, connection) : [];
  const missing = fields.filter(({ name, required }) => required && !entered.get(name));
  if (kind.page !== 'form' || missing.length > 0)
    return { answer: show(state, token, env, { entered, missing: missing.map(({ name }) => name) }) };
  const values = fields.map(({ name }) => [name, entered.get(name) ?? ''] as const);
  const details = values.filter(([, value]) => value !== '');
  return toAnswer(submitCredentials(state, token, details, env));
};

/** The page of a link. @param attempt what the user sent, if the page is shown again because of a problem */
const show = (state: State, token: string, env: Env, attempt?: Attempt): PageAnswer => {
  const { link, account } = requireOpenLink(state, token, env);
  const { connection, kind } = requireConnectorOf(state, account);
  const frame = frameOf(state, { link, account }, connection, env);
  return {
    status: attempt ? 400 : 200,
    formAction: formAction(link, env),
    page:
      kind.page === 'form'
        ? credentialPage(frame, credentialFields(state, connection), attempt)
        : consentPage(frame, connection.scopes, attempt && 'Choose Approve or Deny below.'),
  };
};

/** What the consent page and the credential form have in common. */
const frameOf = (state: State, { link, account }: OpenLink, connection: ConnectionRow, env: Env) => {
  const { connector, identifier, organization_id } = account;
  const { provider } = connection;
  const shown = provider === 'CUSTOM' ? customProviderOf(state, connection)?.display_name : provider;
  // An id without an organization is shown as it is (behaviour I2).
  const organization = getRow(state.organizations, organization_id ?? '')?.display_name ?? organization_id;
  return {
    /** The host to which the user returns after the decision. */
    place: link.user_verify_url === undefined ? undefined : new URL(link.user_verify_url).host,
    environment: env.environment.name,
    title: `Connect ${connector}`,
    subject: connector,
    facts: [
      ['Account', 'identifier', identifier],
      ['Connector', 'connector', connector],
      ['Provider', 'provider', shown],
      ['Organization', 'organization', organization],
    ] as const,
    endNote: 'This link works only once, and only until',
    end: wireTimes({ expires_at: link.expires_at }, env).expires_at,
  };
};

type Frame = ReturnType<typeof frameOf>;

/**
 * The addresses to which a form can lead, as CSP sources. If an application verifies the user, it may redirect to any
 * address. All addresses are then allowed, since Chromium also checks redirects after a post. Otherwise the form leads
 * to this server: to the host that was called, or to the base URL.
 */
const formAction = ({ user_verify_url }: LinkRow, { baseUrl }: Env): string =>
  user_verify_url === undefined ? `'self' ${new URL(baseUrl).origin}` : "'self' http: https:";

/**
 * The consent page: who asks for what, and what Approve and Deny do.
 * @param problem what was wrong with the previous decision
 */
const consentPage = (frame: Frame, scopes: readonly string[], problem?: string): string => {
  const { place } = frame;
  const outcome =
    place === undefined
      ? 'The account is connected right away.'
      : `You return to ${place}, where the application confirms your identity and completes the connection.`;
  return questionPage({
    ...frame,
    name: 'consent',
    lead: `${place ?? 'An application'} asks for access to this account.`,
    problem,
    details: html`<h2 id="scopes">What the application will be able to do</h2>
${scopeList(scopes)}`,
    outcomes: [
      ['Approve', outcome],
      ['Deny', denialOutcome(place)],
    ],
    buttons: html`
<button name="decision" value="approve" data-testid="approve">Approve</button>
<button class="second" name="decision" value="deny" data-testid="deny">Deny</button>
`,
  });
};

const denialOutcome = (place: string | undefined): string =>
  place === undefined
    ? 'Nothing is shared and nothing changes.'
    : `Nothing is shared, and you return to ${place}.`;

const scopeList = (scopes: readonly string[]): Html =>
  scopes.length === 0
    ? html`<p class="lead" data-testid="scopes">The application can use the account on your behalf. It asks for no particular permissions.</p>`
    : html`<input type="hidden" name="scopes" value="">
<ul class="scopes" aria-labelledby="scopes" data-testid="scopes">${scopes.map(
        (scope) =>
          html`<li><label><input type="checkbox" name="scopes" value="${scope}" checked data-testid="scope-${scope}"> <code>${scope}</code></label></li>`,
      )}</ul>`;

/** What the user sent, if the page is shown again because something is missing. */
interface Attempt {
  readonly entered: ReadonlyMap<string, string>;
  /** Names of the required fields that were left empty. */
  readonly missing: readonly string[];
}

/** The credential form, with the fields of the credential type or of the custom provider. */
const credentialPage = (frame: Frame, fields: readonly CredentialField[], attempt?: Attempt): string => {
  const { place } = frame;
  const connected = 'The account is connected right away';
  return questionPage({
    ...frame,
    name: 'credentials',
    lead: 'Enter the credentials of this account.',
    problem: attempt && 'Fill in every field that is marked below, and click Connect again.',
    details: html`${fields.map((field, index) => fieldInput(field, `field-${index + 1}`, attempt))}`,
    outcomes: [
      ['Connect', place === undefined ? `${connected}.` : `${connected}, and you return to ${place}.`],
      ['Cancel', denialOutcome(place)],
    ],
    buttons: html`
<button data-testid="submit">Connect</button>
<button class="second" name="decision" value="deny" formnovalidate data-testid="deny">Cancel</button>
`,
  });
};

/** A field with its input. Shows what the user entered before, except secrets. */
const fieldInput = (
  { name, label, secret, required }: CredentialField,
  id: string,
  { entered, missing }: Attempt = { entered: new Map(), missing: [] },
): Html => {
  const isMissing = missing.includes(name);
  const control = inputName(name);
  return html`<div class="field">
<label for="${id}">${label}${!required && ' (optional)'}</label>
<input id="${id}" name="${control}" data-testid="${control}" type="${secret ? 'password' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false" value="${secret ? '' : entered.get(name)}"${required && html` required`}${isMissing && html` aria-invalid="true" aria-describedby="${id}-error"`}${missing[0] === name && html` autofocus`}>
${isMissing && html`<p class="error" id="${id}-error" data-testid="${control}-error">${label} is missing.</p>`}
</div>`;
};

/** The names of the page's own inputs and buttons, and the test ids of its other elements. */
const OWN = new Set([
  ...['decision', 'submit', 'deny', 'credentials', 'environment', 'lead', 'problem'],
  ...['identifier', 'connector', 'provider', 'organization'],
]);
const PREFIX = 'field-';

/** The name of the input for a field. It has a prefix if the page itself uses the name (behaviour V5). */
const inputName = (field: string): string => (OWN.has(field) ? PREFIX + field : field);

/** Returns the entered values by field name. @param form the same values by input name, as the browser sent them */
const readEntered = (form: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    Array.from(form, ([name, value]) => {
      const field = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
      return [OWN.has(field) ? field : name, value];
    }),
  );

const NEW_LINK =
  'go back to the application that sent you here and connect the account again, which creates a new link.';

export const NOTICES = {
  'link-expired': {
    name: 'link-expired',
    status: 410,
    icon: 'clock',
    title: 'This link has expired',
    explanation: 'Authorization links work only for a short time. Nothing was shared and nothing changed.',
    next: `To continue, ${NEW_LINK}`,
  },
  'link-used': {
    name: 'link-used',
    status: 410,
    icon: 'check',
    title: 'This link has already been used',
    explanation: 'An authorization link works once. The first decision still holds.',
    next: `If the account is connected, there is nothing left to do. Otherwise, ${NEW_LINK}`,
  },
  'link-unknown': {
    name: 'link-unknown',
    status: 404,
    icon: 'question',
    title: 'This link is unknown',
    explanation: 'The address may be incomplete, or the account may have been deleted.',
    next: `Check that the whole address was copied. If it was, ${NEW_LINK}`,
  },
  'connect-success': {
    name: 'connect-success',
    status: 200,
    icon: 'check',
    title: 'Account connected',
    explanation: 'Everything went well. The application can now use the account.',
    next: 'You can close this page and go back to the application.',
  },
  'connect-denied': {
    name: 'connect-denied',
    status: 200,
    tone: 'warn',
    title: 'Access denied',
    explanation: 'You declined. Nothing was shared and nothing changed.',
    next: 'You can close this page. To connect the account after all, start again in the application.',
  },
  'decision-unknown': {
    name: 'decision-unknown',
    status: 400,
    title: 'The parameter ?decision of the link is not valid',
    explanation:
      'A link can contain ?decision once, with the value approve, deny or error. Only approve goes with scopes, and only deny and error with error. Nothing was decided.',
    next: 'Add ?decision=approve, ?decision=deny or ?decision=error&error=server_error to the link, but only one of them. Or open the link without ?decision, and use the buttons on the page.',
  },
} as const satisfies Record<string, Notice>;
