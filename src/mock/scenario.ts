/** From options to the scenarios they mean. */

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadRequest } from '../control/types.ts';
import { isScenarioName } from '../domain/scenario.ts';
import type { Settings } from '../domain/settings.ts';
import { packageRoot } from '../openapi/package-root.ts';
import { type ListedScenario, listScenarios, OWN_FILES } from '../scenario/files.ts';
import { type LoadedScenario, type LoadOptions, loadScenario } from '../scenario/scenario.ts';
import type { MockOptions } from './options.ts';

/** Loads scenarios by the options of one mock. */
export interface ScenarioLoader {
  /** The scenario the mock starts with, read again. @throws ScenarioError with every problem there is */
  loadOwn(): LoadedScenario;
  /**
   * A scenario for an environment; read once and then kept, since environments are made by the thousand.
   * @param from a name of the fixtures folder, or a scenario itself, which is not kept; default: the mock's own
   * @throws ScenarioError
   */
  load(from?: string | object, options?: LoadRequest): LoadedScenario;
  /** The scenarios of the fixtures folder, sorted by name. */
  list(): readonly ListedScenario[];
  /** Forgets what was read before, since files have changed. */
  forget(): void;
}

/** Scenarios kept; the one read first makes room. */
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
      // The mock's own file cannot be named by others.
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

/** The folder of named scenarios, by default the package's own. @throws Error if it does not exist */
export const fixturesFolder = (fixtures: string | undefined): string => {
  if (fixtures === undefined) return join(packageRoot(), 'fixtures');
  const folder = resolve(fixtures);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Error(
    `There is no folder ${fixtures}. Make it, or leave --fixtures out for the scenarios of the package.`,
  );
};

/** Your own scenario files in a folder; the first one is used. */
export const ownFiles = (folder: string): readonly string[] =>
  OWN_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
