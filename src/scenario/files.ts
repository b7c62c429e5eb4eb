/** Finding scenario files, and all that one extends, in the order in which they apply. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { didYouMean } from '../core/nearest.ts';
import { isScenarioName } from '../domain/scenario.ts';
import { isJsonObject } from '../openapi/document.ts';
import { packageRoot } from '../openapi/package-root.ts';
import { BODY_LIMITS, checkShape, extensionsOf, FILE_LIMITS, type Limits } from './check.ts';
import { DEEPEST } from './data.ts';
import type { Problems } from './problem.ts';
import type { ScenarioForm } from './sections/index.ts';
import { fileSource, objectSource, problemAt, type Source } from './source.ts';

/** Where scenarios are looked for. */
export interface Places {
  /** Folder of the scenarios that have names, before those that come with the package. */
  readonly fixturesDir: string;
  /** Paths are relative to it, in arguments and in messages. */
  readonly workingDirectory: string;
  /** Only scenarios that have names may be named: what came over the network names no files. */
  readonly onlyFixtures?: boolean;
}

/** A source that is a scenario. */
export interface ScenarioSource {
  readonly source: Source;
  readonly form: ScenarioForm;
}

/** One's own scenario, which a working directory may have; the first there is counts. */
export const OWN_FILES = ['ca-mock.yaml', 'ca-mock.yml', 'ca-mock.json'];

const EXTENSIONS = ['.yaml', '.yml', '.json'];

/** The folders of the scenarios that have names; of two with one name the first counts. */
const folders = (fixturesDir: string): readonly string[] => [
  ...new Set([fixturesDir, join(packageRoot(), 'fixtures')]),
];

/** Names of the scenarios there are, sorted: those of a folder and those that come with the package. */
export const scenarioNames = (fixturesDir: string): string[] =>
  [...new Set(folders(fixturesDir).flatMap(namesIn))].sort();

/** Names of the scenarios in a folder, sorted. */
export const namesIn = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => EXTENSIONS.includes(extname(file)) && !file.endsWith('.schema.json'))
    .map((file) => basename(file, extname(file)))
    .sort();

/** The file that a name or path means, or why it means none. @param folder that paths are relative to */
export const findFile = (
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
  return existsSync(file) && !statSync(file).isDirectory()
    ? { file }
    : { problem: `there is no file ${shownName(file, places)}` };
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

/** Sources in the order in which they apply, and the files among them. What is wrong with any goes to `problems`. */
export interface Collected {
  readonly sources: readonly ScenarioSource[];
  readonly files: readonly string[];
}

/** A scenario file, or a scenario that is an object, and all that it extends. */
export const collectSources = (
  from: { readonly file: string } | { readonly value: object },
  places: Places,
  problems: Problems,
): Collected => {
  const sources: ScenarioSource[] = [];
  const files = new Set<string>();
  const visitFile = (file: string, chain: readonly string[]): void => {
    if (files.has(file)) return; // one that two others extend is applied once, before both
    files.add(file);
    const source = fileSource(file, shownName(file, places), problems);
    if (source) visit(source, [...chain, file], FILE_LIMITS);
  };
  const visit = (source: Source, chain: readonly string[], limits: Limits): void => {
    checkShape(source, 'scenario', problems, limits);
    collect(source, chain);
  };
  const collect = (source: Source, chain: readonly string[]): void => {
    for (const each of extendedBy(source, chain, places, problems))
      if (typeof each === 'string') visitFile(each, chain);
      else collect(each, chain);
    // Nothing is done with it where it was not what the schema says.
    sources.push({ source, form: source.value as ScenarioForm });
  };
  if ('file' in from) visitFile(from.file, []);
  else visit(objectSource(from.value), [], places.onlyFixtures ? BODY_LIMITS : FILE_LIMITS);
  return { sources, files: [...files] };
};

/**
 * The files that a source names, and the scenarios that are written in it. A file that is missing, or leads back to the
 * source, is a problem where it is named.
 */
const extendedBy = (
  source: Source,
  chain: readonly string[],
  places: Places,
  problems: Problems,
): readonly (string | Source)[] => {
  const from = chain.at(-1);
  const { at = [], value } = source;
  if (!isJsonObject(value) || at.length > DEEPEST) return []; // one within itself was refused as too deep
  return extensionsOf(value).flatMap(({ each, step }): string | Source | [] => {
    if (isJsonObject(each)) return { ...source, value: each, at: [...at, ...step] };
    if (typeof each !== 'string' || each === '') return []; // no name, as the schema said
    // A file may extend any other; what came over the network may not.
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
