/**
 * The notices of links and invitations. Expired and used links are answered with 410, unknown links and links of deleted
 * accounts with 404 (behaviour V2). Accepted, expired and withdrawn invitations are answered with 410 (behaviour M7, M8).
 */
import type { Notice } from '../engine/pages/notices.ts';

const NEW_LINK =
  'go back to the application that sent you here and connect the account again, which creates a new link.';
const NEW_INVITATION = 'ask the person who invited you to send the invitation again.';

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
  'invitation-used': {
    name: 'invitation-used',
    status: 410,
    icon: 'check',
    title: 'This invitation was already accepted',
    explanation: 'An invitation works only once.',
    next: 'You are already a member of the organization. Sign in to the application.',
  },
  'invitation-expired': {
    name: 'invitation-expired',
    status: 410,
    icon: 'clock',
    title: 'This invitation has expired',
    explanation: 'The invitation was not accepted in time. Nothing changed.',
    next: `To join, ${NEW_INVITATION}`,
  },
  'invitation-replaced': {
    name: 'invitation-replaced',
    status: 410,
    icon: 'clock',
    title: 'There is a newer invitation',
    explanation: 'This invitation stopped working when a newer one was sent.',
    next: 'Open the link of the newest invitation in your mailbox.',
  },
  'invitation-revoked': {
    name: 'invitation-revoked',
    status: 410,
    title: 'This invitation was withdrawn',
    explanation: 'The invitation can no longer be accepted. Nothing changed.',
    next: 'If that is a mistake, ask the person who invited you.',
  },
  'invitation-unknown': {
    name: 'invitation-unknown',
    status: 404,
    icon: 'question',
    title: 'This invitation is unknown',
    explanation: 'The address may be incomplete, or the membership may have been deleted.',
    next: `Check that the whole address was copied. If it was, ${NEW_INVITATION}`,
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
      'A link can contain ?decision once, with the value approve, deny or error. Nothing was decided.',
    next: 'Add ?decision=approve, ?decision=deny or ?decision=error&error=server_error to the link, but only one of them. Or open the link without ?decision, and use the buttons on the page.',
  },
} as const satisfies Record<string, Notice>;

export const invitationAccepted = (organization: string): Notice => ({
  name: 'invitation-accepted',
  status: 200,
  icon: 'people',
  title: `Welcome to ${organization}`,
  explanation: 'You accepted the invitation and are now a member.',
  next: 'You can close this page and sign in to the application.',
});
