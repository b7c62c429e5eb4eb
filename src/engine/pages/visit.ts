/** One visit to a page: the request as plain values, and the answer, which is a page or a redirect. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Visit, VisitAnswer } from '../operation.ts';
import { STYLE } from './layout.ts';

export const readVisit = ({ method, url, params, body }: Request, mayDecide: boolean): Visit => {
  const fields: Readonly<Record<string, string | string[]>> = method === 'POST' ? body : {};
  const query = new URL(url, 'http://mock.local').searchParams;
  return {
    method,
    token: String(params.token),
    query,
    scopes: readScopes(method === 'POST' || !query.has('scopes') ? fields.scopes : query.getAll('scopes')),
    form: new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat().at(-1) ?? ''])),
    mayDecide,
  };
};

/** Unticked boxes are not sent, so the page sends an empty value too: then no box at all means no scope. */
const readScopes = (sent: string | string[] | undefined): readonly string[] | undefined =>
  sent === undefined ? undefined : [sent].flat().flatMap((scopes) => scopes.split(/[\s,]+/).filter(Boolean));

/**
 * Sends an answer, with a Referrer-Policy that hides the page's address and the token in it from other sites. A page
 * with a form uses `same-origin`, because under `no-referrer` a browser would send the form with `Origin: null`.
 */
export const sendAnswer = (response: Response, answer: VisitAnswer): void => {
  response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  if ('location' in answer) {
    // `new URL` escapes every character that could end the header.
    const Location = new URL(answer.location).href;
    response.status(302).set({ Location, 'Referrer-Policy': 'no-referrer' }).end();
    return;
  }
  const { status, page, formAction = "'none'", headers } = answer;
  response.set({
    'Content-Security-Policy': `${POLICY}; form-action ${formAction}`,
    'Referrer-Policy': answer.formAction === undefined ? 'no-referrer' : 'same-origin',
    ...headers,
  });
  response.status(status).type('html').send(page);
};

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;
