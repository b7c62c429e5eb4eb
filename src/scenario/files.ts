/** Finds scenario files and all that they extend, in the order in which they apply. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { didYouMean } from '../core/nearest.ts';
import { valueAt } from '../core/object.ts';
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
  /** Paths are relative to it, in arguments and in messages. */
  readonly workingDirectory: string;
  /** Accepts only names of scenarios: requests over the network must not name files. */
  readonly onlyFixtures?: boolean;
  /** The object was read from a file, so it may be as large as a file. */
  readonly isFromFile?: boolean;
}

/** A source that was checked, and its scenario. */
export interface ScenarioSource {
  readonly source: Source;
  readonly form: ScenarioForm;
}

/** The user's own scenario in the working directory; the first file that exists counts. */
export const OWN_FILES = ['ca-mock.yaml', 'ca-mock.yml', 'ca-mock.json'];

const EXTENSIONS = ['.yaml', '.yml', '.json'];

/** The folders of named scenarios. If two hold the same name, the first counts. */
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

/** The file that a name or path means, or the problem with it. @param folder that paths are relative to */
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

/** @throws ScenarioError if there is no such file */
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
    : didYouMean(named, names) || ` There are ${names.join(', ')}.`;
  return `there is no scenario "${named}".${advice}`;
};

/** How messages name a file. */
const shownName = (file: string, { workingDirectory }: Places): string => {
  const inside = relative(workingDirectory, file);
  return inside.startsWith('..') || isAbsolute(inside) ? file : inside;
};

/** A scenario file, or a scenario that is an object. */
export type FileOrValue = { readonly file: string } | { readonly value: object };

/** Sources in the order in which they apply, and the files that were read. */
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
    if (files.has(file)) return; // a file that two others extend applies once, before both
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
  // Each has passed the schema.
  return {
    sources: sources.map((source) => ({ source, form: source.value as ScenarioForm })),
    files: [...files],
  };
};

/** The files and scenarios that a source extends. Adds a problem if a file is missing or leads back to the source. */
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
 * A scenario file as one object, with everything it extends, for a remote mock that cannot read local files. It may
 * extend files in the same folder and scenarios of the package by name.
 * @throws ScenarioError with every problem of shape; the mock finds the problems of meaning
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
  /** Empty if the file has none or cannot be read. */
  readonly description: string;
}

/** Names and descriptions of the scenarios in a folder and in the package, sorted by name. Does not validate them. */
export const listScenarios = (fixturesDir: string): readonly ListedScenario[] =>
  scenarioNames(fixturesDir).map((name) => {
    const file = findNamed(name, folders(fixturesDir));
    return { name, description: file === undefined ? '' : describeScenario(file) };
  });

/** The description in a scenario file; empty if it has none or cannot be read. */
export const describeScenario = (file: string): string => {
  try {
    const description = valueAt(fileSource(file, file, createProblems())?.value, 'description');
    return typeof description === 'string' ? description : '';
  } catch (error) {
    if (error instanceof ScenarioError) return '';
    throw error;
  }
};
