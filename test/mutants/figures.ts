/** How it is proved, in figures: the table of the README. */
import type { Case, Need } from '../../src/verify/case.ts';
import { PROMISES, UNTESTED } from '../../src/verify/promises.ts';
import { SUITE } from '../../src/verify/suite.ts';
import { MUTANTS } from './mutants.ts';
import { findNamingTests } from './naming.ts';
import { RULES } from './rules.ts';

type Row = readonly [string, string];

/** Rows of Markdown, each ended. */
const markdown = (rows: readonly Row[]): string => rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const citesOf = (cases: readonly Case[]): ReadonlySet<string> => new Set(cases.flatMap(({ cites }) => cites));

const isForMock = (need: Need): boolean => need === 'control' || need === 'person';

/** How many there are of what. @param root of the repository */
export const figureTable = (root: string): string => {
  const cases = SUITE.flatMap((area) => area.cases);
  const promised = cases.filter(({ basis }) => basis === 'promised').length;
  return markdown([
    ['what', 'how many'],
    ['---', '---'],
    ...ruleRows(root),
    ...promiseRows(cases),
    ['conformance cases', `${cases.length}: ${promised} promised, ${cases.length - promised} inferred`],
    ['rules that a conformance case cites', `${RULES.filter((rule) => citesOf(cases).has(rule)).length}`],
    ['mutants, each caught by a test that names its rule', `${MUTANTS.length}`],
    [
      'of these also caught by a conformance case',
      `${MUTANTS.filter(({ unseen }) => unseen === undefined).length}`,
    ],
  ]);
};

const ruleRows = (root: string): readonly Row[] => {
  const tests = findNamingTests(root);
  const named = new Set(tests.flatMap(({ rules }) => rules));
  const kept = RULES.filter((rule) => named.has(rule)).length;
  return [
    ['rules of behaviour, each named by a test', `${kept} of ${RULES.length}`],
    ['tests that name a rule', `${tests.length}`],
  ];
};

const promiseRows = (cases: readonly Case[]): readonly Row[] => {
  const cited = (by: readonly Case[]): number => {
    const cites = citesOf(by);
    return PROMISES.filter(({ id }) => cites.has(id)).length;
  };
  const anywhere = cases.filter(({ needs = [] }) => !needs.some(isForMock));
  return [
    [
      'promises of the description, each cited by a conformance case',
      `${cited(cases)} of ${PROMISES.length}`,
    ],
    ['of these, by a case that needs no control plane', `${cited(anywhere)}`],
    ['promises that no case can hold a server to', `${UNTESTED.size}`],
  ];
};
