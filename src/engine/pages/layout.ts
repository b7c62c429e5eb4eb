/**
 * The HTML of hosted pages, by tagged templates, which escape every value that is not already HTML. A page asks a question,
 * or it is a notice: one message and what to do next. A notice reports a success, or says why there is nothing to show.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { titleInUse } from '../contract/marks.ts';
import { packageRoot } from '../contract/package-root.ts';
import type { PageAnswer } from '../operation.ts';

/** HTML that is safe in a page. Never make it from text from outside. */
class Html {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type { Html };

type Value = Html | string | number | undefined | false | readonly Value[];

/**
 * Builds HTML. Strings and numbers are escaped, lists are joined, and `undefined` and `false` are left out. Put values
 * only between tags or inside double-quoted attributes: escaping is not enough anywhere else.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((text, part, index) => text + write(values[index - 1]) + part));

const write = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(write).join('');
  return value instanceof Html ? value.toString() : escapeText(String(value));
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escapeText = (text: string): string => text.replace(/[&<>"'`]/g, (found) => ENTITIES[found] ?? '');

export const STYLE = ['colours.css', 'style.css']
  .map((name) => readFileSync(join(packageRoot(), 'src/engine/pages', name), 'utf8'))
  .join('');

interface Layout {
  readonly title: string;
  readonly environment?: string | undefined;
  /** The main part's `data-testid`, kept stable for tests. Only pages that ask the user for a decision have one. */
  readonly name?: string;
  readonly content: Html;
}

/** What all pages share: document, header with the environment, main part, footer. */
const layout = ({ title, environment, name, content }: Layout): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} &middot; ${brand()}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${FAVICON}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<header>
<div class="brand">${PAGE_ICONS.brand} ${brand()}</div>
${environment !== undefined && html`<div class="environment" data-testid="environment">${environment}</div>`}
</header>
<main${name !== undefined && html` data-testid="${name}"`}>
${content}
</main>
<footer><p>A mock for development and tests. Nothing real is touched.</p></footer>
</body>
</html>
`.toString();

/** What the contract is about, by its title without `Mock API`. */
const brand = (): string => titleInUse().replace(/ (Mock )?API$/, '');

const hero = (emblem: Html, title: string, lead: string): Html =>
  html`<div class="hero">${emblem}<div>
<h1>${title}</h1>
<p class="lead" data-testid="lead">${lead}</p>
</div></div>`;

/** A page that asks the user for a decision, such as Approve or Deny. */
interface Question {
  readonly name: string;
  readonly environment: string;
  readonly title: string;
  /** What the page is about, such as an organization. Its first letter is shown instead of a logo. */
  readonly subject: string;
  readonly lead: string;
  /** What was wrong with the previous decision, if the page is shown again for that reason. */
  readonly problem?: string | undefined;
  /** The facts that the page lists. A fact without a value is left out. */
  readonly facts: readonly (readonly [term: string, testId: string, value: string | undefined])[];
  /** More content of the form, shown above the buttons. */
  readonly details?: Html;
  readonly outcomes: readonly (readonly [choice: string, outcome: string])[];
  readonly buttons: Html;
  readonly endNote: string;
  /** The expiry time, in RFC 3339 and UTC. Absent if the page never expires. */
  readonly end: string | undefined;
}

export const questionPage = (question: Question): string => {
  const { name, environment, title, subject, lead, problem, details, buttons, endNote, end } = question;
  const letter = (/[\p{L}\p{N}]/u.exec(subject)?.[0] ?? '•').toUpperCase();
  const facts = question.facts.map(
    ([term, testId, value]) =>
      value !== undefined && html`<div><dt>${term}</dt><dd data-testid="${testId}">${value}</dd></div>`,
  );
  const outcomes = question.outcomes.map(
    ([choice, outcome]) => html`<li><b>${choice}</b><span>${outcome}</span></li>`,
  );
  const content = html`${hero(html`<div class="emblem" aria-hidden="true">${letter}</div>`, title, lead)}
${problem !== undefined && html`<p class="alert" role="alert" data-testid="problem">${problem}</p>`}
<dl class="facts">${facts}</dl>
<form method="post" autocomplete="off">
${details}
<h2 id="next">What happens next</h2>
<ul class="next" aria-labelledby="next">${outcomes}</ul>
<div class="actions">${buttons}</div>
</form>
${end !== undefined && html`<p class="fine">${endNote} <time datetime="${end}">${readable(end)}</time>.</p>`}`;
  return layout({ title: problem === undefined ? title : `Error: ${title}`, environment, name, content });
};

/** Writes `2026-11-21T13:15:00.000Z` as `21 Nov 2026, 13:15 UTC`. */
const readable = (timestamp: string): string =>
  `${new Date(timestamp).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;

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

// Screen readers skip the icons, because the words next to them say the same.
const icon = (drawing: Html): Html =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${drawing}</svg>`;

const PAGE_ICONS = {
  brand: icon(html`<path d="M9 7H7a5 5 0 0 0 0 10h2M15 7h2a5 5 0 0 1 0 10h-2M8.5 12h7"/>`),
  check: icon(html`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>`),
  people: icon(
    html`<circle cx="9" cy="8" r="4"/><path d="M2 21v-1a6 6 0 0 1 6-6h2a6 6 0 0 1 6 6v1M19 8v6M16 11h6"/>`,
  ),
  question: icon(
    html`<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.1"/>`,
  ),
  stop: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5v.1"/>`),
} as const;

/** The favicon, a link symbol. The page contains it, so that browsers do not send a request for it. */
const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#4338ca"/><path d="M10 8.500H8.500a3.500 3.500 0 0 0 0 7H10M14 8.500h1.500a3.500 3.500 0 0 1 0 7H14M9.500 12h5" fill="none" stroke="#fff" stroke-width="1.800" stroke-linecap="round"/></svg>',
)}`;
