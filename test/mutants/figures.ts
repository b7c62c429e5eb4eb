/** How it is proved, in figures: the table of src/guide/proof.md. */
import { MUTANTS } from './mutants.ts';
import { findNamingTests } from './naming.ts';
import { RULES } from './rules.ts';

type Row = readonly [string, string];

/** Rows of Markdown, each ended. */
const markdown = (rows: readonly Row[]): string => rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** Counts tests, rules and the like. @param root of the repository */
export const figureTable = (root: string): string =>
  markdown([
    ['what', 'how many'],
    ['---', '---'],
    ...ruleRows(root),
    ['mutants, each caught by a test that names its rule', `${MUTANTS.length}`],
  ]);

const ruleRows = (root: string): readonly Row[] => {
  const named = new Set(findNamingTests(root).flatMap(({ rules }) => rules));
  const kept = RULES.filter((rule) => named.has(rule)).length;
  return [['rules of behaviour, each named by a test', `${kept} of ${RULES.length}`]];
};
