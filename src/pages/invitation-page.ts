/** The page of an invitation: who invites whom to what, and one button (behaviour M8). */
import type { Invitation } from '../simulation/acceptance.ts';
import { html } from './html.ts';
import { endNote, facts, hero, layout, monogram } from './layout.ts';

export interface InvitationValues extends Invitation {
  readonly environment: string;
}

export const invitationPage = (values: InvitationValues): string =>
  layout({
    title: `Join ${values.organization}`,
    environment: values.environment,
    name: 'invitation',
    content: html`${hero(monogram(values.organization), `Join ${values.organization}`, 'You are invited to become a member.')}
${facts([
  ['Organization', 'organization', values.organization],
  ['Invited', 'email', values.email],
  ['Invited by', 'inviter', values.inviter_email],
])}
<h2 id="next">What happens next</h2>
<ul class="next" aria-labelledby="next">
<li><b>Accept</b><span>You are a member from that moment on.</span></li>
<li><b>Ignore</b><span>Not you, or not now? Close this page. Nothing changes.</span></li>
</ul>
<form method="post">
<div class="actions"><button data-testid="accept">Accept invitation</button></div>
</form>
${endNote('The invitation lasts until', values.expires_at)}`,
  });
