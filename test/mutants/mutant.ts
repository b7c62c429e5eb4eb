/** A deliberate fault: one place of the sources, changed so that one rule no longer holds. */
import type { Rule } from './rules.ts';

export interface Mutant {
  readonly rule: Rule;
  /** From the root of the repository. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
  /** A sentence: what the broken copy does. */
  readonly breaks: string;
}

/** @throws Error if the text that the mutant replaces does not stand there exactly once */
export const mutate = (text: string, { rule, file, find, replace }: Mutant): string => {
  const [before, after, ...more] = text.split(find);
  if (before !== undefined && after !== undefined && more.length === 0) return before + replace + after;
  const times = text.split(find).length - 1;
  throw new Error(
    `The mutant of ${rule} replaces a text that stands ${times} times in ${file}: ${find}. Bring it in step with the source.`,
  );
};
