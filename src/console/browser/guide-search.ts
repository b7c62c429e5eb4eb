/** A section of the guide: a heading and the text below it. `.ci/guide.mjs` writes all sections to `search.json`. */
export interface GuideSection {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

const MOST_SHOWN = 12;
const LENGTH = 120;
const FILLERS = /^(an?|and|are|do|does|for|how|i|in|is|it|my|no|not|of|on|the|there|to|what|why|with)$/;

/** The stem that related words share, such as `paginate` and `pagination`, or `worker` and `workers`. */
const stem = (word: string): string =>
  word.length < 5 ? word : word.replace(/(ations?|ating|ated?|ings?|ers?|ies|es|ed|e|s|y)$/, '');

/** The stems of the words in a search. Ignores filler words, unless the search has only filler words. */
export const stemsOf = (text: string): readonly string[] => {
  const words = text.toLowerCase().match(/[\p{L}\d_-]+/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.test(word));
  return (telling.length > 0 ? telling : words).map(stem);
};

/** Matches words that begin with one of the stems. */
export const pattern = (stems: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])(?:${stems.join('|').replaceAll('-', '\\-')})[\\p{L}\\d_-]*`, 'giu');

/** How well a section matches a word. A match in the heading counts most. In the text, at most three matches count. */
const score = ({ page, heading, text }: GuideSection, wanted: string): number => {
  const count = (words: string, most: number): number =>
    Math.min(most, words.match(pattern([wanted]))?.length ?? 0);
  return 9 * count(heading, 1) + 3 * count(page, 1) + count(text, 3);
};

/** The sections that contain the most words of the search, best first. */
export const findSections = (sections: readonly GuideSection[], stems: readonly string[]): GuideSection[] => {
  const scored = sections.map((section) => {
    const scores = stems.map((wanted) => score(section, wanted)).filter((each) => each > 0);
    return { section, held: scores.length, total: scores.reduce((sum, each) => sum + each, 0) };
  });
  const most = Math.max(1, ...scored.map(({ held }) => held));
  return scored
    .filter(({ held }) => held === most)
    .sort((one, other) => other.total - one.total)
    .slice(0, MOST_SHOWN)
    .map(({ section }) => section);
};

/** The text around the first match, starting at the beginning of a word. */
export const excerpt = (text: string, stems: readonly string[]): string => {
  const at = Math.max(0, text.search(pattern(stems)));
  const start = at < 30 ? 0 : text.indexOf(' ', at - 30) + 1;
  return text.slice(start, start + LENGTH).replace(/\s+\S*$/, '');
};
