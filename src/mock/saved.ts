/** Environments that survive a restart (`saveDir`): each as a scenario file, written soon after it changed. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { monotonicNow, parseTimestamp, toTimestamp } from '../core/clock.ts';
import { parseJson } from '../core/object.ts';
import { writeClock } from '../domain/scenario.ts';
import {
  type Environment,
  type EnvironmentState,
  initialState,
  readNow,
} from '../environments/environment.ts';
import type { Environments } from '../environments/environments.ts';
import { startOfCopy } from '../environments/lifecycle.ts';
import { isJsonObject } from '../openapi/document.ts';
import { lazyScenario } from '../scenario/export.ts';
import { loadScenario } from '../scenario/scenario.ts';
import { writePieces } from '../scenario/text.ts';
import { describe, type Log } from './log.ts';
import { lockFolder, writeWhole } from './save-folder.ts';
import type { ScenarioLoader } from './scenario.ts';

/** The least milliseconds between two saves. */
const PAUSE = 1_000;
/** A pause is at least this many times as long as the save before it, so that calls get their share of time. */
const SHARE = 4;

const ENDING = '.json';
/** The ending of a file's name while the file is being written. */
const UNFINISHED = `${ENDING}.new`;

/**
 * The folder of a mock, locked until it is closed. Restores the environments that an earlier mock saved there, and
 * saves there from then on: at most once a second, and at the end.
 */
export class SaveFolder {
  readonly #folder: string;
  readonly #environments: Environments;
  readonly #loader: ScenarioLoader;
  readonly #log: Log;
  readonly #unlock: () => void;
  /** The state in the file of each environment, by the environment's name. */
  readonly #written = new Map<string, EnvironmentState>();
  /** Why an environment could not be saved, by the environment's name. */
  readonly #failures = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #saving = Promise.resolve();

  /** @throws Error if the folder cannot be written, or another mock uses it */
  constructor(folder: string, environments: Environments, loader: ScenarioLoader, log: Log) {
    this.#folder = resolve(folder);
    this.#environments = environments;
    this.#loader = loader;
    this.#log = log;
    this.#unlock = lockFolder(this.#folder);
    // Environments of a scenario get a file only when they change.
    for (const { name, current } of environments.byId.values()) this.#written.set(name, current);
    for (const file of readdirSync(this.#folder)) {
      if (file.endsWith(UNFINISHED)) rmSync(join(this.#folder, file), { force: true, recursive: true });
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

  /** Restores a file. A file that cannot be restored is reported and renamed, so that a person can look at it. */
  #restoreOrSetAside(file: string): void {
    const path = join(this.#folder, file);
    try {
      const environment = this.#restore(path);
      this.#written.set(environment.name, environment.current);
    } catch (error) {
      let aside = `${path}.unreadable`;
      for (let n = 2; existsSync(aside); n += 1) aside = `${path}.unreadable-${n}`; // earlier ones stay
      renameSync(path, aside);
      this.#log({ event: 'not_restored', file: aside, message: `${file}: ${describe(error)}` });
    }
  }

  /** @throws ScenarioError, or Refusal if another environment has one of the file's names, ids or credentials */
  #restore(path: string): Environment {
    const environments = this.#environments;
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
    const isKnown = this.#loader.list().some((one) => one.name === name);
    const scenario = isKnown ? this.#loader.load(name) : environments.scenario;
    const added = environments.add({ initial, scenario: scenario.name, copiedFrom }, true);
    // A reset returns to the start that the environment had, not to the saved state.
    added.initial = startOfCopy(scenario, added);
    environments.change(added, state);
    return added;
  }

  #saveAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      const startedAt = monotonicNow();
      const again = (): void => this.#saveAfter(Math.max(PAUSE, SHARE * (monotonicNow() - startedAt)));
      this.#saving = this.#save().then(again);
    }, ms).unref();
  }

  /** Writes changes, and everything that could not be written before. */
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

  /** Reports a failure, such as a full disk, only once, however often the step is tried; the mock goes on. */
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

/** Reads a file. The platform's own error message would quote the file, and with it credentials. */
const readObject = (path: string): object => {
  const value = parseJson(readFileSync(path, 'utf8'));
  if (isJsonObject(value)) return value;
  throw new Error('the file is not a JSON object');
};

const write = async (file: string, environment: Environment): Promise<void> => {
  const { id, name, current } = environment;
  const content = { id, name, state: current.data, settings: current.settings, clock: current.clock };
  const at = { now: readNow(environment), start: current.start };
  const unfinished = file.slice(0, -ENDING.length) + UNFINISHED;
  const scenario = {
    description: describeOrigin(environment),
    ...lazyScenario(content, at),
    clock: writeClock(current.clock, at.now),
  };
  await writeWhole(file, unfinished, writePieces(scenario, file));
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
