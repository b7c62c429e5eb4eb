/** The index of the guide's search. */
import MiniSearch from 'minisearch';

/** A section of the guide: a heading and the text below it. `.ci/guide.mjs` writes all sections to `search.json`. */
export interface GuideSection {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

const MOST_SHOWN = 12;
const LENGTH = 120;
const FILLERS = /^(an?|and|are|do|does|for|how|i|in|is|it|my|no|not|of|on|the|there|to|what|why|with)$/i;

/** Pages that hold much, but explain little. The other pages link to them. */
const REFERENCE = /^(rules|examples)/;

/** Words, which may have signs inside, such as `retry-after`, `next.js` or `CA_MOCK_URL`. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\d]+(?:[-_.][\p{L}\d]+)*/gu) ?? [];

/** The words of a search without filler words, unless it has only filler words. */
const tellingOf = (search: string): string[] => {
  const words = wordsOf(search);
  const telling = words.filter((word) => !FILLERS.test(word));
  return telling.length > 0 ? telling : words;
};

/** @returns a function that finds the sections that hold all words of a search or else some of them, with an excerpt each */
export const indexGuide = (sections: readonly GuideSection[]) => {
  const index = new MiniSearch<GuideSection>({
    idField: 'href',
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page', 'text', 'href'],
    // A word with signs inside is found by its parts too.
    tokenize: (text) => wordsOf(text).flatMap((word) => [...new Set([word, ...word.split(/[-_.]/)])]),
    searchOptions: {
      tokenize: tellingOf,
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false), // a short word is similar to too many others
      boostDocument: (href: string) => (REFERENCE.test(href) ? 0.5 : 1),
      boost: { heading: 4, page: 2 },
    },
  });
  index.addAll(sections);
  return (search: string): readonly GuideSection[] => {
    const all = index.search(search, { combineWith: 'AND' });
    return (all.length > 0 ? all : index.search(search)).slice(0, MOST_SHOWN).map((found) => {
      const section = found as unknown as GuideSection; // the cast is safe: these fields are stored
      return { ...section, text: excerpt(section.text, found.terms) };
    });
  };
};

/** The text around the first of the words, starting at the beginning of a word. */
export const excerpt = (text: string, words: readonly string[]): string => {
  const low = text.toLowerCase();
  const at = Math.min(...words.map((word) => low.indexOf(word)).filter((place) => place >= 0));
  const start = at >= 30 && at < text.length ? text.indexOf(' ', at - 30) + 1 : 0;
  return text.slice(start, start + LENGTH).replace(/\s+\S*$/, '');
};
