/** What a visit is answered with, and writing it: a page under a strict policy, or a redirect. */
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { STYLE } from './style.ts';

/** A page of this server. */
export interface PageAnswer {
  readonly status: number;
  readonly page: string;
  /** Where a form on the page may lead, as CSP sources; absent: there is no form. */
  readonly formAction?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether pages of other sites may show it in a frame. */
  readonly isFramable?: boolean;
}

/** Sends the user on. */
export interface RedirectAnswer {
  readonly location: string;
}

export type HostedAnswer = PageAnswer | RedirectAnswer;

/** Writes the whole answer. For HEAD node leaves the body out. */
export const send = (response: Response, answer: HostedAnswer): void => {
  if ('location' in answer) sendRedirect(response, answer.location);
  else sendPage(response, answer);
};

const COMMON = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** URL writes every character that could end the header as an escape. */
const sendRedirect = (response: Response, location: string): void => {
  write(response, 302, '', {
    ...COMMON,
    Location: new URL(location).href,
    'Referrer-Policy': 'no-referrer',
  });
};

/**
 * No page names this server's address to another one. On a page with a form that is `same-origin` and not
 * `no-referrer`, under which a browser would send the form itself with `Origin: null`.
 */
const sendPage = (
  response: Response,
  { status, page, formAction, headers, isFramable = false }: PageAnswer,
): void => {
  write(response, status, page, {
    ...COMMON,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy(formAction ?? "'none'", isFramable),
    'Referrer-Policy': formAction === undefined ? 'no-referrer' : 'same-origin',
    ...headers,
  });
};

const write = (
  response: Response,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void => {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
};

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const contentSecurityPolicy = (formAction: string, isFramable: boolean): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    'img-src data:',
    `form-action ${formAction}`,
    "base-uri 'none'",
    `frame-ancestors ${isFramable ? '*' : "'none'"}`,
  ].join('; ');
