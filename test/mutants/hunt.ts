/** Breaks one rule at a time in a copy of the repository, and prints the test that fails. run.mjs starts it. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findNamingFiles, type Mutant, mutate, readMutants } from './mutants.ts';

/** The number of mutants that run at the same time, each in its own copy of the repository. */
const LANES = 2;

/** Milliseconds after which a mutant that hangs is ended. */
const LONGEST = 300_000;

/** @returns the exit code: 0 if every mutant is caught, 1 if one survives, 2 for wrong arguments */
export const main = async (argv: readonly string[], root: string): Promise<number> => {
  const { values } = parseArgs({ args: [...argv], options: { only: { type: 'string', multiple: true } } });
  const wanted = values.only?.flatMap((rules) => rules.split(','));
  const mutants = readMutants(root).filter(({ rule }) => !wanted || wanted.includes(rule));
  if (mutants.length === 0) {
    console.error(`--only names no rule that has a mutant: ${wanted?.join(', ')}. Write it as --only A4,V2.`);
    return 2;
  }
  const waiting = mutants.values();
  let caught = 0;
  const lane = async (): Promise<void> => {
    const copy = makeCopy(root);
    for (const mutant of waiting) {
      const [test, ...others] = await failingTests(copy, mutant);
      if (test !== undefined) caught += 1;
      const more = others.length > 0 ? ` (${others.length} more)` : '';
      const found = test === undefined ? ['SURVIVES', ''] : ['caught  ', `\n    test: ${test}${more}`];
      console.log(`${found[0]} ${mutant.rule.padEnd(3)} ${mutant.breaks}${found[1]}`);
    }
    rmSync(copy, { recursive: true, force: true });
  };
  await Promise.all(Array.from({ length: Math.min(LANES, mutants.length) }, lane));
  console.log(`${caught} of ${mutants.length} mutants caught`);
  return caught === mutants.length ? 0 : 1;
};

/** Copies the repository to a temporary folder, where a mutant can do no harm. */
const makeCopy = (root: string): string => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'mutant-')));
  for (const part of ['.ci', 'src', 'test', 'fixtures', 'openapi.yaml', 'package.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  // Only the packages are links, so that files that tests write below node_modules stay in the copy.
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  return copy;
};

/**
 * Applies a mutant, and runs the tests that name its rule. If a test file cannot be loaded, no test fails, so a mutant
 * that does not compile survives.
 * @returns the full names of the tests that fail
 */
const failingTests = async (copy: string, mutant: Mutant): Promise<readonly string[]> => {
  const { rule } = mutant;
  const source = join(copy, mutant.file);
  const sound = readFileSync(source, 'utf8');
  writeFileSync(source, mutate(sound, mutant));
  const files = [...findNamingFiles(copy)].filter(([, rules]) => rules.has(rule)).map(([file]) => file);
  const args = [
    ...['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'],
    ...['node_modules/jest/bin/jest.js', '--testMatch', '**/test/**/*.{test,long}.ts', '--silent', '-i'],
    ...['--bail', '-t', `behaviour (?:[A-Z]\\d+, )*${rule}\\b`],
    ...['--runTestsByPath', ...files],
  ];
  const options = { cwd: copy, timeout: LONGEST, maxBuffer: 2 ** 28 };
  const printed = await new Promise<string>((done) => {
    execFile(process.execPath, args, options, (_failure, _stdout, stderr) => done(stderr));
  });
  writeFileSync(source, sound);
  return failuresIn(printed);
};

/** The names of the tests that failed, as jest prints them. */
const failuresIn = (printed: string): readonly string[] => {
  const names = [...printed.matchAll(/^ {2}● (.+)$/gm)].map(([, name = '']) => name);
  const broken = names.find((name) => name.endsWith(NOT_LOADED));
  if (broken !== undefined) console.error(`jest ended early: ${printed.slice(-2_000)}`);
  return [...new Set(names)].filter((name) => !name.endsWith(NOT_LOADED));
};

const NOT_LOADED = 'Test suite failed to run';
