/** Hunting mutants: each is let loose in a copy, and must be caught by what names its rule. */
import type { Copy } from './copy.ts';
import { failingTests } from './jest-run.ts';
import type { Mutant } from './mutant.ts';
import { findNamingTests, suiteOf, titlePattern } from './naming.ts';
import type { Rule } from './rules.ts';
import { failingCases } from './suite-run.ts';

export interface Catch {
  readonly mutant: Mutant;
  /** Tests that name the rule and fail; empty: it survives them. */
  readonly tests: readonly string[];
  /** Cases that cite the rule and fail. */
  readonly cases: readonly string[];
  /** Why tests or suite could not be asked. */
  readonly problem?: string;
}

/** Whether a mutant goes unnoticed where it should be noticed. */
export const survives = ({ mutant, tests, cases }: Catch): boolean =>
  tests.length === 0 || (mutant.unseen === undefined && cases.length === 0);

/** @param unsound what fails without any mutant, and so catches none */
export const hunt = (copy: Copy, mutant: Mutant, unsound: ReadonlySet<string>): Promise<Catch> =>
  copy.with(mutant, async () => {
    const { rule } = mutant;
    const files = filesNaming(copy, [rule]);
    const suite = mutant.unseen === undefined ? suiteOf(rule) : [];
    const tests = await tellOf(failingTests(copy, files, titlePattern(rule), ['-i']), unsound);
    const cases = suite.length > 0 ? await tellOf(failingCases(copy, suite), unsound) : NOTHING;
    const problem = tests.problem ?? cases.problem;
    return { mutant, tests: tests.names, cases: cases.names, ...(problem !== undefined && { problem }) };
  });

interface Told {
  readonly names: readonly string[];
  readonly problem?: string;
}

const NOTHING: Told = { names: [] };

/** What fails for the first time; or why nobody knows. */
const tellOf = async (failing: Promise<readonly string[]>, unsound: ReadonlySet<string>): Promise<Told> => {
  try {
    return { names: (await failing).filter((name) => !unsound.has(name)) };
  } catch (error) {
    return { names: [], problem: error instanceof Error ? error.message : String(error) };
  }
};

const filesNaming = ({ root }: Copy, rules: readonly Rule[]): readonly string[] => {
  const naming = findNamingTests(root).filter((test) => rules.some((rule) => test.rules.includes(rule)));
  return [...new Set(naming.map(({ file }) => file))];
};

/** Whatever fails in a copy that is not broken. */
export const findUnsound = async (copy: Copy, mutants: readonly Mutant[]): Promise<readonly string[]> => {
  const rules = [...new Set(mutants.map(({ rule }) => rule))];
  const titles = rules.map(titlePattern).join('|');
  const tests = await failingTests(copy, filesNaming(copy, rules), titles, ['-w', '2']);
  const cases = await failingCases(copy, rules.flatMap(suiteOf));
  return [...new Set([...tests, ...cases])];
};
