/** The consent page of an authorization link: who asks for what, and what Approve and Deny do (behaviour V2). */
import type { ConsentSubject, LinkSubject } from '../simulation/link-page.ts';
import { type Html, html } from './html.ts';
import { endNote, facts, hero, ICONS, layout, monogram } from './layout.ts';

export interface ConsentValues extends ConsentSubject {
  readonly environment: string;
  /** The problem with the last decision, if the page is shown again. */
  readonly problem?: string | undefined;
}

export const consentPage = (values: ConsentValues): string =>
  layout({
    title: `${values.problem === undefined ? '' : 'Error: '}Connect ${values.connector}`,
    environment: values.environment,
    name: 'consent',
    content: html`${hero(
      monogram(values.connector),
      `Connect ${values.connector}`,
      `${returnPlace(values) ?? 'An application'} asks for access to this account.`,
    )}
${values.problem !== undefined && html`<p class="alert" role="alert" data-testid="problem">${values.problem}</p>`}
${subjectFacts(values)}
<h2 id="scopes">What it may do</h2>
${scopeList(values.scopes)}
<h2 id="next">What happens next</h2>
<ul class="next" aria-labelledby="next">
<li><b>Approve</b><span>${approvalOutcome(values)}</span></li>
<li><b>Deny</b><span>${denialOutcome(values)}</span></li>
</ul>
<form method="post">
<div class="actions">
<button name="decision" value="approve" data-testid="approve">Approve</button>
<button class="second" name="decision" value="deny" data-testid="deny">Deny</button>
</div>
</form>
${endNote('This link works once, until', values.expires_at)}`,
  });

/** The account's facts, for the consent page and the credential form. */
export const subjectFacts = ({ identifier, connector, provider, organization }: LinkSubject): Html =>
  facts([
    ['Account', 'identifier', identifier],
    ['Connector', 'connector', connector],
    ['Provider', 'provider', provider],
    ['Organization', 'organization', organization],
  ]);

/** The host that the user goes back to. */
export const returnPlace = ({ user_verify_url }: LinkSubject): string | undefined =>
  user_verify_url === undefined ? undefined : new URL(user_verify_url).host;

/** What happens after Deny, on both kinds of page. */
export const denialOutcome = (subject: LinkSubject): string => {
  const place = returnPlace(subject);
  return place === undefined
    ? 'Nothing is shared and nothing changes.'
    : `Nothing is shared, and you return to ${place}.`;
};

const approvalOutcome = (subject: LinkSubject): string => {
  const place = returnPlace(subject);
  return place === undefined
    ? 'The account is connected right away.'
    : `You return to ${place}, which confirms that it is you and completes the connection.`;
};

const scopeList = (scopes: readonly string[]): Html =>
  scopes.length === 0
    ? html`<p class="lead" data-testid="scopes">Use the account on your behalf. No particular permissions are asked for.</p>`
    : html`<ul class="scopes" aria-labelledby="scopes" data-testid="scopes">${scopes.map(
        (scope) => html`<li>${ICONS.check}<code>${scope}</code></li>`,
      )}</ul>`;
