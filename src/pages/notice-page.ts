/** Pages that tell one thing and what to do next: a success, or why there is nothing here. */
import { html } from './html.ts';
import { ICONS } from './icons.ts';
import { hero, layout } from './layout.ts';

export interface Notice {
  /** Stable name of the page, for tests: the `data-testid` around its words. */
  readonly name: string;
  readonly status: number;
  readonly icon: keyof typeof ICONS;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly explanation: string;
  /** What to do next; every notice has it. */
  readonly next: string;
}

export const noticePage = (notice: Notice, environment?: string): string =>
  layout({
    title: notice.title,
    environment,
    content: html`<div data-testid="${notice.name}">
${hero(html`<div class="emblem ${notice.tone}">${ICONS[notice.icon]}</div>`, notice.title, notice.explanation)}
<h2>What to do next</h2>
<p data-testid="next">${notice.next}</p>
</div>`,
  });
