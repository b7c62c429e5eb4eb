/** Every notice of the hosted pages, by what happened (behaviour V2, M7, M8). */
import type { InvitationPage } from '../simulation/acceptance.ts';
import type { LinkPage } from '../simulation/link-page.ts';
import type { Notice } from './notice-page.ts';

const NEW_LINK =
  'go back to the application that sent you here and connect the account again. It makes a new link.';
const NEW_INVITATION = 'ask the person who invited you to send the invitation again.';

/** Behaviour V2: expired and used 410, unknown or its account deleted 404. */
export const LINK_NOTICES: Readonly<Record<Exclude<LinkPage['linkState'], 'open'>, Notice>> = {
  expired: {
    name: 'link-expired',
    status: 410,
    icon: 'clock',
    tone: 'warn',
    title: 'This link has expired',
    explanation: 'Authorization links work for a short time only. Nothing was shared and nothing changed.',
    next: `To go on, ${NEW_LINK}`,
  },
  used: {
    name: 'link-used',
    status: 410,
    icon: 'check',
    tone: 'warn',
    title: 'This link was used already',
    explanation: 'An authorization link works once. What was decided then still holds.',
    next: `If the account is connected, there is nothing left to do. Otherwise, ${NEW_LINK}`,
  },
  unknown: {
    name: 'link-unknown',
    status: 404,
    icon: 'question',
    tone: 'bad',
    title: 'This link is not known',
    explanation: 'The address may be incomplete, or the account it was made for is gone.',
    next: `Check that the whole address was copied. If it was, ${NEW_LINK}`,
  },
};

/** Behaviour M7, M8: an invitation that was answered or has ended is 410. */
export const INVITATION_NOTICES: Readonly<
  Record<Exclude<InvitationPage['pageState'], 'open' | 'accepted'>, Notice>
> = {
  used: {
    name: 'invitation-used',
    status: 410,
    icon: 'check',
    tone: 'warn',
    title: 'This invitation was accepted already',
    explanation: 'An invitation works once, and this one did.',
    next: 'Sign in to the application. You are a member.',
  },
  expired: {
    name: 'invitation-expired',
    status: 410,
    icon: 'clock',
    tone: 'warn',
    title: 'This invitation has expired',
    explanation: 'It was not accepted in time. Nothing changed.',
    next: `To join, ${NEW_INVITATION}`,
  },
  replaced: {
    name: 'invitation-replaced',
    status: 410,
    icon: 'clock',
    tone: 'warn',
    title: 'There is a newer invitation',
    explanation: 'This one ended when the newer one was sent.',
    next: 'Open the link of the newest invitation in your mailbox.',
  },
  revoked: {
    name: 'invitation-revoked',
    status: 410,
    icon: 'stop',
    tone: 'warn',
    title: 'This invitation was withdrawn',
    explanation: 'It can no longer be accepted. Nothing changed.',
    next: 'If that is a mistake, ask the person who invited you.',
  },
  unknown: {
    name: 'invitation-unknown',
    status: 404,
    icon: 'question',
    tone: 'bad',
    title: 'This invitation is not known',
    explanation: 'The address may be incomplete, or the membership it was for is gone.',
    next: `Check that the whole address was copied. If it was, ${NEW_INVITATION}`,
  },
};

/** What `/connect/{name}` tells. */
export const OUTCOME_NOTICES: ReadonlyMap<string, Notice> = new Map([
  [
    'success',
    {
      name: 'connect-success',
      status: 200,
      icon: 'check',
      tone: 'good',
      title: 'Account connected',
      explanation: 'Everything went well. The application can use the account from now on.',
      next: 'You can close this page and go back to the application.',
    },
  ],
  [
    'denied',
    {
      name: 'connect-denied',
      status: 200,
      icon: 'stop',
      tone: 'warn',
      title: 'Access denied',
      explanation: 'You declined. Nothing was shared and nothing changed.',
      next: 'You can close this page. To connect the account after all, start again in the application.',
    },
  ],
]);

/** A new member's welcome. */
export const invitationAccepted = (organization: string): Notice => ({
  name: 'invitation-accepted',
  status: 200,
  icon: 'people',
  tone: 'good',
  title: `Welcome to ${organization}`,
  explanation: 'You accepted the invitation and are a member now.',
  next: 'You can close this page and sign in to the application.',
});
