/** Requests that no page can answer, each with a page that says what to do instead; never a redirect. */
import { ApiError, ERROR_KINDS } from '../core/errors.ts';
import { MediaTypeError } from '../http/body.ts';
import type { Notice } from './notice-page.ts';

/** Thrown while a request is read; becomes a page. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly notice: Notice;
  readonly headers: Readonly<Record<string, string>>;
  /** Shown within a page of any site, so that the frame is not empty without a word. */
  readonly isFramable: boolean;

  constructor(notice: Notice, headers: Readonly<Record<string, string>> = {}, isFramable = false) {
    super(notice.title);
    this.notice = notice;
    this.headers = headers;
    this.isFramable = isFramable;
  }
}

type Words = Pick<Notice, 'name' | 'status' | 'title' | 'explanation' | 'next'>;

const refusal = (words: Words, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal({ icon: 'stop', tone: 'bad', ...words }, headers);

export const noSuchPage = (): Refusal =>
  refusal({
    name: 'page-unknown',
    status: 404,
    title: 'There is no such page',
    explanation: 'The address leads nowhere on this server.',
    next: 'Check that the whole link was copied, without anything added at its end.',
  });

/** @param allowed the methods that the page has, as in an Allow header */
export const wrongMethod = (method: string, allowed: string): Refusal =>
  refusal(
    {
      name: 'method-refused',
      status: 405,
      title: 'This page cannot do that',
      explanation: `It does not answer ${method}.`,
      next: `Open the link in a browser, or send one of ${allowed}.`,
    },
    { Allow: allowed },
  );

export const crossSite = (): Refusal =>
  refusal({
    name: 'cross-site',
    status: 403,
    title: 'This came from another site',
    explanation: 'It was sent by a page that is not of this server, so nothing was decided.',
    next: 'Open the link itself in your browser and decide there. If this server has another name for you, start it with that name in --base-url.',
  });

export const framed = (): Refusal =>
  new Refusal(
    {
      icon: 'stop',
      tone: 'bad',
      name: 'framed',
      status: 403,
      title: 'This page cannot be shown in a frame',
      explanation: 'It asks a person to decide, so it opens in a window of its own. Nothing was decided.',
      next: 'Open the link in a tab: send the user there with a link or a redirect, not with an iframe.',
    },
    {},
    true,
  );

const formTooLarge = (): Refusal =>
  refusal(
    {
      name: 'form-too-large',
      status: 413,
      title: 'That is too much',
      explanation: 'The form holds more than 64 KiB. Nothing was kept.',
      next: 'Go back and enter shorter values.',
    },
    { Connection: 'close' },
  );

const notAForm = (): Refusal =>
  refusal({
    name: 'form-unreadable',
    status: 415,
    title: 'That is not a form',
    explanation: 'The page takes application/x-www-form-urlencoded, in UTF-8. Nothing was kept.',
    next: 'Use the form on the page, or send its fields with that Content-Type.',
  });

const badForm = (explanation: string): Refusal =>
  refusal({
    name: 'form-refused',
    status: 400,
    title: 'The form could not be read',
    explanation,
    next: 'Go back to the page and send its own form.',
  });

export const unknownDecision = (): Refusal =>
  refusal({
    name: 'decision-unknown',
    status: 400,
    title: 'That is no decision',
    explanation: 'The link names a decision that is neither approve nor deny. Nothing was decided.',
    next: 'Write ?decision=approve or ?decision=deny, once, or open the link without it and choose on the page.',
  });

const INTERNAL_ERROR = refusal({
  name: 'internal-error',
  status: 500,
  title: 'The mock failed',
  explanation: 'Something went wrong on this server. Nothing was changed.',
  next: 'Try again. If it stays, look at the log of the mock and report what you find.',
});

/** The page for whatever was thrown: a refusal, an ApiError of the rules, or an internal error. */
export const toRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof URIError) return noSuchPage();
  if (!(error instanceof ApiError)) return INTERNAL_ERROR;
  if (error instanceof MediaTypeError) return notAForm();
  if (error.errorCode === 'PAYLOAD_TOO_LARGE') return formTooLarge();
  if (error.extras.violations) return badForm(error.message);
  const { status } = ERROR_KINDS[error.errorCode];
  return refusal({
    name: 'refused',
    status,
    title: 'This is not possible now',
    explanation: error.message,
    next: 'Change what the message names, then open the link again.',
  });
};
