/** Loads the scenarios that options name, and loads them again when their files change (`watch`). */

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadRequest } from '../control/types.ts';
import { defined } from '../core/object.ts';
import { isScenarioName } from '../domain/scenario.ts';
import type { Environments } from '../environments/environments.ts';
import { packageRoot } from '../openapi/package-root.ts';
import { listScenarios, OWN_FILES } from '../scenario/files.ts';
import { type LoadedScenario, loadScenario } from '../scenario/scenario.ts';
import { watchFiles } from '../scenario/watch.ts';
import { describe, type Log } from './log.ts';
import type { MockOptions } from './options.ts';

export type ScenarioLoader = ReturnType<typeof createScenarioLoader>;

/** How many scenarios are kept. After that, the one read first is dropped. */
const MOST_KEPT = 20;

/** Makes the functions that load scenarios with the options of one mock; all throw ScenarioError with all problems. */
export const createScenarioLoader = ({ scenario, fixtures, seed, clock, strict, hosted }: MockOptions) => {
  const settings = defined({ strict, hosted });
  const folder = fixturesFolder(fixtures);
  const common = {
    fixturesDir: folder,
    workingDirectory: process.cwd(),
    settings,
    ...defined({ seed, clock }),
  };
  const kept = new Map<string, LoadedScenario>();
  const own = scenario ?? ownFiles(common.workingDirectory)[0] ?? 'default';
  const read = (from: string | object, onlyFixtures: boolean, request: LoadRequest = {}): LoadedScenario =>
    loadScenario(from, { ...common, onlyFixtures, ...defined(request) });
  return {
    /** Reads the scenario that the mock starts with, anew at each call. */
    loadOwn: (): LoadedScenario => read(own, false),
    /**
     * Loads a scenario for an environment. Keeps what it has read, since tests make environments by the thousand.
     * @param given a name of the fixtures folder, or a scenario itself, which is not kept; default: the mock's own
     */
    load: (given?: string | object, request: LoadRequest = {}): LoadedScenario => {
      const from = given ?? own;
      const onlyFixtures = given !== undefined;
      if (request.seed === 'random' || typeof from === 'object') return read(from, onlyFixtures, request);
      // The mock itself may load any file, but calls only fixtures; so the key says which of them gives a path.
      const key = JSON.stringify([from, request.seed, onlyFixtures && !isScenarioName(from)]);
      const loaded = kept.get(key) ?? read(from, onlyFixtures, request);
      kept.set(key, loaded);
      for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
      return loaded;
    },
    /** The scenarios of the fixtures folder, sorted by name. */
    list: () => listScenarios(folder),
    /** Forgets the scenarios read so far, since files have changed. */
    forget: (): void => kept.clear(),
  };
};

/** The folder of named scenarios; default: the package's own. @throws Error if it does not exist */
export const fixturesFolder = (fixtures: string | undefined): string => {
  if (fixtures === undefined) return join(packageRoot(), 'fixtures');
  const folder = resolve(fixtures);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Error(
    `There is no folder ${fixtures}. Make it, or leave out --fixtures to use the scenarios of the package.`,
  );
};

/** The user's own scenario files in a folder; the mock uses the first. */
export const ownFiles = (folder: string): readonly string[] =>
  OWN_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));

/** The largest watched file: loading more would delay every call by about a second. */
const MOST_BYTES = 2 ** 20;

/** Requires files that load quickly, since calls wait while `watch` loads them again. @throws Error for a larger file */
export const requireQuick = (files: readonly string[]): void => {
  const large = files.find((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES);
  if (large === undefined) return;
  throw new Error(
    `${large} is larger than 1 MiB, and loading it again would delay all calls. Start without --watch, or make the file smaller, such as with "repeat: N" for rows.`,
  );
};

/**
 * Loads the scenario again whenever one of its files changes: its environments restart, and environments made at
 * runtime stay. A scenario that cannot be loaded changes nothing and is logged once, since the log may be a file in the
 * watched folder.
 * @param files the files that the scenario was read from
 * @returns a function that stops watching
 */
export const reloadOnChange = (
  environments: Environments,
  loader: ScenarioLoader,
  files: readonly string[],
  log: Log,
): (() => void) => {
  let logged: string | undefined;
  let watched = files;
  return watchFiles(files, () => {
    try {
      requireQuick(watched);
      const scenario = loader.loadOwn();
      environments.replaceScenario(scenario);
      loader.forget();
      logged = undefined;
      log({ event: 'reloaded', scenario: scenario.name });
      watched = scenario.files;
      return watched;
    } catch (error) {
      const message = describe(error);
      if (message !== logged) log({ event: 'reload_failed', message });
      logged = message;
      return undefined;
    }
  });
};
