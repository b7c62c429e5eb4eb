/** Finds a scenario file and the files that it extends, in the order in which the mock applies them. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { packageRoot } from '../contract/package-root.ts';
import { MOST_LEVELS_OF_SCENARIO } from '../core/limits.ts';
import { isJsonObject, valueAt } from '../core/object.ts';
import { didYouMean, listNames } from '../core/text.ts';
import type { Service } from '../service.ts';
import { checkShape } from './check.ts';
import { type AnyScenarioForm, isScenarioName } from './scenario.ts';
import { fileSource, Problems, ScenarioError, Source } from './source.ts';

export interface Places {
  readonly service: Service;
  /** The folder of the user's named scenarios. It is searched before the scenarios that come with the mock. */
  readonly fixturesDir: string;
  /** Paths in arguments and in messages are relative to this folder. */
  readonly workingDirectory: string;
  /** If true, only names of scenarios are accepted, no paths: network requests must not read arbitrary files. */
  readonly onlyFixtures?: boolean;
}

/** The scenario files with a default name in the working directory. The mock uses the first of them. */
export const ownFiles = (workingDirectory: string): readonly string[] =>
  ['ca-mock.yaml', 'ca-mock.yml', 'ca-mock.json']
    .map((name) => join(workingDirectory, name))
    .filter((file) => existsSync(file));

/** Of files with one name, the one with the last of these counts. */
const EXTENSIONS = ['.json', '.yml', '.yaml'];
const rankOf = (file: string): number => EXTENSIONS.indexOf(extname(file));

/** The files of the scenarios of folders, by name. A file hides files of the same name in earlier folders. */
const filesIn = (...folders: readonly string[]): ReadonlyMap<string, string> => {
  const files = folders.flatMap((folder) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((file) => rankOf(file) >= 0 && !file.endsWith('.schema.json'))
      .sort((one, other) => rankOf(one) - rankOf(other))
      .map((file): [string, string] => [basename(file, extname(file)), join(folder, file)]),
  );
  return new Map([...new Map(files)].sort());
};

/** The scenarios of a folder and of this package. */
const scenariosOf = (fixturesDir: string) => filesIn(join(packageRoot(), 'fixtures'), fixturesDir);

export const namesIn = (folder: string): readonly string[] => [...filesIn(folder).keys()];

/** Finds the file for a name, or for a path in a folder, or adds a problem. */
const findFile = (source: Source, folder: string, places: Places): string | undefined => {
  const named = String(source.value);
  const refuse = (message: string): undefined => source.problem([], message);
  if (/^[a-z]+:\/\//i.test(named))
    return refuse(`"${named}" is an address; save it as a file first, and give the path of that file`);
  if (isScenarioName(named)) {
    const known = scenariosOf(places.fixturesDir);
    const file = known.get(named);
    if (file !== undefined) return file;
    const names = [...known.keys()];
    const advice = didYouMean(named, names) || ` The scenarios are ${listNames(names)}.`;
    const path = places.onlyFixtures ? '' : ` The path of a file begins with ./, / or C:\\.`;
    return refuse(`there is no scenario "${named}".${advice}${path}`);
  }
  if (places.onlyFixtures)
    return refuse(`"${named}" is a path; only names of scenarios in the fixtures folder can be used here`);
  const file = resolve(folder, named);
  if (!existsSync(file)) return refuse(`there is no file ${shownName(file, places)}`);
  return statSync(file).isDirectory() ? refuse(`"${named}" is a folder; use the path of a file in it`) : file;
};

/** The name of a file as messages show it. */
const shownName = (file: string, { workingDirectory }: Places): string => {
  const inside = relative(workingDirectory, file);
  return inside.startsWith('..') || isAbsolute(inside) ? file : inside;
};

/**
 * The file for a name or path in the last of a chain of files, each of which extends the next. A file can extend any
 * other file; a scenario in a request only named scenarios (`onlyFixtures`).
 */
const fileFor = (named: Source, chain: readonly string[], places: Places): string | undefined => {
  const by = chain.at(-1);
  const folder = by === undefined ? places.workingDirectory : dirname(by);
  const onlyFixtures = by === undefined && Boolean(places.onlyFixtures);
  const file = findFile(named, folder, { ...places, onlyFixtures });
  if (file === undefined || !chain.includes(file)) return file;
  const circle = [...chain.slice(chain.indexOf(file)), file].map((each) => shownName(each, places));
  return named.problem([], `the file extends itself: ${circle.join(' -> ')}`);
};

/**
 * Collects a scenario and everything that it extends.
 * @returns the sources in the order in which the mock applies them, and the files that were read
 * @param from a name, a path, or a scenario as an object
 * @throws ScenarioError that lists missing files, and everything that breaks the schema or a limit
 */
export const collectSources = (from: string | object, places: Places) => {
  const problems = new Problems();
  const sources: Source[] = [];
  const files = new Set<string>();
  const visitNamed = (named: Source, chain: readonly string[]): void => {
    const file = fileFor(named, chain, places);
    if (file === undefined || files.has(file)) return; // a file that several files extend is applied once, before all of them
    files.add(file);
    const source = fileSource(file, shownName(file, places), problems);
    if (source) visit(source, [...chain, file]);
  };
  const visit = (source: Source, chain: readonly string[]): void => {
    for (const extended of extendedBy(source))
      if (isJsonObject(extended.value)) visit(extended, chain);
      else if (typeof extended.value === 'string' && extended.value !== '') visitNamed(extended, chain);
    sources.push(source);
  };
  const start = typeof from === 'object' ? visit : visitNamed;
  start(new Source(from, { problems }), []);
  checkShape(places.service, sources, 'scenario');
  problems.throwIfAny();
  return { sources: sources as Source<AnyScenarioForm>[], files: [...files], problems };
};

/** What stands in `extends` of a source: names, paths, scenarios, and what the schema check will refuse. */
const extendedBy = (source: Source): readonly Source[] => {
  if (source.at.length > MOST_LEVELS_OF_SCENARIO) return []; // `checkData` reports scenarios that are nested too deeply
  const named = source.part('extends');
  return Array.isArray(named.value) ? named.value.map((_, index) => named.part(index)) : [named];
};

/**
 * Reads a scenario file, and all that it extends, into one object, since a remote mock cannot read local files. A
 * name in `extends` means a file in the same folder or a scenario that comes with this package.
 * @throws ScenarioError that lists what breaks the schema; the remote mock reports all other problems
 */
export const inlineScenario = (service: Service, named: string): AnyScenarioForm => {
  const places = { service, fixturesDir: dirname(resolve(named)), workingDirectory: process.cwd() };
  const { sources } = collectSources(named, places);
  const forms = sources.map(({ value: { extends: _extends, ...form } }) => form);
  return { ...forms.at(-1), extends: forms.slice(0, -1) };
};

export const listScenarios = (fixturesDir: string) =>
  Array.from(scenariosOf(fixturesDir), ([name, file]) => ({ name, description: describeScenario(file) }));

/** The description in a scenario file. Empty if the file has no description or cannot be read. */
export const describeScenario = (file: string): string => {
  try {
    const description = valueAt(fileSource(file, file, new Problems())?.value, 'description');
    return typeof description === 'string' ? description : '';
  } catch (error) {
    if (error instanceof ScenarioError) return '';
    throw error;
  }
};
