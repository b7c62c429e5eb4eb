/** Suggestions for mistyped words, for messages. */
import { distance } from 'fastest-levenshtein';

/**
 * The known word nearest to `word`, ignoring case; undefined if none is near enough.
 * @param most how many letters may differ: a typing mistake changes one or two, and a higher limit would suggest
 * unrelated words
 */
export const nearest = (
  word: string,
  known: Iterable<string>,
  most = Math.min(3, Math.floor(word.length / 2)),
): string | undefined => {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let allowed = most;
  for (const candidate of known) {
    const change = candidate.toLowerCase() === wanted ? -1 : distance(wanted, candidate.toLowerCase());
    if (change > allowed) continue;
    best = candidate;
    allowed = change - 1;
  }
  return best;
};

/** The end of a message: ` Did you mean "mail"?`, or "" if no known word is near. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const meant = nearest(word, known);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
};
