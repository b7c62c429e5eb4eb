/** What `cmd` and Windows would not understand, as far as it can be seen elsewhere. CI runs all tests on Windows too. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isScenarioName } from '../../src/engine/scenario/scenario.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

test.each(Object.entries(scripts))('cmd can run the script %s', (_name, script) => {
  for (const command of script.split(' && ')) {
    const [program = ''] = command.split(' ');
    const isKnown = ['node', 'npm'].includes(program) || existsSync(`node_modules/.bin/${program}`);
    expect([program, isKnown]).toEqual([program, true]); // so no `VARIABLE=value`, `rm`, `./file` or `sh`
    const words = command.replaceAll(/"[^"%]*"/g, 'quoted');
    expect(words).toMatch(/^[\w:=./ -]*$/); // so no ' ; | > $ % ^ & ` and no pattern that only a shell expands
  }
});

test.each([
  'con',
  'NUL',
  'Aux',
  'prn',
  'com1',
  'LPT9',
  'trailing.',
  'trailing ',
])('a scenario cannot be called "%s", since Windows has no such file', (name) => {
  expect(isScenarioName(name)).toBe(false);
});

test('names that only begin like a device are names', () => {
  for (const name of ['console', 'null', 'com10', 'auxiliary']) expect(isScenarioName(name)).toBe(true);
});
