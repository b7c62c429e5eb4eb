/** The search of the guide. The pages of the guide also work without this script. */
import { excerpt, type GuideResult, indexGuide } from './guide-index.ts';

/** Searches the guide. The first search loads its sections. */
let find: Promise<ReturnType<typeof indexGuide>> | undefined;

const make = (tag: string, ...content: readonly (string | Node)[]): HTMLElement => {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
};

const present = (result: GuideResult): HTMLElement => {
  const { page, heading, href } = result.section;
  const parts = excerpt(result).split(result.matched);
  const line = parts.map((part, nth) => (nth % 2 === 0 ? part : make('mark', part)));
  const link = make('a', page === heading ? page : `${page}: ${heading}`, make('small', ...line));
  link.setAttribute('href', href);
  return make('li', link);
};

const showResults = async (input: HTMLInputElement, list: HTMLElement): Promise<void> => {
  find ??= fetch('search.json').then(async (response) => indexGuide(await response.json()));
  const items = (await find)(input.value).map(present);
  list.replaceChildren(...(items.length > 0 ? items : [make('li', 'Nothing found.')]));
  list.hidden = input.value.trim() === '';
};

// On a phone, the list of pages scrolls sideways, so the link of this page can be out of view.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

const input = document.querySelector('input');
const list = document.getElementById('found');
if (input && list) {
  input.addEventListener('input', () => showResults(input, list));
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
