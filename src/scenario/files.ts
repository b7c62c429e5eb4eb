/** Finding scenario files, and all that one extends, in the order in which they apply. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { didYouMean } from '../core/nearest.ts';
import { checkSource } from './check.ts';
import type { Faults } from './fault.ts';
import { faultAt, objectSource, type Source, textSource } from './source.ts';
import type { ScenarioForm } from './written.ts';

/** Where scenarios are looked for. */
export interface Places {
  /** Folder of the scenarios that have names. */
  readonly fixturesDir: string;
  /** Paths are relative to it, in arguments and in messages. */
  readonly workingDirectory: string;
  /** Only scenarios of the fixtures folder may be named: what came over the network names no files. */
  readonly onlyFixtures?: boolean;
}

/** A source whose value, as far as it could be read, is a scenario. */
export interface ScenarioSource {
  readonly source: Source;
  readonly form: ScenarioForm;
}

/** One's own scenario, which a working directory may have; the first there is counts. */
export const OWN_FILES = ['ca-mock.yaml', 'ca-mock.yml', 'ca-mock.json'];

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Names of the scenarios in a folder, sorted. */
export const scenarioNames = (fixturesDir: string): string[] =>
  existsSync(fixturesDir)
    ? readdirSync(fixturesDir)
        .filter((file) => EXTENSIONS.includes(extname(file)) && !file.endsWith('.schema.json'))
        .map((file) => basename(file, extname(file)))
        .sort()
    : [];

/** The file that a name or path means, or why it means none. @param folder that paths are relative to */
export const findFile = (
  named: string,
  folder: string,
  places: Places,
): { file: string } | { problem: string } => {
  if (NAME.test(named)) {
    const file = EXTENSIONS.map((extension) => join(places.fixturesDir, named + extension)).find(existsSync);
    if (file) return { file };
    const names = scenarioNames(places.fixturesDir);
    const advice = didYouMean(named, names) || ` There are ${names.join(', ') || 'none'}.`;
    return { problem: `there is no scenario "${named}".${advice}` };
  }
  if (places.onlyFixtures) {
    return { problem: `"${named}" is a path; only names of the fixtures folder can be used here` };
  }
  const file = isAbsolute(named) ? named : resolve(folder, named);
  const isFile = existsSync(file) && statSync(file).isFile();
  return isFile ? { file } : { problem: `there is no file ${shownName(file, places)}` };
};

/** How messages name a file. */
export const shownName = (file: string, { workingDirectory }: Places): string => {
  const inside = relative(workingDirectory, file);
  return inside.startsWith('..') || isAbsolute(inside) ? file : inside;
};

/** Sources in the order in which they apply, and the files among them. What is wrong with any goes to `faults`. */
export interface Collected {
  readonly sources: readonly ScenarioSource[];
  readonly files: readonly string[];
}

/** A scenario file and all it extends. */
export const collectFile = (file: string, places: Places, faults: Faults): Collected =>
  collect((visit) => visit(file, []), places, faults);

/** A scenario that is an object, and all it extends. */
export const collectObject = (value: unknown, places: Places, faults: Faults): Collected =>
  collect((_, visitSource) => visitSource(objectSource(value, faults), []), places, faults);

type Visit = (file: string, chain: readonly string[]) => void;
type VisitSource = (source: Source, chain: readonly string[]) => void;

const collect = (
  start: (visit: Visit, visitSource: VisitSource) => void,
  places: Places,
  faults: Faults,
): Collected => {
  const sources: ScenarioSource[] = [];
  const files = new Set<string>();
  const visit: Visit = (file, chain) => {
    if (files.has(file)) return; // one that two others extend is applied once, before both
    files.add(file);
    visitSource(textSource(shownName(file, places), readFileSync(file, 'utf8'), faults), [...chain, file]);
  };
  const visitSource: VisitSource = (read, chain) => {
    const source = checkSource(read, 'scenario', faults);
    const form = source.value as ScenarioForm; // just checked
    for (const file of extendedFiles({ source, form }, chain, places, faults)) visit(file, chain);
    sources.push({ source, form });
  };
  start(visit, visitSource);
  return { sources, files: [...files] };
};

/** The files that a source names; one that is missing or that leads back to the source is a fault where it is named. */
const extendedFiles = (
  { source, form }: ScenarioSource,
  chain: readonly string[],
  places: Places,
  faults: Faults,
): readonly string[] => {
  const from = chain.at(-1);
  return [form.extends ?? []].flat().flatMap((named, index) => {
    if (named === '') return []; // something that is no name; that was told
    // A file may extend any other; what came over the network may not.
    const found = from
      ? findFile(named, dirname(from), { ...places, onlyFixtures: false })
      : findFile(named, places.workingDirectory, places);
    if ('file' in found && !chain.includes(found.file)) return found.file;
    const path = Array.isArray(form.extends) ? ['extends', index] : ['extends'];
    const message = 'problem' in found ? found.problem : circle(chain, found.file, places);
    if ('problem' in found) faults.lost.addFile(undefined);
    faults.add(faultAt(source, path, message));
    return [];
  });
};

const circle = (chain: readonly string[], file: string, places: Places): string =>
  `the file extends itself: ${[...chain.slice(chain.indexOf(file)), file].map((each) => shownName(each, places)).join(' -> ')}`;
