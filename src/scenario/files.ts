/** Finds a scenario file and the files that it extends, in the order in which the mock applies them. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { valueAt } from '../core/object.ts';
import { didYouMean, listNames } from '../core/text.ts';
import { isScenarioName } from '../domain/scenario.ts';
import { isJsonObject } from '../openapi/document.ts';
import { packageRoot } from '../openapi/package-root.ts';
import { BODY_LIMITS, checkShape, FILE_LIMITS } from './check.ts';
import { createProblems, type Problems, ScenarioError } from './problem.ts';
import type { ScenarioForm } from './sections/index.ts';
import { fileSource, objectSource, problemAt, type Source } from './source.ts';
import { DEEPEST } from './yaml.ts';

/** Where to look for scenarios. */
export interface Places {
  /** The folder of named scenarios, searched before the package. */
  readonly fixturesDir: string;
  /** Paths in arguments and in messages are relative to this folder. */
  readonly workingDirectory: string;
  /** Accepts names of scenarios but not paths, because requests over the network must not name files. */
  readonly onlyFixtures?: boolean;
  /** Whether the caller read the object from a file. The limits for files then apply. */
  readonly isFromFile?: boolean;
}

/** A source that passed the checks, and the scenario in it. */
export interface ScenarioSource {
  readonly source: Source;
  readonly form: ScenarioForm;
}

/** File names of the user's own scenario in the working directory. The mock uses the first file that exists. */
export const OWN_FILES = ['ca-mock.yaml', 'ca-mock.yml', 'ca-mock.json'];

const EXTENSIONS = ['.yaml', '.yml', '.json'];

/** The folders of named scenarios. If two folders hold the same name, the mock uses the first folder. */
const folders = (fixturesDir: string): readonly string[] => [
  ...new Set([fixturesDir, join(packageRoot(), 'fixtures')]),
];

/** The names of all scenarios in a folder and in the package, sorted. */
const scenarioNames = (fixturesDir: string): string[] =>
  [...new Set(folders(fixturesDir).flatMap(namesIn))].sort();

/** Names of the scenarios in a folder, sorted. */
export const namesIn = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => EXTENSIONS.includes(extname(file)) && !file.endsWith('.schema.json'))
    .map((file) => basename(file, extname(file)))
    .sort();

/** Finds the file of a name or path, or says why it cannot be used. @param folder paths are relative to this folder */
const findFile = (
  named: string,
  folder: string,
  places: Places,
): { readonly file: string } | { readonly problem: string } => {
  if (isScenarioName(named)) {
    const file = findNamed(named, folders(places.fixturesDir));
    return file === undefined ? { problem: noSuchName(named, folder, places) } : { file };
  }
  if (places.onlyFixtures)
    return { problem: `"${named}" is a path; only names of the fixtures folder can be used here` };
  const file = isAbsolute(named) ? named : resolve(folder, named);
  if (!existsSync(file)) return { problem: `there is no file ${shownName(file, places)}` };
  return statSync(file).isDirectory() ? { problem: `"${named}" is a folder; name a file in it` } : { file };
};

/** @throws ScenarioError if the file does not exist */
export const requireFile = (named: string, places: Places): string => {
  const found = findFile(named, resolve(places.workingDirectory), places);
  if ('file' in found) return found.file;
  throw new ScenarioError([{ path: '', message: found.problem }]);
};

const findNamed = (name: string, among: readonly string[]): string | undefined =>
  among
    .flatMap((folder) => EXTENSIONS.map((extension) => join(folder, name + extension)))
    .find((file) => existsSync(file));

const noSuchName = (named: string, folder: string, { fixturesDir, onlyFixtures }: Places): string => {
  const beside = onlyFixtures ? undefined : findNamed(named, [folder]);
  const names = scenarioNames(fixturesDir);
  const advice = beside
    ? ` Did you mean the file "./${basename(beside)}"?`
    : didYouMean(named, names) || ` There are ${listNames(names)}.`;
  return `there is no scenario "${named}".${advice}`;
};

/** The name of a file in messages. */
const shownName = (file: string, { workingDirectory }: Places): string => {
  const inside = relative(workingDirectory, file);
  return inside.startsWith('..') || isAbsolute(inside) ? file : inside;
};

/** A scenario file, or a scenario that is an object. */
export type FileOrValue = { readonly file: string } | { readonly value: object };

/** The sources in the order in which the mock applies them, and the files that it read. */
interface Collected {
  readonly sources: readonly ScenarioSource[];
  readonly files: readonly string[];
}

/** Collects a scenario and everything that it extends. @throws ScenarioError with every problem of shape */
export const collectSources = (from: FileOrValue, places: Places): Collected => {
  const problems = createProblems();
  const sources: Source[] = [];
  const files = new Set<string>();
  const visitFile = (file: string, chain: readonly string[]): void => {
    if (files.has(file)) return; // if two files extend this file, it applies once, before both
    files.add(file);
    const source = fileSource(file, shownName(file, places), problems);
    if (source) visit(source, [...chain, file]);
  };
  const visit = (source: Source, chain: readonly string[]): void => {
    for (const each of extendedBy(source, chain, places, problems))
      if (typeof each === 'string') visitFile(each, chain);
      else visit(each, chain);
    sources.push(source);
  };
  if ('file' in from) visitFile(from.file, []);
  else visit(objectSource(from.value), []);
  const isFile = ({ file }: Source): boolean =>
    file !== undefined || !places.onlyFixtures || places.isFromFile === true;
  checkShape(sources.filter(isFile), 'scenario', problems, FILE_LIMITS);
  checkShape(
    sources.filter((source) => !isFile(source)),
    'scenario',
    problems,
    BODY_LIMITS,
  );
  problems.throwIfAny();
  // `checkShape` has checked every source.
  return {
    sources: sources.map((source) => ({ source, form: source.value as ScenarioForm })),
    files: [...files],
  };
};

/** The files and scenarios that a source extends. Adds a problem if a file is missing, or if it extends this source in turn. */
const extendedBy = (
  source: Source,
  chain: readonly string[],
  places: Places,
  problems: Problems,
): readonly (string | Source)[] => {
  const from = chain.at(-1);
  const { at = [] } = source;
  const named = valueAt(source.value, 'extends') ?? [];
  if (at.length > DEEPEST) return []; // `checkData` refuses a scenario that contains itself
  return [named].flat().flatMap((each: unknown, index): string | Source | [] => {
    const step = Array.isArray(named) ? ['extends', index] : ['extends'];
    if (isJsonObject(each)) return { ...source, value: each, at: [...at, ...step] };
    if (typeof each !== 'string' || each === '') return []; // the schema refuses it
    // A file may extend any other file; a request over the network may not.
    const found = from
      ? findFile(each, dirname(from), { ...places, onlyFixtures: false })
      : findFile(each, places.workingDirectory, places);
    if ('file' in found && !chain.includes(found.file)) return found.file;
    const message = 'problem' in found ? found.problem : circle(chain, found.file, places);
    problems.add(problemAt(source, step, message));
    return [];
  });
};

const circle = (chain: readonly string[], file: string, places: Places): string =>
  `the file extends itself: ${[...chain.slice(chain.indexOf(file)), file].map((each) => shownName(each, places)).join(' -> ')}`;

/**
 * Reads a scenario file, and everything it extends, into one object for a remote mock, which cannot read local files. A
 * name in `extends` means a file in the same folder or a scenario of the package.
 * @throws ScenarioError with every problem of shape; the remote mock reports the problems of meaning
 */
export const inlineScenario = (named: string): ScenarioForm => {
  const workingDirectory = process.cwd();
  const places = { fixturesDir: dirname(resolve(named)), workingDirectory };
  const { sources } = collectSources({ file: requireFile(named, places) }, places);
  const forms = sources.map(({ form: { extends: _extends, ...form } }) => form);
  return { ...forms.at(-1), extends: forms.slice(0, -1) };
};

export interface ListedScenario {
  readonly name: string;
  /** Empty if the file has no description or cannot be read. */
  readonly description: string;
}

/** Names and descriptions of the scenarios in a folder and in the package, sorted by name. Does not validate them. */
export const listScenarios = (fixturesDir: string): readonly ListedScenario[] =>
  scenarioNames(fixturesDir).map((name) => {
    const file = findNamed(name, folders(fixturesDir));
    return { name, description: file === undefined ? '' : describeScenario(file) };
  });

/** The description in a scenario file. Empty if the file has no description or cannot be read. */
export const describeScenario = (file: string): string => {
  try {
    const description = valueAt(fileSource(file, file, createProblems())?.value, 'description');
    return typeof description === 'string' ? description : '';
  } catch (error) {
    if (error instanceof ScenarioError) return '';
    throw error;
  }
};
