/** Finds sections of the guide. */

/** A heading and the text below it. `.ci/guide.mjs` writes the file with all sections. */
export interface GuideSection {
  readonly page: string;
  readonly heading: string;
  readonly href: string;
  readonly text: string;
}

const MOST_SHOWN = 12;
const LENGTH = 120;
const FILLERS = /^(an?|and|are|do|does|for|how|i|in|is|it|my|no|not|of|on|the|there|to|what|why|with)$/;

/** The beginning that related words share, such as `paginate` and `pagination`, or `worker` and `workers`. */
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
  new RegExp(
    `(?<![\\p{L}\\d])(?:${stems.map((each) => each.replace(/-/g, '\\-')).join('|')})[\\p{L}\\d_-]*`,
    'giu',
  );

const count = (text: string, wanted: string): number => text.match(pattern([wanted]))?.length ?? 0;

/**
 * How well a section fits a word. A match in the heading counts most, then in the name of the page, then in the text,
 * where up to three matches count.
 */
const score = ({ page, heading, text }: GuideSection, wanted: string): number =>
  9 * Math.min(1, count(heading, wanted)) +
  3 * Math.min(1, count(page, wanted)) +
  Math.min(3, count(text, wanted));

/**
 * The sections that have every word; if there are none, the sections that have the most words. The best section comes
 * first.
 */
export const findSections = (
  sections: readonly GuideSection[],
  stems: readonly string[],
): readonly GuideSection[] => {
  const scored = sections.map((section) => {
    const scores = stems.map((wanted) => score(section, wanted));
    const held = scores.filter((each) => each > 0).length;
    return { section, held, total: scores.reduce((sum, each) => sum + each, 0) };
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
