/** Pages with one message about links. A link answers 410 if expired or used, 404 if unknown or of a deleted account (behaviour V2). */
import type { Notice } from '../../engine/pages/notices.ts';

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
