/** A lane of hunt.ts: gets mutants as messages, and answers each with the names of the tests that fail. */
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
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runCLI } from 'jest';
import { findNamingFiles, type Mutant, mutate, readMutants, TABLE } from './mutants.ts';

const [, , root = ''] = process.argv;

/** Copies the repository to a temporary folder, where a mutant can do no harm, without what clients install meanwhile. */
const makeCopy = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mutant-')));
  for (const part of ['.ci', 'src', 'test', 'fixtures', 'openapi.yaml', 'package.json'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => basename(path) !== '.work',
    });
  // Only the packages are links, so that files that tests write below node_modules stay in the copy.
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
};

const copy = makeCopy();
process.chdir(copy);
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
process.once('disconnect', () => process.exit()); // though a test has left a server open
process.setMaxListeners(0); // each run of Jest adds some
const { jest } = JSON.parse(readFileSync('package.json', 'utf8'));
process.env.BUILD_PLUGIN = new URL('plugin.mjs', import.meta.url).href;
(await import(join(copy, jest.globalSetup.replace('<rootDir>', '.')))).default();
const config = JSON.stringify({ ...jest, globalSetup: undefined, rootDir: copy });
const { cache } = createRequire(import.meta.url);
const mutants = readMutants(copy);
const naming = [...findNamingFiles(copy)];

/** The files that name the rule of a mutant: the table of cases first, then those whose folder is most like its source's. */
const likelyFirst = ({ rule, file }: Mutant): readonly string[] => {
  const source = file.split('/').slice(1);
  const likeness = (path: string): number =>
    path === TABLE ? Number.POSITIVE_INFINITY : commonStart(path.split('/').slice(1), source);
  const files = naming.filter(([, rules]) => rules.has(rule)).map(([path]) => path);
  return files.sort((one, other) => likeness(other) - likeness(one));
};

const commonStart = (one: readonly string[], other: readonly string[]): number => {
  const end = one.findIndex((step, nth) => step !== other[nth]);
  return end === -1 ? one.length : end;
};

/**
 * Runs the tests that name the rule of a mutant, file by file until some fail. The build has the mutant already; here it is
 * for tests that import the source, and for the contract.
 */
const failingTests = async (number: number): Promise<readonly string[]> => {
  const mutant = mutants[number] as Mutant; // hunt.ts has the same list
  const sound = readFileSync(mutant.file, 'utf8');
  process.env.MUTANT = String(number);
  try {
    writeFileSync(mutant.file, mutate(sound, mutant));
    for (const path of likelyFirst(mutant)) {
      const names = await failuresIn(path, mutant.rule);
      if (names.length > 0) return names;
    }
  } catch (error) {
    console.error(error); // such as a mutant that does not fit its source
  } finally {
    writeFileSync(mutant.file, sound);
    for (const path of Object.keys(cache)) if (path.startsWith(copy)) delete cache[path];
  }
  return [];
};

/** If a test file cannot be loaded, no test fails, so a mutant that ends the mock at its start survives. */
const failuresIn = async (path: string, rule: string): Promise<readonly string[]> => {
  const options = {
    ...{ $0: 'jest', _: [path], config, runTestsByPath: true, testMatch: ['**/test/**/*.{test,long}.ts'] },
    ...{
      testNamePattern: `behaviour (?:[A-Z]\\d+, )*${rule}\\b`,
      runInBand: true,
      silent: true,
      reporters: [],
    },
  };
  const { testResults } = (await runCLI(options, [copy])).results;
  for (const { testExecError } of testResults) if (testExecError) console.error(testExecError);
  return testResults
    .flatMap((one) => one.testResults)
    .filter(({ status }) => status === 'failed')
    .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' › '));
};

process.on('message', async (number: number) => process.send?.(await failingTests(number)));
