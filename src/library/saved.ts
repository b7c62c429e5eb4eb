/** Saves changed environments as scenario files, so that the environments survive a restart (`saveDir`). */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isJsonObject } from '../contract/document.ts';
import { monotonicNow, parseTimestamp, toTimestamp } from '../core/clock.ts';
import { parseJson } from '../core/object.ts';
import { writeClock } from '../model/domain/scenario.ts';
import {
  type Environment,
  type EnvironmentState,
  initialState,
  readInstant,
} from '../model/environments/environment.ts';
import type { Environments } from '../model/environments/environments.ts';
import { startOfCopy } from '../model/environments/lifecycle.ts';
import { exportScenario } from '../model/scenario/export.ts';
import { loadScenario } from '../model/scenario/scenario.ts';
import { writePieces } from '../model/scenario/text.ts';
import { describe, type Log } from './log.ts';
import { lockFolder } from './save-folder.ts';
import type { ScenarioLoader } from './scenario.ts';

/** The shortest pause between two saves, in milliseconds. */
const PAUSE = 1_000;
/** The pause after a save lasts at least this many times as long as the save, so that saves do not slow down calls. */
const PAUSE_FACTOR = 4;

const ENDING = '.json';
/** Appended to the name of a file while the file is being written. */
const UNFINISHED = '.new';

/**
 * The folder in which a mock saves its environments. Restores the environments that an earlier mock saved there, then
 * saves changes at most once a second, and once more in `close`. The folder stays locked until `close`.
 */
export class SaveFolder {
  readonly #folder: string;
  readonly #environments: Environments;
  readonly #loader: ScenarioLoader;
  readonly #log: Log;
  readonly #unlock: () => void;
  /** The last saved state of each environment. The key is the environment's name. */
  readonly #written = new Map<string, EnvironmentState>();
  /** The error message of each environment that could not be saved. The key is the environment's name. */
  readonly #failures = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #saving = Promise.resolve();

  /** @throws Error if the mock cannot write to the folder, or if another mock uses the folder */
  constructor(folder: string, environments: Environments, loader: ScenarioLoader, log: Log) {
    this.#folder = resolve(folder);
    this.#environments = environments;
    this.#loader = loader;
    this.#log = log;
    this.#unlock = lockFolder(this.#folder);
    // The scenario's environments count as saved, so that only changed environments get a file.
    for (const { name, current } of environments.byId.values()) this.#written.set(name, current);
    for (const file of readdirSync(this.#folder)) {
      if (file.endsWith(ENDING + UNFINISHED))
        rmSync(join(this.#folder, file), { force: true, recursive: true });
      if (file.endsWith(ENDING)) this.#restoreOrSetAside(file);
    }
    this.#saveAfter(PAUSE);
  }

  /** Saves the last changes, and stops saving. */
  async close(): Promise<void> {
    await this.#saving;
    clearTimeout(this.#timer);
    await this.#save();
    this.#unlock();
  }

  /** Restores an environment from a file. If that fails, logs the error and renames the file to preserve it. */
  #restoreOrSetAside(file: string): void {
    const path = join(this.#folder, file);
    try {
      const environment = this.#restore(path);
      this.#written.set(environment.name, environment.current);
    } catch (error) {
      let aside = `${path}.unreadable`;
      for (let n = 2; existsSync(aside); n += 1) aside = `${path}.unreadable-${n}`; // the new name must not belong to an existing file
      renameSync(path, aside);
      this.#log({ event: 'not_restored', file: aside, message: `${file}: ${describe(error)}` });
    }
  }

  /** @throws ScenarioError for a wrong file; Refusal if another environment has the same name, id or credentials */
  #restore(path: string): Environment {
    const environments = this.#environments;
    // The seed is random, because the old seed would generate ids that already exist.
    const options = { fixturesDir: '', workingDirectory: '', seed: 'random' } as const;
    // Passes the content, not the path, because `loadScenario` refuses large files, and a saved file can be large.
    const { environments: saved, description } = loadScenario(readObject(path), options);
    const [initial] = saved;
    if (!initial) throw new Error('The file contains no environment.');
    const { start, copiedFrom, scenario: name } = readOrigin(description);
    const state = { ...initialState(initial), ...(start !== undefined && { start }) };
    const existing = environments.byId.get(initial.id);
    if (existing) {
      environments.change(existing, state);
      return existing;
    }
    const isKnown = this.#loader.list().some((one) => one.name === name);
    const scenario = isKnown ? this.#loader.load(name) : environments.scenario;
    const added = environments.add({ initial, scenario: scenario.name, copiedFrom }, true);
    // A reset must return the environment to its original initial state, not to the saved state.
    added.initial = startOfCopy(scenario, added);
    environments.change(added, state);
    return added;
  }

  #saveAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      const startedAt = monotonicNow();
      const again = (): void => this.#saveAfter(Math.max(PAUSE, PAUSE_FACTOR * (monotonicNow() - startedAt)));
      this.#saving = this.#save().then(again);
    }, ms).unref();
  }

  /** Saves changed environments, and deletes the files of deleted environments. Retries what failed before. */
  async #save(): Promise<void> {
    for (const environment of this.#environments.byId.values()) {
      const { name, current } = environment;
      if (this.#written.get(name) === current) continue;
      await this.#attempt(name, async (file) => {
        await write(file, environment);
        this.#written.set(name, current);
      });
    }
    for (const name of this.#written.keys())
      if (!this.#environments.find(name))
        await this.#attempt(name, async (file) => {
          await rm(file, { force: true });
          this.#written.delete(name);
        });
  }

  /** Saves or deletes one file. A failure, such as a full disk, does not stop the mock, and is logged only once. */
  async #attempt(name: string, step: (file: string) => Promise<void>): Promise<void> {
    const file = join(this.#folder, name + ENDING);
    try {
      await step(file);
      this.#failures.delete(name);
    } catch (error) {
      const message = describe(error);
      if (this.#failures.get(name) !== message) this.#log({ event: 'not_saved', file, message });
      this.#failures.set(name, message);
    }
  }
}

/** Reads a JSON file. Does not show the error of `JSON.parse`, which would quote credentials from the file. */
const readObject = (path: string): object => {
  const value = parseJson(readFileSync(path, 'utf8'));
  if (isJsonObject(value)) return value;
  throw new Error('The file is not a JSON object.');
};

/**
 * Writes a temporary file and then renames it, so that the file is always complete. The file contains credentials, so
 * only the user who runs the mock can read it.
 * @throws Error if the file cannot be written. An existing file then stays unchanged.
 */
const write = async (file: string, environment: Environment): Promise<void> => {
  const { id, name, current } = environment;
  const content = { id, name, state: current.data, settings: current.settings, clock: current.clock };
  const at = readInstant(environment);
  const scenario = {
    description: describeOrigin(environment),
    ...exportScenario(content, at),
    clock: writeClock(current.clock, at.now),
  };
  const unfinished = file + UNFINISHED;
  try {
    // Writing in pieces lets the mock answer calls in between.
    await writeFile(unfinished, writePieces(scenario), { mode: 0o600, flush: true });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {}); // removing the file frees space if the disk is full
    throw error;
  }
};

/** The description of a saved scenario. `readOrigin` reads it, since scenarios have no members for start and origin. */
const describeOrigin = ({ name, copiedFrom = name, scenario, current }: Environment): string =>
  `Saved by ca-mock. The environment started at ${toTimestamp(current.start)} from the environment ${copiedFrom} of the scenario ${scenario}`;

/** Matches the text of `describeOrigin`. */
const ORIGIN = /started at (\S+) from the environment (\S+) of the scenario (.+)$/s;

const readOrigin = (description: string) => {
  const [, start = '', copiedFrom, scenario] = ORIGIN.exec(description) ?? [];
  return { start: parseTimestamp(start), copiedFrom, scenario };
};
