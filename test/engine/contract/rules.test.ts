/** Every rule that code, contract, README or tests cite is in `src/RULES.md`, once, as a link target. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packageRoot } from '../../../src/engine/contract/package-root.ts';

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
const targets = [...read('src/RULES.md').matchAll(/<a id="([A-Z]\d+)"><\/a>/g)].map(([, rule]) => rule ?? '');

test('each rule is defined once', () => {
  expect(targets.length).toBeGreaterThan(50);
  expect(targets.filter((rule, index) => targets.indexOf(rule) !== index)).toEqual([]);
});

test('each citation names an existing rule', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'test', 'openapi.yaml', 'README.md'], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  const known = new Set(targets);
  const unknown = files
    .split('\n')
    .filter((file) => /\.(ts|tsx|yaml|md)$/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/\bbehaviour ((?:[A-Z]\d+)(?:(?:, | and |, and |-)[A-Z]\d+)*)/g)].flatMap(
        ([, rules = '']) =>
          (rules.match(/[A-Z]\d+/g) ?? [])
            .filter((rule) => !known.has(rule))
            .map((rule) => `${file}: ${rule}`),
      ),
    );
  expect(unknown).toEqual([]);
});

/** A rule's number in a text. */
const CODE = /\b[TREIAVCPMLX]\d{1,2}\b/g;

test('each rule that the contract names has a text, and the contract links to it', () => {
  const contract = read('openapi.yaml');
  const known = new Set(targets);
  expect((contract.match(CODE) ?? []).filter((code) => !known.has(code))).toEqual([]);
  expect(contract).toContain('/_mock/guide/rules#a5');
});

test("the scenario schema and the control plane's document do not cite rules", () => {
  for (const file of [
    'fixtures/scenario.schema.json',
    'src/engine/control/control.yaml',
    'src/console/console.yaml',
  ])
    expect([file, read(file).match(CODE)]).toEqual([file, null]);
});
