/** Loads the scenarios that options name, and loads them again when their files change (`watch`). */

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadRequest } from '../control/types.ts';
import { isScenarioName } from '../domain/scenario.ts';
import type { Settings } from '../domain/settings.ts';
import type { Environments } from '../environments/environments.ts';
import { packageRoot } from '../openapi/package-root.ts';
import { type ListedScenario, listScenarios, OWN_FILES } from '../scenario/files.ts';
import { type LoadedScenario, type LoadOptions, loadScenario } from '../scenario/scenario.ts';
import { watchFiles } from '../scenario/watch.ts';
import { describe, type Log } from './log.ts';
import type { MockOptions } from './options.ts';

/** Loads scenarios with the options of one mock. */
export interface ScenarioLoader {
  /** Reads the scenario that the mock starts with, anew at each call. @throws ScenarioError with all problems */
  loadOwn(): LoadedScenario;
  /**
   * Loads a scenario for an environment. Keeps what it has read, since tests make environments by the thousand.
   * @param from a name of the fixtures folder, or a scenario itself, which is not kept; default: the mock's own
   * @throws ScenarioError
   */
  load(from?: string | object, options?: LoadRequest): LoadedScenario;
  /** The scenarios of the fixtures folder, sorted by name. */
  list(): readonly ListedScenario[];
  /** Forgets the scenarios read so far, since files have changed. */
  forget(): void;
}

/** The most scenarios kept; then the first one read is dropped. */
const MOST_KEPT = 20;

export const createScenarioLoader = (options: MockOptions): ScenarioLoader => {
  const common = toLoadOptions(options);
  const kept = new Map<string, LoadedScenario>();
  const own = options.scenario ?? ownFiles(common.workingDirectory)[0] ?? 'default';
  const read = (
    from: string | object,
    onlyFixtures: boolean,
    { seed, isFromFile = false }: LoadRequest = {},
  ): LoadedScenario =>
    loadScenario(from, { ...common, onlyFixtures, isFromFile, ...(seed !== undefined && { seed }) });
  return {
    loadOwn: () => read(own, false),
    load: (given, request = {}) => {
      const { seed } = request;
      const from = given ?? own;
      const onlyFixtures = given !== undefined;
      if (seed === 'random' || typeof from === 'object') return read(from, onlyFixtures, request);
      // The key tells apart a path that a call gives: calls may load only fixtures, the mock itself any file.
      const key = JSON.stringify([from, seed, onlyFixtures && !isScenarioName(from)]);
      const scenario = kept.get(key) ?? read(from, onlyFixtures, request);
      kept.set(key, scenario);
      for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
      return scenario;
    },
    list: () => listScenarios(common.fixturesDir),
    forget: () => kept.clear(),
  };
};

const toLoadOptions = ({ fixtures, seed, clock, strict, hosted }: MockOptions): LoadOptions => {
  const settings: Partial<Settings> = {
    ...(strict !== undefined && { strict }),
    ...(hosted !== undefined && { hosted }),
  };
  return {
    fixturesDir: fixturesFolder(fixtures),
    workingDirectory: process.cwd(),
    ...(seed !== undefined && { seed }),
    ...(clock !== undefined && { clock }),
    settings,
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

/**
 * Loads the scenario again whenever one of its files changes: its environments restart, and environments made at
 * runtime stay. A scenario that cannot be loaded changes nothing and is logged once, since the log may be a file in the
 * watched folder.
 * @param files the files that the scenario was read from
 * @returns a function that ends the watching
 */
export const reloadOnChange = (
  environments: Environments,
  loader: ScenarioLoader,
  files: readonly string[],
  log: Log,
): (() => void) => {
  let logged: string | undefined;
  return watchFiles(files, () => {
    try {
      const scenario = loader.loadOwn();
      environments.replaceScenario(scenario);
      loader.forget();
      logged = undefined;
      log({ event: 'reloaded', scenario: scenario.name });
      return scenario.files;
    } catch (error) {
      const message = describe(error);
      if (message !== logged) log({ event: 'reload_failed', message });
      logged = message;
      return undefined;
    }
  });
};
