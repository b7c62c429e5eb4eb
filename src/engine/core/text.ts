/** Shortens, arranges and suggests texts for people, and converts names between snake_case and camelCase. */
import { distance } from 'fastest-levenshtein';

/** The beginning of a text, for a message; never ends in half of a surrogate pair (behaviour R1). */
export const cut = (text: string, limit = 100): string =>
  text.length > limit ? `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}...` : text;

/** Lists the first 20 names, and ends with the number of the others, such as `and 3 more`. */
export const listNames = (names: readonly string[], total = names.length): string => {
  const listed = names.slice(0, 20).join(', ');
  return total > 20 ? `${listed} and ${total - 20} more` : listed;
};

/** Turns `organization_id` into `organizationId`, the spelling of JSON-over-gRPC gateways. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Turns snake_case into lowerCamelCase, and lowerCamelCase into snake_case. */
export const otherSpelling = (name: string): string =>
  name.includes('_') ? camelCase(name) : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns of text, for a terminal. */
export const columns = (rows: readonly (readonly string[])[], indent = ''): string => {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return padded.map((row) => `${indent}${row.join('  ')}`.trimEnd()).join('\n');
};

/** The most similar word, ignoring case, if any is similar enough. @param most how many letters a typing mistake changes */
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

/** The end of a message: ` Did you mean "mail"?`, or "" if no word in `known` is similar enough. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const meant = nearest(word, known);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
};

/** The next step after an unknown name: the most similar one or, without one, all. @param things such as `snapshots` */
export const suggest = (word: string, known: readonly string[], things: string): string =>
  didYouMean(word, known).trim() ||
  (known.length > 0 ? `The ${things} are ${listNames(known)}.` : `There are no ${things}.`);

/** What is wrong with a value, after its name (behaviour N2). @param shown the value; undefined if it can be a credential */
export const misfit = (shown: string | undefined, must: string): string =>
  shown === undefined ? must : `is ${shown}, but ${must}`;
