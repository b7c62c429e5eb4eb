/** Mutants: small changes of the sources, each of which breaks one rule; and the tests that name the rule. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mutant {
  readonly rule: string;
  /** A sentence: what the broken copy does. */
  readonly breaks: string;
  /** The path from the root of the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Reads `mutants.diff`. A paragraph has a rule and a sentence, a file, old lines after `-` and new lines after `+`. */
export const readMutants = (root: string): readonly Mutant[] => {
  const [, ...paragraphs] = readFileSync(join(root, 'test/mutants/mutants.diff'), 'utf8')
    .trim()
    .split('\n\n');
  return paragraphs.map((paragraph) => {
    const [head = '', file = '', ...lines] = paragraph.split('\n');
    const [rule = '', ...words] = head.split(' ');
    const after = (sign: string): string =>
      lines
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n');
    return { rule, breaks: words.join(' '), file, find: after('-'), replace: after('+') };
  });
};

/** @throws Error if the text that the mutant replaces is not in the source exactly once */
export const mutate = (source: string, { rule, file, find, replace }: Mutant): string => {
  const [before = '', after = '', ...more] = source.split(find);
  if (source.includes(find) && more.length === 0) return before + replace + after;
  const times = source.split(find).length - 1;
  throw new Error(
    `The mutant of ${rule} replaces a text that must be in ${file} once, but is there ${times} times: ${find}`,
  );
};

/** The rules of `src/RULES.md`, in their order. */
export const readRules = (root: string): readonly string[] =>
  Array.from(
    readFileSync(join(root, 'src/RULES.md'), 'utf8').matchAll(/<a id="([A-Z]\d+)">/g),
    ([, rule = '']) => rule,
  );

/** Not run against mutants: tests that are started on their own, or start whole runs of jest themselves. */
const APART = /^(?:browser|clients|package|bench|mutants)[/]/;

/** The test files with titles such as `behaviour M6, T9: a pending invite ...`, and the rules that they name. */
export const findNamingFiles = (root: string): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /[.](?:test|long)[.]ts$/.test(path) && !APART.test(path))
      .map((path) => {
        const code = readFileSync(join(root, 'test', path), 'utf8').replace(/^ *(?:\/?\*|\/\/).*$/gm, '');
        const titles = code.matchAll(/behaviour ([A-Z]\d+(?:, [A-Z]\d+)*)/g);
        return [
          `test/${path}`,
          new Set(Array.from(titles, ([, rules = '']) => rules.split(', ')).flat()),
        ] as const;
      })
      .concat([[TABLE, rulesOfTable(root)]]),
  );

/** The test that runs the table of cases. */
export const TABLE = 'test/conformance/in-process.test.ts';

const rulesOfTable = (root: string): Set<string> => {
  const code = ['src', 'test']
    .map((side) => join(root, side, 'conformance/cases'))
    .flatMap((folder) => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')))
    .join('');
  const rules = code.matchAll(/\b(?:promised|inferred|says)\('([A-Z\d ]+)'/g);
  return new Set(Array.from(rules, ([, names = '']) => names.split(' ')).flat());
};
