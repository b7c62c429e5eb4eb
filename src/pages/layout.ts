/** What every hosted page shares: document, header with the environment, one main landmark, footer. */
import { type Html, html, trusted } from './html.ts';
import { FAVICON, ICONS } from './icons.ts';
import { STYLE } from './style.ts';

export interface Layout {
  readonly title: string;
  /** Name of the environment the page belongs to; absent on a page that belongs to none. */
  readonly environment?: string | undefined;
  /** Stable name of a page with a form, for tests: the `data-testid` of its main part. */
  readonly name?: string;
  readonly content: Html;
}

/** A whole page. */
export const layout = ({ title, environment, name, content }: Layout): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} &middot; Connected Accounts</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${FAVICON}">
<style>${trusted(STYLE)}</style>
</head>
<body>
<header>
<div class="brand">${ICONS.brand} Connected Accounts</div>
${environment !== undefined && html`<div class="environment" data-testid="environment">${environment}</div>`}
</header>
<main${name !== undefined && html` data-testid="${name}"`}>
${content}
</main>
<footer><p>A mock for development and tests. No real account is touched.</p></footer>
</body>
</html>
`.toString();

/** A row of terms and what they are; those without a value are left out. */
export const facts = (
  rows: readonly (readonly [term: string, testId: string, value: string | undefined])[],
): Html =>
  html`<dl class="facts">${rows.map(
    ([term, testId, value]) =>
      value !== undefined && html`<div><dt>${term}</dt><dd data-testid="${testId}">${value}</dd></div>`,
  )}</dl>`;

/** The head of a page: an emblem beside its title and a sentence on it. */
export const hero = (emblem: Html, title: string, lead: string): Html =>
  html`<div class="hero">${emblem}<div>
<h1>${title}</h1>
<p class="lead" data-testid="lead">${lead}</p>
</div></div>`;

/** The first letter of a name, as a stand-in for its logo. */
export const monogram = (name: string): Html =>
  html`<div class="emblem" aria-hidden="true">${(/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '•').toUpperCase()}</div>`;

/** When a link or invitation ends; says nothing for one that never does. @param end RFC 3339, UTC */
export const endNote = (sentence: string, end: string | undefined): Html | false =>
  end !== undefined && html`<p class="fine">${sentence} <time datetime="${end}">${readable(end)}</time>.</p>`;

/** `2026-11-21T13:15:00.000Z` as `21 Nov 2026, 13:15 UTC`. */
const readable = (timestamp: string): string => {
  format ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(timestamp))} UTC`;
};

/** Made when first wanted: it reads the tables of a language, 10 ms that no start should wait for. */
let format: Intl.DateTimeFormat | undefined;
