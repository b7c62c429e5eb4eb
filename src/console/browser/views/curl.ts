/** A recorded call as a command line, and what it cannot have of the call as it was. */
import type { Schemas } from '../live/api.ts';

export interface Command {
  readonly text: string;
  /** What differs from the call that was recorded. */
  readonly notes: readonly string[];
  /** A body that is too long for a command line, which reads it from this file. */
  readonly file?: { readonly name: string; readonly content: string };
}

/** In single quotes, as every POSIX shell reads them. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Headers that curl sets itself. */
const OWN =
  /^(?:host|content-length|connection|accept-encoding|transfer-encoding|user-agent|origin|referer|sec-.*|accept-language|cookie)$/;

/** What the journal shows in place of a credential. */
const MASK = '***';

/** Characters of a body that still fit on a command line that somebody reads. */
const LONGEST = 8_000;

export const toCurl = (
  { request, status, operation = 'request' }: Schemas['Request'],
  { name, access_token }: Schemas['Environment'],
): Command => {
  const { method, url, headers, body, body_cut: isCut = false } = request;
  const notes: string[] = [];
  const bearer = (): string => {
    // After a 401 another token would give another answer.
    const isKnown = access_token !== undefined && status !== 401;
    notes.push(
      isKnown
        ? `The journal keeps no tokens: this one is that of ${name}.`
        : 'Put the token that was sent in the place of TOKEN: the journal keeps none.',
    );
    return `Bearer ${isKnown ? access_token : 'TOKEN'}`;
  };
  const lines = Object.entries(headers)
    .filter(([header]) => !OWN.test(header))
    .map(([header, value]) => `-H ${quote(`${header}: ${value === `Bearer ${MASK}` ? bearer() : value}`)}`);
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const isLong = text !== undefined && text.length > LONGEST;
  const file = isLong ? { name: `${operation}.json`, content: text } : undefined;
  if (text !== undefined) lines.push(file ? `--data-binary @${file.name}` : `--data-raw ${quote(text)}`);
  if (file) notes.push(`The body is read from ${file.name}, which "Save" gives you.`);
  if (isCut) notes.push('The end of the body is missing: the journal keeps 64 KiB.');
  if (`${text}${url}`.includes(MASK) || lines.some((line) => line.includes(MASK)))
    notes.push(`Fill in what is masked as ${MASK}.`);
  const verb = method === 'HEAD' ? '-I' : `-X ${method}`;
  const command = [`curl ${verb} ${quote(new URL(url, location.origin).href)}`, ...lines].join(' \\\n  ');
  return { text: command, notes, ...(file && { file }) };
};
