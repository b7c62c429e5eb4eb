/** The patch of express-openapi-validator (.ci/patches): applied, and still needed. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const PATCH = read('.ci/patches/express-openapi-validator+5.6.2.patch');

/** Lines of the patch that begin with a sign, by the file they belong to. */
const linesOf = (sign: '+' | '-'): [file: string, line: string][] =>
  PATCH.split(/^diff --git a\//m)
    .slice(1)
    .flatMap((part) =>
      part
        .split('\n')
        .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
        .map((line): [string, string] => [part.split(' ', 1)[0] ?? '', line.slice(1)]),
    );

test('the patch is applied to the installed package', () => {
  for (const [file, line] of linesOf('+')) expect(read(file)).toContain(line);
  for (const [file, line] of linesOf('-')) expect(read(file).split('\n')).not.toContain(line);
});

test('the patch is for the installed version, and changes at most 30 lines', () => {
  const { version } = JSON.parse(read('node_modules/express-openapi-validator/package.json'));
  expect(version).toBe('5.6.2');
  expect(linesOf('+').length + linesOf('-').length).toBeLessThanOrEqual(30);
});
