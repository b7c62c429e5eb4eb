/** The search of the guide; its pages are complete without it. */

/** A heading with the text below it (`.ci/guide.mjs` writes them). */
interface GuideSection {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

const MOST_SHOWN = 12;

/** Read once, when somebody first means to search. */
let sections: Promise<readonly GuideSection[]> | undefined;
const readSections = (): Promise<readonly GuideSection[]> => {
  sections ??= fetch('search.json').then((response) => response.json());
  return sections;
};

const holds = (text: string, word: string): boolean => text.toLowerCase().includes(word);

/** Sections that hold every word, those with one in the heading first. */
const find = (all: readonly GuideSection[], words: readonly string[]): readonly GuideSection[] => {
  const fits = all.filter(({ page, heading, text }) =>
    words.every((word) => holds(`${page} ${heading} ${text}`, word)),
  );
  const isNamed = ({ heading }: GuideSection): boolean => words.some((word) => holds(heading, word));
  return [...fits.filter(isNamed), ...fits.filter((section) => !isNamed(section))].slice(0, MOST_SHOWN);
};

/** The words around the first that was found. */
const excerpt = (text: string, [word = '']: readonly string[]): string =>
  text.slice(Math.max(0, text.toLowerCase().indexOf(word) - 30)).slice(0, 120);

const present = (section: GuideSection, words: readonly string[]): HTMLLIElement => {
  const link = document.createElement('a');
  link.href = section.href;
  const line = document.createElement('small');
  line.textContent = excerpt(section.text, words);
  link.append(section.page === section.heading ? section.page : `${section.page}: ${section.heading}`, line);
  const item = document.createElement('li');
  item.append(link);
  return item;
};

const showResults = async (input: HTMLInputElement, list: HTMLElement): Promise<void> => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : find(await readSections(), words);
  const items = found.map((section) => present(section, words));
  if (items.length === 0) {
    const none = document.createElement('li');
    none.textContent = 'Nothing found.';
    items.push(none);
  }
  list.replaceChildren(...items);
  list.hidden = words.length === 0;
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
