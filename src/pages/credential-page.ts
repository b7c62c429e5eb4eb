/** The credential form of an authorization link, with the fields of its type or custom provider (behaviour V2). */
import type { CredentialField } from '../domain/credential-fields.ts';
import type { FormSubject, LinkSubject } from '../simulation/link-page.ts';
import { denialOutcome, returnPlace, subjectFacts } from './consent-page.ts';
import { type Html, html } from './html.ts';
import { endNote, hero, layout, monogram } from './layout.ts';

export interface CredentialFormValues extends FormSubject {
  readonly environment: string;
  /** The values that the user entered before, if fields were missing. */
  readonly entered?: ReadonlyMap<string, string>;
  /** Names of the required fields that were left empty. */
  readonly missing?: ReadonlySet<string>;
}

/** Names that the page itself uses, for its buttons and parts. */
const OWN = new Set([
  ...['decision', 'submit', 'deny', 'credentials', 'environment', 'lead', 'problem'],
  ...['identifier', 'connector', 'provider', 'organization'],
]);

const PREFIX = 'field-';

/**
 * The name of a field's input, in the form and for tests: the field's own, unless the page uses that (behaviour V5).
 */
const inputName = (field: string): string => (OWN.has(field) ? PREFIX + field : field);

/**
 * The entered values by name of the field.
 * @param form the values by name of the input
 */
export const readEntered = (form: Iterable<readonly [string, string]>): ReadonlyMap<string, string> =>
  new Map(
    Array.from(form, ([name, value]) => {
      const field = name.slice(PREFIX.length);
      return [name.startsWith(PREFIX) && OWN.has(field) ? field : name, value];
    }),
  );

export const credentialPage = (values: CredentialFormValues): string => {
  const { connector, missing = new Set(), entered = new Map() } = values;
  return layout({
    title: `${missing.size > 0 ? 'Error: ' : ''}Connect ${connector}`,
    environment: values.environment,
    name: 'credentials',
    content: html`${hero(monogram(connector), `Connect ${connector}`, 'Enter the credentials of this account.')}
${missing.size > 0 && html`<p class="alert" role="alert" data-testid="problem">Fill in every field that is marked below, then connect again.</p>`}
${subjectFacts(values)}
<form method="post" autocomplete="off">
${values.fields.map((field, index) => fieldInput(field, `field-${index + 1}`, entered, missing))}
<h2 id="next">What happens next</h2>
<ul class="next" aria-labelledby="next">
<li><b>Connect</b><span>${submitOutcome(values)}</span></li>
<li><b>Cancel</b><span>${denialOutcome(values)}</span></li>
</ul>
<div class="actions">
<button data-testid="submit">Connect</button>
<button class="second" name="decision" value="deny" formnovalidate data-testid="deny">Cancel</button>
</div>
</form>
${endNote('This link works once, until', values.expires_at)}`,
  });
};

/** A field with its input; shows again what the user entered, except secrets. */
const fieldInput = (
  { name, label, secret, required }: CredentialField,
  id: string,
  entered: ReadonlyMap<string, string>,
  missing: ReadonlySet<string>,
): Html => {
  const isMissing = missing.has(name);
  const isFirstMissing = isMissing && missing.values().next().value === name;
  const control = inputName(name);
  return html`<div class="field">
<label for="${id}">${label}${!required && ' (optional)'}</label>
<input id="${id}" name="${control}" data-testid="${control}" type="${secret ? 'password' : 'text'}" autocomplete="off" autocapitalize="none" spellcheck="false" value="${secret ? '' : entered.get(name)}"${required && html` required`}${isMissing && html` aria-invalid="true" aria-describedby="${id}-error"`}${isFirstMissing && html` autofocus`}>
${isMissing && html`<p class="error" id="${id}-error" data-testid="${control}-error">${label} is missing.</p>`}
</div>`;
};

const submitOutcome = (subject: LinkSubject): string => {
  const place = returnPlace(subject);
  const connected = 'The account is connected right away';
  return place === undefined ? `${connected}.` : `${connected}, and you return to ${place}.`;
};
