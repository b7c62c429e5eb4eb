/** How it is proved, in figures: the table of src/guide/proof.md. */
import type { Need } from '../../src/verify/case.ts';
import { SUITE } from '../../src/verify/suite.ts';
import { MUTANTS } from './mutants.ts';
import { findNamingTests, suiteOf } from './naming.ts';
import { RULES } from './rules.ts';

type Row = readonly [string, string];

/** Rows of Markdown, each ended. */
const markdown = (rows: readonly Row[]): string => rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const isForMock = (need: Need): boolean => need === 'control' || need === 'person';

/** How many there are of what. @param root of the repository */
export const figureTable = (root: string): string => {
  const cases = SUITE.flatMap((area) => area.cases);
  const promised = cases.filter(({ basis }) => basis === 'promised').length;
  return markdown([
    ['what', 'how many'],
    ['---', '---'],
    ...ruleRows(root),
    ['conformance cases', `${cases.length}: ${promised} promised, ${cases.length - promised} inferred`],
    ['of these, that need no control plane', `${cases.filter(({ needs }) => !needs.some(isForMock)).length}`],
    ['rules that a conformance case names', `${RULES.filter((rule) => suiteOf(rule).length > 0).length}`],
    ['mutants, each caught by a test that names its rule', `${MUTANTS.length}`],
    [
      'of these also caught by a conformance case',
      `${MUTANTS.filter(({ unseen }) => unseen === undefined).length}`,
    ],
  ]);
};

const ruleRows = (root: string): readonly Row[] => {
  const named = new Set(findNamingTests(root).flatMap(({ rules }) => rules));
  const kept = RULES.filter((rule) => named.has(rule)).length;
  return [['rules of behaviour, each named by a test', `${kept} of ${RULES.length}`]];
};
