/** Environments that survive a restart (`saveDir`): each as a scenario file, written soon after it changed. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseTimestamp, toTimestamp } from '../core/clock.ts';
import { defined } from '../core/object.ts';
import { writeClock } from '../domain/scenario.ts';
import { type Environment, readNow } from '../environments/environment.ts';
import { type EnvironmentState, initialState } from '../environments/environment-state.ts';
import {
  addEnvironment,
  changeState,
  type Environments,
  findEnvironment,
} from '../environments/environments.ts';
import { startOfCopy } from '../environments/lifecycle.ts';
import { exportEnvironment } from '../scenario/export.ts';
import { loadScenario } from '../scenario/scenario.ts';
import { writeScenario } from '../scenario/scenario-text.ts';
import { describe, type Log } from './log.ts';
import type { ScenarioLoader } from './scenario.ts';

/** What is known where environments are saved. */
interface SaveFolder {
  readonly folder: string;
  readonly environments: Environments;
  readonly loader: ScenarioLoader;
  readonly log: Log;
  /** What is in the file of each environment, by its name. */
  readonly written: Map<string, EnvironmentState>;
}

/** Real milliseconds between two looks for changes. */
const PAUSE = 1_000;

const ENDING = '.json';

/**
 * Takes up what an earlier mock saved in the folder, and saves there from now on: at most once a second, and at the end.
 * A file that cannot be taken up is reported and renamed, so that it can be looked at.
 * @returns writes what has changed since, and ends
 * @throws Error if the folder cannot be written
 */
export const keepSaved = (place: Omit<SaveFolder, 'written'>): (() => void) => {
  const written = new Map<string, EnvironmentState>();
  const folder = resolve(place.folder);
  const all: SaveFolder = { ...place, folder, written };
  requireFolder(folder);
  // What a scenario gives has no file until it changes.
  for (const { name, current } of place.environments.byId.values()) written.set(name, current);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(ENDING))) takeUp(all, file);
  const timer = setInterval(() => save(all), PAUSE).unref();
  return () => {
    clearInterval(timer);
    save(all);
  };
};

/** @throws Error that names the folder, if nothing can be written there */
const requireFolder = (folder: string): void => {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The folder ${folder} cannot be written, so nothing can be saved there: ${describe(error)}`,
    );
  }
};

/** Step by step: node's own `recursive` never ends below a folder such as /proc, where nothing can be made. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
};

const takeUp = (place: SaveFolder, file: string): void => {
  const path = join(place.folder, file);
  try {
    const environment = restore(place, path);
    place.written.set(environment.name, environment.current);
  } catch (error) {
    renameSync(path, `${path}.unreadable`);
    place.log({ event: 'not_restored', file: `${path}.unreadable`, message: describe(error) });
  }
};

/** @throws ScenarioError, or Refusal if something of it belongs to another environment */
const restore = ({ environments, loader }: SaveFolder, path: string): Environment => {
  // Seeded by chance: the start of the old sequence would be drawn a second time.
  const options = { fixturesDir: '', workingDirectory: '', seed: 'random' } as const;
  const { environments: saved, description } = loadScenario(path, options);
  const [initial] = saved;
  if (!initial) throw new Error('There is no environment in it.');
  const { start, copiedFrom, scenario: name } = readOrigin(description);
  const state = { ...initialState(initial), ...(start !== undefined && { start }) };
  const existing = environments.byId.get(initial.id);
  if (existing) {
    changeState(environments, existing, state);
    return existing;
  }
  const scenario = loader.list().some((one) => one.name === name) ? loader.load(name) : environments.scenario;
  const added = addEnvironment(environments, initial, {
    scenario: scenario.name,
    isRuntime: true,
    copiedFrom,
  });
  // A reset leads to the start that it had, not to what was saved.
  added.initial = startOfCopy(scenario, added);
  changeState(environments, added, state);
  return added;
};

/** What a scenario has no member for: when the environment started, which relative times count from, and as what. */
const describeOrigin = ({ name, copiedFrom = name, scenario, current }: Environment): string =>
  `Saved by ca-mock. Started ${toTimestamp(current.start)} as ${copiedFrom} of ${scenario}`;

const readOrigin = (description: string) => {
  const [, start = '', copiedFrom, scenario] = /Started (\S+) as (\S+) of (.+)$/s.exec(description) ?? [];
  return { start: parseTimestamp(start), copiedFrom, scenario };
};

const save = (place: SaveFolder): void => {
  const { environments, written, folder } = place;
  for (const environment of environments.byId.values()) {
    if (written.get(environment.name) === environment.current) continue;
    written.set(environment.name, environment.current);
    report(place, environment.name, () => write(folder, environment));
  }
  for (const name of written.keys()) {
    if (findEnvironment(environments, name)) continue;
    written.delete(name);
    report(place, name, () => rmSync(join(folder, name + ENDING), { force: true }));
  }
};

/** A full disk ends no mock. */
const report = ({ log, folder }: SaveFolder, name: string, step: () => void): void => {
  try {
    step();
  } catch (error) {
    log({ event: 'not_saved', file: join(folder, name + ENDING), message: describe(error) });
  }
};

/** In two steps, so that a file is whole whenever the process ends. */
const write = (folder: string, environment: Environment): void => {
  const { id, name, current } = environment;
  const now = readNow(environment);
  const state = exportEnvironment(
    { id, state: current.data, settings: current.settings },
    { now, start: current.start },
  );
  const scenario = defined({
    description: describeOrigin(environment),
    // Real time goes on while the mock does not run; a clock that was moved goes on from where it was.
    clock: writeClock(current.clock, now),
    environments: { [name]: state },
  });
  const file = join(folder, name + ENDING);
  const text = writeScenario(scenario, file);
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};
