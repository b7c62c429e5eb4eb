/** Hunting mutants: each is let loose in a copy, and must be caught by what names its rule. */
import type { Copy } from './copy.ts';
import { failingTests } from './jest-run.ts';
import type { Mutant } from './mutant.ts';
import { findNamingTests, suiteOf, titlePattern } from './naming.ts';
import type { Rule } from './rules.ts';
import { failingCases } from './suite-run.ts';

export interface Catch {
  readonly mutant: Mutant;
  /** Tests that name the rule and fail: those of the first file that has some. Empty: it survives them. */
  readonly tests: readonly string[];
  /** Where they are, from the root. */
  readonly file?: string;
  /** Cases that cite the rule and fail. */
  readonly cases: readonly string[];
  /** Why tests or suite could not be asked. */
  readonly problem?: string;
}

/** Whether a mutant goes unnoticed where it should be noticed. */
export const survives = ({ mutant, tests, cases }: Catch): boolean =>
  tests.length === 0 || (mutant.unseen === undefined && cases.length === 0);

export const hunt = (copy: Copy, mutant: Mutant): Promise<Catch> =>
  copy.with(mutant, async () => {
    const { rule } = mutant;
    const suite = mutant.unseen === undefined ? suiteOf(rule) : [];
    const tests = await tryTo(() => failInOneFile(copy, rule));
    const cases = await tryTo(async () => ({
      cases: suite.length > 0 ? await failingCases(copy, suite) : [],
    }));
    return { mutant, ...NOTHING, ...cases, ...tests };
  });

const NOTHING = { tests: [], cases: [] };

/** What is found; or why nothing can be. */
const tryTo = async <Found>(find: () => Promise<Found>): Promise<Found | { readonly problem: string }> => {
  try {
    return await find();
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

/** One catch is enough, so files are run one after the other until one has it. */
const failInOneFile = async (copy: Copy, rule: Rule): Promise<Pick<Catch, 'tests' | 'file'>> => {
  for (const file of filesNaming(copy, rule)) {
    const tests = await failingTests(copy, [file], titlePattern(rule), ['-i']);
    if (tests.length > 0) return { tests, file };
  }
  return { tests: [] };
};

/** Tests of the pure core load no server, and are asked first. */
const PURE = /^test[/](?:core|domain|operations|simulation|environments)[/]/;

const filesNaming = ({ root }: Copy, rule: Rule): readonly string[] => {
  const files = findNamingTests(root).flatMap(({ file, rules }) => (rules.includes(rule) ? [file] : []));
  return [...new Set([...files.filter((file) => PURE.test(file)), ...files])];
};

/** What of all that caught a mutant fails in a copy that is not broken, and so catches none. */
export const findUnsound = async (copy: Copy, catches: readonly Catch[]): Promise<ReadonlySet<string>> => {
  const rules = [...new Set(catches.map(({ mutant }) => mutant.rule))];
  const files = [...new Set(catches.flatMap(({ file }) => file ?? []))];
  const [tests, cases] = await Promise.all([
    files.length > 0 ? failingTests(copy, files, rules.map(titlePattern).join('|'), ['-w', '2']) : [],
    failingCases(copy, suiteOf(...rules)),
  ]);
  return new Set([...tests, ...cases]);
};

export const withoutUnsound = (found: Catch, unsound: ReadonlySet<string>): Catch => ({
  ...found,
  tests: found.tests.filter((name) => !unsound.has(name)),
  cases: found.cases.filter((name) => !unsound.has(name)),
});
