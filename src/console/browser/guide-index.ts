/** The index of the guide's search. */
import MiniSearch, { type SearchResult } from 'minisearch';

/** A section of the guide: a heading and the text below it. `.ci/guide.mjs` writes all sections to `search.json`. */
export interface GuideSection {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

const MOST_SHOWN = 12;
const FILLERS = /^(an?|and|are|do|does|for|how|i|in|is|it|my|no|not|of|on|the|there|to|what|why|with)$/i;

/** Words, which may have signs inside, such as `retry-after`, `next.js` or `CA_MOCK_URL`. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\d]+(?:[-_.][\p{L}\d]+)*/gu) ?? [];

/** @returns a function that finds the sections that hold all telling words of a search or else some of them */
export const indexGuide = (sections: readonly GuideSection[]) => {
  const index = new MiniSearch<GuideSection>({
    idField: 'href',
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page', 'text', 'href'],
    // A word with signs inside is found by its parts too.
    tokenize: (text) => wordsOf(text).flatMap((word) => [...new Set([word, ...word.split(/[-_.]/)])]),
    searchOptions: {
      tokenize: (text) => wordsOf(text).filter((word) => !FILLERS.test(word)),
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false), // a short word is similar to too many others
      // The rules hold much, but explain little. The other pages link to them.
      boostDocument: (href: string) => (href.startsWith('rules') ? 0.5 : 1),
      boost: { heading: 4, page: 2 },
    },
  });
  index.addAll(sections);
  return (search: string): readonly SearchResult[] => {
    const all = index.search(search, { combineWith: 'AND' });
    return (all.length > 0 ? all : index.search(search)).slice(0, MOST_SHOWN);
  };
};
