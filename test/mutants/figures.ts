/** How it is proved, in figures: the table of the README. */
import { SECTIONS } from '../../src/conformance/case.ts';
import { SUITE } from '../../src/conformance/suite.ts';
import { MUTANTS } from './mutants.ts';
import { findNamingTests } from './naming.ts';
import { RULES } from './rules.ts';

/** Rows of Markdown, each ended. @param root of the repository */
export const figureTable = (root: string): string => {
  const cases = SUITE.flatMap((area) => area.cases);
  const cited = new Set<string>(cases.flatMap(({ cites }) => cites));
  const named = new Set(findNamingTests(root).flatMap(({ rules }) => rules));
  const promised = cases.filter(({ basis }) => basis === 'promised').length;
  const seen = MUTANTS.filter(({ unseen }) => unseen === undefined).length;
  return [
    ['what', 'how many'],
    ['---', '---'],
    [
      'rules of behaviour, each named by a test',
      `${RULES.filter((rule) => named.has(rule)).length} of ${RULES.length}`,
    ],
    ['tests that name a rule', `${findNamingTests(root).length}`],
    [
      'sections of the description, each cited by a conformance case',
      `${SECTIONS.filter((section) => cited.has(section)).length} of ${SECTIONS.length}`,
    ],
    ['conformance cases', `${cases.length}: ${promised} promised, ${cases.length - promised} inferred`],
    ['rules that a conformance case cites', `${RULES.filter((rule) => cited.has(rule)).length}`],
    ['mutants, each caught by a test that names its rule', `${MUTANTS.length}`],
    ['of these also caught by a conformance case', `${seen}`],
  ]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
};
