/** Environments that survive a restart (`saveDir`): each as a scenario file, written soon after it changed. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { monotonicNow, parseTimestamp, toTimestamp } from '../core/clock.ts';
import { parseJson } from '../core/object.ts';
import {
  type Environment,
  type EnvironmentState,
  initialState,
  readNow,
} from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { startOfCopy } from '../environments/lifecycle.ts';
import { isJsonObject } from '../openapi/document.ts';
import { writeExport } from '../scenario/export.ts';
import { loadScenario } from '../scenario/scenario.ts';
import { describe, type Log } from './log.ts';
import { lockFolder, writeWhole } from './save-folder.ts';
import type { ScenarioLoader } from './scenario.ts';

interface SaveFolder {
  readonly folder: string;
  readonly environments: Environments;
  readonly loader: ScenarioLoader;
  readonly log: Log;
  /** The state in the file of each environment, by the environment's name. */
  readonly written: Map<string, EnvironmentState>;
  /** Why an environment could not be saved, by the environment's name. */
  readonly failures: Map<string, string>;
}

/** The least milliseconds between two saves. */
const PAUSE = 1_000;
/** A pause is at least this many times as long as the save before it, so that calls get their share of time. */
const SHARE = 4;

const ENDING = '.json';
/** The ending of a file's name while the file is being written. */
const UNFINISHED = `${ENDING}.new`;

/**
 * Restores the environments that an earlier mock saved in the folder, and saves there from now on: at most once a
 * second, and at the end. A file that cannot be restored is reported and renamed, so that a person can look at it.
 * @returns a function that saves the last changes and stops saving
 * @throws Error if the folder cannot be written, or another mock uses it
 */
export const keepSaved = (place: Pick<SaveFolder, 'folder' | 'environments' | 'loader' | 'log'>) => {
  const folder = resolve(place.folder);
  const all: SaveFolder = { ...place, folder, written: new Map(), failures: new Map() };
  const unlock = lockFolder(folder);
  // Environments of a scenario get a file only when they change.
  for (const { name, current } of place.environments.byId.values()) all.written.set(name, current);
  for (const file of readdirSync(folder)) {
    if (file.endsWith(UNFINISHED)) rmSync(join(folder, file), { force: true, recursive: true });
    if (file.endsWith(ENDING)) takeUp(all, file);
  }
  const endSaving = saveRepeatedly(all);
  return async (): Promise<void> => {
    await endSaving();
    unlock();
  };
};

const takeUp = (place: SaveFolder, file: string): void => {
  const path = join(place.folder, file);
  try {
    const environment = restore(place, path);
    place.written.set(environment.name, environment.current);
  } catch (error) {
    const aside = freeName(`${path}.unreadable`);
    renameSync(path, aside);
    place.log({ event: 'not_restored', file: aside, message: `${file}: ${describe(error)}` });
  }
};

/** A path that does not exist yet, so that files renamed earlier stay. */
const freeName = (path: string): string => {
  let free = path;
  for (let n = 2; existsSync(free); n += 1) free = `${path}-${n}`;
  return free;
};

/**
 * Restores the environment of a file.
 * @throws ScenarioError, or Refusal if another environment has one of the file's names, ids or credentials
 */
const restore = ({ environments, loader }: SaveFolder, path: string): Environment => {
  // A random seed, because the old seed would draw the same ids a second time.
  const options = { fixturesDir: '', workingDirectory: '', seed: 'random' } as const;
  // Read here, since saved files may be larger than other scenario files.
  const { environments: saved, description } = loadScenario(readObject(path), options);
  const [initial] = saved;
  if (!initial) throw new Error('There is no environment in it.');
  const { start, copiedFrom, scenario: name } = readOrigin(description);
  const state = { ...initialState(initial), ...(start !== undefined && { start }) };
  const existing = environments.byId.get(initial.id);
  if (existing) {
    environments.change(existing, state);
    return existing;
  }
  const scenario = loader.list().some((one) => one.name === name) ? loader.load(name) : environments.scenario;
  const added = environments.add({ initial, scenario: scenario.name, copiedFrom }, true);
  // A reset returns to the start that the environment had, not to the saved state.
  added.initial = startOfCopy(scenario, added);
  environments.change(added, state);
  return added;
};

/** Reads a file. The platform's own error message would quote the file, and with it credentials. */
const readObject = (path: string): object => {
  const value = parseJson(readFileSync(path, 'utf8'));
  if (isJsonObject(value)) return value;
  throw new Error('the file is not a JSON object');
};

/**
 * Describes what a scenario cannot hold: the start from which relative times count, and the origin of the environment.
 */
const describeOrigin = ({ name, copiedFrom = name, scenario, current }: Environment): string =>
  `Saved by ca-mock. Started ${toTimestamp(current.start)} as ${copiedFrom} of ${scenario}`;

const readOrigin = (description: string) => {
  const [, start = '', copiedFrom, scenario] = /Started (\S+) as (\S+) of (.+)$/s.exec(description) ?? [];
  return { start: parseTimestamp(start), copiedFrom, scenario };
};

/** Saves now and then until it is ended. @returns a function that saves the last changes and stops saving */
const saveRepeatedly = (place: SaveFolder): (() => Promise<void>) => {
  let timer: NodeJS.Timeout;
  let saving = Promise.resolve();
  const startTimer = (ms: number): void => {
    timer = setTimeout(() => {
      const startedAt = monotonicNow();
      saving = save(place).then(() => startTimer(Math.max(PAUSE, SHARE * (monotonicNow() - startedAt))));
    }, ms).unref();
  };
  startTimer(PAUSE);
  return async () => {
    await saving;
    clearTimeout(timer);
    await save(place);
  };
};

/** Writes changes, and everything that could not be written before. */
const save = async (place: SaveFolder): Promise<void> => {
  const { environments, written, folder } = place;
  for (const environment of environments.byId.values()) {
    const { name, current } = environment;
    if (written.get(name) === current) continue;
    await attempt(place, name, async () => {
      await write(join(folder, name + ENDING), environment);
      written.set(name, current);
    });
  }
  for (const name of written.keys())
    if (!environments.find(name))
      await attempt(place, name, async () => {
        await rm(join(folder, name + ENDING), { force: true });
        written.delete(name);
      });
};

/** Reports a failure, such as a full disk, only once, however often the step is tried; the mock goes on. */
const attempt = async (
  { log, folder, failures }: SaveFolder,
  name: string,
  step: () => Promise<void>,
): Promise<void> => {
  try {
    await step();
    failures.delete(name);
  } catch (error) {
    const message = describe(error);
    if (failures.get(name) !== message)
      log({ event: 'not_saved', file: join(folder, name + ENDING), message });
    failures.set(name, message);
  }
};

const write = async (file: string, environment: Environment): Promise<void> => {
  const { id, name, current } = environment;
  const content = { id, name, state: current.data, settings: current.settings, clock: current.clock };
  const at = { now: readNow(environment), start: current.start };
  const unfinished = file.slice(0, -ENDING.length) + UNFINISHED;
  await writeWhole(file, unfinished, writeExport(content, at, describeOrigin(environment)));
};
