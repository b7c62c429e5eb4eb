/** Hunting mutants: each is let loose in a copy, and a test that names its rule must catch it. */
import type { Copy } from './copy.ts';
import { failingTests } from './jest-run.ts';
import type { Mutant } from './mutant.ts';
import { findNamingTests, titlePattern } from './naming.ts';
import type { Rule } from './rules.ts';

export interface Catch {
  readonly mutant: Mutant;
  /** Tests that name the rule and fail: from the first file with such tests. Empty: the mutant survives. */
  readonly tests: readonly string[];
  /** Where they are, from the root. */
  readonly file?: string;
  /** Why the tests could not be run. */
  readonly problem?: string;
}

/** Whether a mutant goes unnoticed. */
export const survives = ({ tests }: Catch): boolean => tests.length === 0;

export const hunt = (copy: Copy, mutant: Mutant): Promise<Catch> =>
  copy.with(mutant, async () => {
    try {
      return { mutant, ...(await failInOneFile(copy, mutant.rule)) };
    } catch (error) {
      return { mutant, tests: [], problem: error instanceof Error ? error.message : String(error) };
    }
  });

/** One catch is enough, so files are run one after the other until one has it. */
const failInOneFile = async (copy: Copy, rule: Rule): Promise<Pick<Catch, 'tests' | 'file'>> => {
  for (const file of filesNaming(copy, rule)) {
    if (!PURE.test(file)) await copy.build();
    const tests = await failingTests(copy, [file], titlePattern(rule), ['-i']);
    if (tests.length > 0) return { tests, file };
  }
  return { tests: [] };
};

/** Tests of the pure core need no built package, and are asked first. */
const PURE = /^test[/](?:core|domain|operations|simulation|environments)[/]/;

/** Pure ones first, since they are quick; then those with the most tests that name the rule. */
const filesNaming = ({ root }: Copy, rule: Rule): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { file, rules } of findNamingTests(root))
    if (rules.includes(rule)) counts.set(file, (counts.get(file) ?? 0) + 1);
  const isPure = (file: string) => Number(PURE.test(file));
  return [...counts]
    .sort(([a, testsOfA], [b, testsOfB]) => isPure(b) - isPure(a) || testsOfB - testsOfA)
    .map(([file]) => file);
};

/** Tests that fail without any mutant too, and so catch none. */
export const findUnsound = async (copy: Copy, catches: readonly Catch[]): Promise<ReadonlySet<string>> => {
  const rules = [...new Set(catches.map(({ mutant }) => mutant.rule))];
  const files = [...new Set(catches.flatMap(({ file }) => file ?? []))];
  if (files.length === 0) return new Set();
  await copy.build();
  return new Set(await failingTests(copy, files, rules.map(titlePattern).join('|'), ['-w', '2']));
};

export const withoutUnsound = (found: Catch, unsound: ReadonlySet<string>): Catch => ({
  ...found,
  tests: found.tests.filter((name) => !unsound.has(name)),
});
