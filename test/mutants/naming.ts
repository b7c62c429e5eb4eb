/** Which tests name which rule, read from the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from './rules.ts';

/** A title such as `behaviour M6, T9: a pending invite ...`. */
const TITLE = /behaviour ([A-Z]\d+(?:, [A-Z]\d+)*)/g;

/** Not run against mutants: started on their own, or starting whole runs of jest themselves. */
const APART = /^(?:browser|clients|package|bench|mutants)[/]|^control[/]workers[.]long[.]ts$/;

export interface NamingTest {
  /** From the root. */
  readonly file: string;
  readonly rules: readonly string[];
}

/** Every title that names a rule, once for each place where it is written. @param root of the repository */
export const findNamingTests = (root: string): readonly NamingTest[] =>
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /[.](?:test|long)[.]ts$/.test(path) && !APART.test(path))
    .sort()
    .flatMap((path) => {
      const file = `test/${path}`;
      const text = readFileSync(join(root, file), 'utf8').replace(/^ *(?:\/?\*|\/\/).*$/gm, '');
      return [...text.matchAll(TITLE)].map(([, named = '']) => ({ file, rules: named.split(', ') }));
    });

/** What finds the titles that name a rule, for jest's `-t`. */
export const titlePattern = (rule: Rule): string => `behaviour (?:[A-Z]\\d+, )*${rule}\\b`;
