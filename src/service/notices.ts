/**
 * Pages with one message and what to do next. The message reports a success, says why there is nothing to show, or why
 * a request was refused.
 */
import { Refusal } from '../engine/core/errors.ts';
import { html } from '../engine/pages/html.ts';
import { hero, ICONS, layout } from '../engine/pages/layout.ts';
import type { PageAnswer } from '../engine/pages/visit.ts';

interface Notice extends Omit<PageAnswer, 'page' | 'formAction'> {
  /** The `data-testid` of the page, for tests; it never changes. */
  readonly name: string;
  readonly title: string;
  readonly explanation: string;
  readonly next: string;
  /** The icon above the title. Default: `stop`. */
  readonly icon?: keyof typeof ICONS;
  /** The colour of the icon. The default depends on the status. */
  readonly tone?: 'good' | 'warn' | 'bad';
}

export class NoticeError extends Error {
  override readonly name = 'NoticeError';
  readonly notice: Notice;

  constructor(notice: NoticeName | Notice) {
    super();
    this.notice = noticeOf(notice);
  }
}

/** The page of a notice. @param environment the name of the environment that the visit belongs to, if any */
export const noticePage = (given: NoticeName | Notice, environment?: string): PageAnswer => {
  const notice = noticeOf(given);
  const { name, status, title, explanation, next, icon = 'stop' } = notice;
  const { tone = status < 300 ? 'good' : status === 410 ? 'warn' : 'bad' } = notice;
  const page = layout({
    title,
    environment,
    content: html`<div data-testid="${name}">
${hero(html`<div class="emblem ${tone}">${ICONS[icon]}</div>`, title, explanation)}
<h2>What to do next</h2>
<p data-testid="next">${next}</p>
</div>`,
  });
  return { ...notice, page };
};

const NEW_LINK =
  'go back to the application that sent you here and connect the account again, which creates a new link.';
const NEW_INVITATION = 'ask the person who invited you to send the invitation again.';

/**
 * The notices by name. Expired and used links are answered with 410, unknown links and links of deleted accounts with
 * 404 (behaviour V2). Accepted, expired and withdrawn invitations are answered with 410 (behaviour M7, M8).
 */
const NOTICES = {
  'link-expired': {
    status: 410,
    icon: 'clock',
    title: 'This link has expired',
    explanation: 'Authorization links work only for a short time. Nothing was shared and nothing changed.',
    next: `To continue, ${NEW_LINK}`,
  },
  'link-used': {
    status: 410,
    icon: 'check',
    title: 'This link has already been used',
    explanation: 'An authorization link works once. The first decision still holds.',
    next: `If the account is connected, there is nothing left to do. Otherwise, ${NEW_LINK}`,
  },
  'link-unknown': {
    status: 404,
    icon: 'question',
    title: 'This link is unknown',
    explanation: 'The address may be incomplete, or the account may have been deleted.',
    next: `Check that the whole address was copied. If it was, ${NEW_LINK}`,
  },
  'invitation-used': {
    status: 410,
    icon: 'check',
    title: 'This invitation was already accepted',
    explanation: 'An invitation works only once.',
    next: 'You are already a member of the organization. Sign in to the application.',
  },
  'invitation-expired': {
    status: 410,
    icon: 'clock',
    title: 'This invitation has expired',
    explanation: 'The invitation was not accepted in time. Nothing changed.',
    next: `To join, ${NEW_INVITATION}`,
  },
  'invitation-replaced': {
    status: 410,
    icon: 'clock',
    title: 'There is a newer invitation',
    explanation: 'This invitation stopped working when a newer one was sent.',
    next: 'Open the link of the newest invitation in your mailbox.',
  },
  'invitation-revoked': {
    status: 410,
    title: 'This invitation was withdrawn',
    explanation: 'The invitation can no longer be accepted. Nothing changed.',
    next: 'If that is a mistake, ask the person who invited you.',
  },
  'invitation-unknown': {
    status: 404,
    icon: 'question',
    title: 'This invitation is unknown',
    explanation: 'The address may be incomplete, or the membership may have been deleted.',
    next: `Check that the whole address was copied. If it was, ${NEW_INVITATION}`,
  },
  'connect-success': {
    status: 200,
    icon: 'check',
    title: 'Account connected',
    explanation: 'Everything went well. The application can now use the account.',
    next: 'You can close this page and go back to the application.',
  },
  'connect-denied': {
    status: 200,
    tone: 'warn',
    title: 'Access denied',
    explanation: 'You declined. Nothing was shared and nothing changed.',
    next: 'You can close this page. To connect the account after all, start again in the application.',
  },
  'page-unknown': {
    status: 404,
    title: 'Page not found',
    explanation: 'This server has no page at this address.',
    next: 'Check that the whole link was copied, without anything added at its end.',
  },
  'cross-site': {
    status: 403,
    title: 'This decision came from another site',
    explanation: 'A page of another server sent the decision, so it does not count.',
    next: 'Open the link in your browser, and use the buttons on the page. If you already did that, restart the mock with a --base-url that has the host name from the address bar of the browser.',
  },
  framed: {
    status: 403,
    title: 'This page cannot be shown in a frame',
    explanation:
      'The page asks the user for a decision, so no other page can show it in a frame. Nothing was decided.',
    next: 'Open the link in a tab: send the user there with a link or a redirect, not with an iframe.',
    isFramable: true, // otherwise the frame would stay empty
  },
  'form-too-large': {
    status: 413,
    title: 'The form is too large',
    explanation: 'The form contains more than 64 KiB. Nothing was saved.',
    next: 'Go back and enter shorter values.',
    headers: { Connection: 'close' },
  },
  'form-unreadable': {
    status: 415,
    title: 'The request is not a form',
    explanation: 'The page accepts application/x-www-form-urlencoded, in UTF-8. Nothing was saved.',
    next: 'Use the form on the page, or send its fields as application/x-www-form-urlencoded, in UTF-8.',
  },
  'decision-unknown': {
    status: 400,
    title: 'The parameter ?decision of the link is not valid',
    explanation:
      'A link can contain ?decision once, with the value approve, deny or error. Nothing was decided.',
    next: 'Add ?decision=approve, ?decision=deny or ?decision=error&error=server_error to the link, but only one of them. Or open the link without ?decision, and use the buttons on the page.',
  },
  'internal-error': {
    status: 500,
    title: 'The mock failed',
    explanation: 'Something went wrong on this server. Nothing was changed.',
    next: 'Try again. If it fails again, look for the reason in the log of the mock, and report it.',
  },
} as const satisfies Record<string, Omit<Notice, 'name'>>;

export type NoticeName = keyof typeof NOTICES;

export const isNotice = (name: string): name is NoticeName => Object.hasOwn(NOTICES, name);

const noticeOf = (notice: NoticeName | Notice): Notice =>
  typeof notice === 'string' ? { name: notice, ...NOTICES[notice] } : notice;

export const invitationAccepted = (organization: string): Notice => ({
  name: 'invitation-accepted',
  status: 200,
  icon: 'people',
  title: `Welcome to ${organization}`,
  explanation: 'You accepted the invitation and are now a member.',
  next: 'You can close this page and sign in to the application.',
});

/** The notice for a method that a page does not accept. @param allowed the accepted methods, as in an Allow header */
export const wrongMethod = (method: string, allowed: string): NoticeError =>
  new NoticeError({
    name: 'method-refused',
    status: 405,
    title: 'This page does not accept that request',
    explanation: `${method} requests are not accepted here.`,
    next: `Open the link in a browser, or use one of the methods ${allowed}.`,
    headers: { Allow: allowed },
  });

export const noticeOfError = (error: unknown): Notice => {
  if (error instanceof NoticeError) return error.notice;
  if (error instanceof URIError) return noticeOf('page-unknown');
  if (!(error instanceof Refusal)) return noticeOf('internal-error');
  if (error.errorCode === 'PAYLOAD_TOO_LARGE') return noticeOf('form-too-large');
  const { problem: explanation, hint, httpStatus: status, extras } = error;
  if (extras.violations?.some(({ field }) => field === 'Content-Type')) return noticeOf('form-unreadable');
  return {
    name: 'refused',
    status,
    title: 'This is not possible at the moment',
    explanation,
    next: hint || 'Correct the problem described above, then open the link again.',
  };
};
