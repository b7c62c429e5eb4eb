/** The ledger of the description's promises against the cases that cite them. */
import { expect, test } from '@jest/globals';
import { PROMISES, UNTESTED } from '../../src/conformance/promises.ts';
import { SUITE } from '../../src/conformance/suite.ts';

const CITED = new Set<string>(SUITE.flatMap(({ cases }) => cases.flatMap(({ cites }) => cites)));

test('every promise of the description is cited by a case, or says why no case can hold a server to it', () => {
  expect(PROMISES.filter(({ id }) => !CITED.has(id) && !UNTESTED.has(id)).map(({ id }) => id)).toEqual([]);
});

test('a promise that a case cites is not excused as well', () => {
  expect([...UNTESTED.keys()].filter((id) => CITED.has(id))).toEqual([]);
});
