/** The two pages of an authorization link: consent, and a form for credentials (behaviour V2). */

import { type Html, html } from '../../engine/pages/html.ts';
import { questionPage } from '../../engine/pages/layout.ts';
import type { CredentialField } from '../accounts/credentials.ts';
import type { ConsentSubject, FormSubject, LinkSubject } from './decisions.ts';

/**
 * The consent page: who asks for what, and what Approve and Deny do.
 * @param problem what was wrong with the previous decision
 */
export const consentPage = (subject: ConsentSubject, environment: string, problem?: string): string => {
  const place = returnPlace(subject);
  const outcome =
    place === undefined
      ? 'The account is connected right away.'
      : `You return to ${place}, where the application confirms your identity and completes the connection.`;
  return questionPage({
    ...frameOf(subject, environment),
    name: 'consent',
    lead: `${place ?? 'An application'} asks for access to this account.`,
    problem,
    details: html`<h2 id="scopes">What the application will be able to do</h2>
${scopeList(subject.scopes)}`,
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

/** What the consent page and the credential form have in common. */
const frameOf = (subject: LinkSubject, environment: string) => ({
  environment,
  title: `Connect ${subject.connector}`,
  subject: subject.connector,
  facts: [
    ['Account', 'identifier', subject.identifier],
    ['Connector', 'connector', subject.connector],
    ['Provider', 'provider', subject.provider],
    ['Organization', 'organization', subject.organization],
  ] as const,
  endNote: 'This link works only once, and only until',
  end: subject.expires_at,
});

/** The host to which the user returns after the decision. */
const returnPlace = ({ user_verify_url }: LinkSubject): string | undefined =>
  user_verify_url === undefined ? undefined : new URL(user_verify_url).host;

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
export interface Attempt {
  readonly entered: ReadonlyMap<string, string>;
  /** Names of the required fields that were left empty. */
  readonly missing: readonly string[];
}

/** The credential form, with the fields of the credential type or of the custom provider. */
export const credentialPage = (subject: FormSubject, environment: string, attempt?: Attempt): string => {
  const place = returnPlace(subject);
  const connected = 'The account is connected right away';
  return questionPage({
    ...frameOf(subject, environment),
    name: 'credentials',
    lead: 'Enter the credentials of this account.',
    problem: attempt && 'Fill in every field that is marked below, and click Connect again.',
    details: html`${subject.fields.map((field, index) => fieldInput(field, `field-${index + 1}`, attempt))}`,
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
export const readEntered = (form: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    Array.from(form, ([name, value]) => {
      const field = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
      return [OWN.has(field) ? field : name, value];
    }),
  );
