/** The search of the guide, copy buttons, and links that keep the environment. The pages also work without this script. */
import type { SearchResult } from 'minisearch';
import { indexGuide } from './guide-index.ts';

const make = (tag: string, ...content: readonly (string | Node)[]): HTMLElement => {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
};

// On a phone, the list of pages scrolls sideways, so the link of this page can be out of view.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** The environment that the reader came from. Links to the console and to other pages keep it. */
const environment = new URLSearchParams(location.search).get('environment');
if (environment !== null)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.top a, .side a, .text a'))
    if (link.hash.startsWith('#//'))
      link.hash = link.hash.replace('#//', `#/${encodeURIComponent(environment)}/`);
    else if (new URL('.', link.href).href === new URL('.', location.href).href) link.search = location.search;

for (const code of document.querySelectorAll('figure')) {
  const button = make('button', 'Copy');
  button.className = 'small';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.querySelector('code')?.textContent?.trimEnd() ?? '');
    button.textContent = 'Copied';
  });
  code.append(button);
}

const present = ({ page, heading, href, text }: SearchResult): HTMLElement => {
  const link = make('a', page === heading ? page : `${page}: ${heading}`, make('small', text));
  link.setAttribute('href', href.replace(/(?=#)|$/, location.search));
  return make('li', link);
};

/** Made by the first search. */
let find: Promise<ReturnType<typeof indexGuide>> | undefined;

const input = document.querySelector('input');
const list = document.getElementById('found');
if (input && list) {
  input.addEventListener('input', async () => {
    find ??= fetch('search.json').then(async (response) => indexGuide(await response.json()));
    const items = (await find)(input.value).map(present);
    list.replaceChildren(...(items.length > 0 ? items : [make('li', 'Nothing found.')]));
    list.hidden = input.value.trim() === '';
  });
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey } = event;
    if (key === 'Escape') list.hidden = true;
    if (key === 'Enter' && target === input) list.querySelector('a')?.click();
    const isSearch = key === '/' || (key === 'k' && (ctrlKey || metaKey));
    if (!isSearch || target === input) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target !== input) list.hidden = true;
  });
}
