/** The search of the guide. The pages of the guide also work without this script. */

import { excerpt, findSections, type GuideSection, pattern, stemsOf } from './guide-search.ts';

/** The sections of the guide. The first search loads them. */
let sections: Promise<readonly GuideSection[]> | undefined;
const readSections = (): Promise<readonly GuideSection[]> => {
  sections ??= fetch('search.json').then((response) => response.json());
  return sections;
};

/** The text with the matches marked. */
const marked = (text: string, stems: readonly string[]): readonly (string | HTMLElement)[] => {
  const found = [...text.matchAll(pattern(stems))];
  const ends = [0, ...found.map(({ index, 0: word }) => index + word.length)];
  return [...found, undefined].flatMap((match, nth) => {
    const plain = text.slice(ends[nth], match?.index);
    if (!match) return [plain];
    const mark = document.createElement('mark');
    mark.textContent = match[0];
    return [plain, mark];
  });
};

const present = (section: GuideSection, stems: readonly string[]): HTMLLIElement => {
  const link = document.createElement('a');
  link.href = section.href;
  const line = document.createElement('small');
  line.append(...marked(excerpt(section.text, stems), stems));
  link.append(section.page === section.heading ? section.page : `${section.page}: ${section.heading}`, line);
  const item = document.createElement('li');
  item.append(link);
  return item;
};

const showResults = async (input: HTMLInputElement, list: HTMLElement): Promise<void> => {
  const stems = stemsOf(input.value);
  const found = stems.length === 0 ? [] : findSections(await readSections(), stems);
  const items = found.map((section) => present(section, stems));
  if (items.length === 0) {
    const none = document.createElement('li');
    none.textContent = 'Nothing found.';
    items.push(none);
  }
  list.replaceChildren(...items);
  list.hidden = stems.length === 0;
};

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
