/** Hunting mutants: each is let loose in a copy, and must be caught by what names its rule. */
import type { Copy } from './copy.ts';
import { failingTests } from './jest-run.ts';
import type { Mutant } from './mutant.ts';
import { findNamingTests, suiteOf, titlePattern } from './naming.ts';
import { failingCases } from './suite-run.ts';

export interface Catch {
  readonly mutant: Mutant;
  /** Tests that name the rule and fail; empty: it survives them. */
  readonly tests: readonly string[];
  /** Cases that cite the rule and fail. */
  readonly cases: readonly string[];
  /** Why the suite could not be asked. */
  readonly problem?: string;
}

/** Whether a mutant goes unnoticed where it should be noticed. */
export const survives = ({ mutant, tests, cases }: Catch): boolean =>
  tests.length === 0 || (mutant.unseen === undefined && cases.length === 0);

/** @param sound what fails without any mutant, and so catches none */
export const hunt = (copy: Copy, mutant: Mutant, sound: ReadonlySet<string>): Promise<Catch> =>
  copy.with(mutant, async () => {
    const { rule } = mutant;
    const files = findNamingTests(copy.root)
      .filter(({ rules }) => rules.includes(rule))
      .map(({ file }) => file);
    const isNew = (name: string): boolean => !sound.has(name);
    const tests = await failingTests(copy, [...new Set(files)], titlePattern(rule), ['-i']);
    const caught = { mutant, tests: tests.filter(isNew) };
    if (mutant.unseen !== undefined) return { ...caught, cases: [] };
    try {
      return { ...caught, cases: (await failingCases(copy, suiteOf(rule))).filter(isNew) };
    } catch (error) {
      return { ...caught, cases: [], problem: error instanceof Error ? error.message : String(error) };
    }
  });

/** Whatever fails in a copy that is not broken. */
export const findUnsound = async (copy: Copy, mutants: readonly Mutant[]): Promise<readonly string[]> => {
  const rules = [...new Set(mutants.map(({ rule }) => rule))];
  const files = findNamingTests(copy.root)
    .filter((test) => rules.some((rule) => test.rules.includes(rule)))
    .map(({ file }) => file);
  const titles = rules.map(titlePattern).join('|');
  const tests = await failingTests(copy, [...new Set(files)], titles, ['-w', '2']);
  const cases = await failingCases(copy, rules.flatMap(suiteOf));
  return [...new Set([...tests, ...cases])];
};
