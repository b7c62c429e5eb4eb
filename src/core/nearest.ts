/** The word somebody meant: for messages that name what is known. */
import { distance } from 'fastest-levenshtein';

/** The known word nearest to `word` in any case, or undefined if none is near enough to be meant. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  // A typing mistake changes a letter or two; half of a short word is another word.
  let allowed = Math.min(3, Math.floor(word.length / 2));
  for (const candidate of known) {
    const change = candidate.toLowerCase() === wanted ? -1 : distance(wanted, candidate.toLowerCase());
    if (change > allowed) continue;
    best = candidate;
    allowed = change - 1;
  }
  return best;
};

/** ` Did you mean "mail"?`, or nothing: to be put at the end of a message. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const meant = nearest(word, known);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
};

/** How many letters would have to change, come or go to make one word the other, in any case. */
export const distanceOf = (one: string, other: string): number =>
  distance(one.toLowerCase(), other.toLowerCase());
