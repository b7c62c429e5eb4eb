/**
 * Pages with one message and what to do next. The message reports a success, says why there is nothing to show, or why
 * a request was refused.
 */
import { Refusal } from '../core/errors.ts';
import type { PageAnswer } from '../operation.ts';
import { hero, html, layout, PAGE_ICONS } from './layout.ts';

export interface Notice extends Omit<PageAnswer, 'page' | 'formAction'> {
  /** The `data-testid` of the page, for tests; it never changes. */
  readonly name: string;
  readonly title: string;
  readonly explanation: string;
  readonly next: string;
  /** The icon above the title. Default: `stop`. */
  readonly icon?: keyof typeof PAGE_ICONS;
  /** The colour of the icon. The default depends on the status. */
  readonly tone?: 'good' | 'warn' | 'bad';
}

export class NoticeError extends Error {
  override readonly name = 'NoticeError';

  constructor(readonly notice: Notice) {
    super();
  }
}

/** The page of a notice. @param environment the name of the environment that the visit belongs to, if any */
export const noticePage = (notice: Notice, environment?: string): PageAnswer => {
  const { name, status, title, explanation, next, icon = 'stop' } = notice;
  const { tone = status < 300 ? 'good' : status === 410 ? 'warn' : 'bad' } = notice;
  const content = html`<div data-testid="${name}">
${hero(html`<div class="emblem ${tone}">${PAGE_ICONS[icon]}</div>`, title, explanation)}
<h2>What to do next</h2>
<p data-testid="next">${next}</p>
</div>`;
  return { ...notice, page: layout({ title, environment, content }) };
};

export const PAGE_UNKNOWN: Notice = {
  name: 'page-unknown',
  status: 404,
  title: 'Page not found',
  explanation: 'This server has no page at this address.',
  next: 'Check that the whole link was copied, without anything added at its end.',
};

export const CROSS_SITE: Notice = {
  name: 'cross-site',
  status: 403,
  title: 'This decision came from another site',
  explanation: 'A page of another server sent the decision, so it does not count.',
  next: 'Open the link in your browser, and use the buttons on the page. If you already did that, restart the mock with a --base-url that has the host name from the address bar of the browser.',
};

export const INTERNAL_ERROR: Notice = {
  name: 'internal-error',
  status: 500,
  title: 'The mock failed',
  explanation: 'Something went wrong on this server. Nothing was changed.',
  next: 'Try again. If it fails again, look for the reason in the log of the mock, and report it.',
};

export const noticeOfError = (error: unknown): Notice => {
  if (error instanceof NoticeError) return error.notice;
  if (error instanceof URIError) return PAGE_UNKNOWN;
  if (!(error instanceof Refusal)) return INTERNAL_ERROR;
  const { problem: explanation, hint, httpStatus: status, extras } = error;
  return {
    ...{ name: 'refused', status, title: 'This is not possible at the moment', explanation },
    next: hint || 'Correct the problem described above, then open the link again.',
    headers: extras.headers ?? {},
  };
};
