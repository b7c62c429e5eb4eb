/** The search of the guide. The pages of the guide also work without this script. */
import { excerpt, findSections, type GuideSection, pattern, stemsOf } from './guide-search.ts';

/** The sections of the guide. The first search loads them. */
let sections: Promise<readonly GuideSection[]> | undefined;

const make = (tag: string, ...content: readonly (string | Node)[]): HTMLElement => {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
};

const present = ({ page, heading, href, text }: GuideSection, stems: readonly string[]): HTMLElement => {
  const parts = excerpt(text, stems).split(new RegExp(`(${pattern(stems).source})`, 'giu'));
  const line = parts.map((part, nth) => (nth % 2 === 0 ? part : make('mark', part)));
  const link = make('a', page === heading ? page : `${page}: ${heading}`, make('small', ...line));
  link.setAttribute('href', href);
  return make('li', link);
};

const showResults = async (input: HTMLInputElement, list: HTMLElement): Promise<void> => {
  const stems = stemsOf(input.value);
  sections ??= fetch('search.json').then((response) => response.json());
  const found = stems.length === 0 ? [] : findSections(await sections, stems);
  const items = found.map((section) => present(section, stems));
  list.replaceChildren(...(items.length > 0 ? items : [make('li', 'Nothing found.')]));
  list.hidden = stems.length === 0;
};

// On a phone, the list of pages scrolls sideways, so the link of this page can be out of view.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

const input = document.querySelector('input');
const list = document.getElementById('found');
if (input && list) {
  input.addEventListener('input', () => showResults(input, list));
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') list.hidden = true;
    if (key === 'Enter' && target === input) list.querySelector('a')?.click();
    if (key !== '/' || target === input) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target !== input) list.hidden = true;
  });
}
