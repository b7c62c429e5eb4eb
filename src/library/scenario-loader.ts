/** Loads scenarios for a mock, and reloads the initial scenario when its files change (`watch`). */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../engine/contract/package-root.ts';
import type { LoadRequest } from '../engine/control/control-document.ts';
import { defined } from '../engine/core/object.ts';
import type { Environments } from '../engine/environments/all-environments.ts';
import { type LoadedScenario, type LoadOptions, loadScenario } from '../engine/scenario/load-scenario.ts';
import { listScenarios, ownFiles } from '../engine/scenario/scenario-files.ts';
import { watchFiles } from '../engine/scenario/watch.ts';
import { service } from '../service/index.ts';
import { describe, type Log } from './log.ts';
import type { MockOptions } from './options.ts';
import type { Saved } from './save-file.ts';

export type ScenarioLoader = ReturnType<typeof createScenarioLoader>;
const MOST_CACHED = 20;

/** Creates functions that load scenarios with a mock's options. Each throws a ScenarioError that lists all problems. */
export const createScenarioLoader = (options: MockOptions, saved?: Saved) => {
  const { scenario, fixtures, seed, clock, strict, hosted } = options;
  const common = {
    service,
    fixturesDir: fixturesFolder(fixtures),
    workingDirectory: process.cwd(),
    settings: defined({ strict, hosted }),
    ...defined({ seed: saved ? undefined : seed }),
    ...(clock !== undefined && { clock: typeof clock === 'string' ? clock : clock.toISOString() }),
  };
  const cached = new Map<string, LoadedScenario>();
  const own = scenario ?? ownFiles(common.workingDirectory)[0] ?? 'default';
  const read = (named?: string | object, request: LoadRequest = {}): LoadedScenario => {
    const all = { ...common, onlyFixtures: named !== undefined, ...defined(request) };
    return saved && named === undefined ? loadSaved(saved, all) : loadScenario(named ?? own, all);
  };
  return {
    /** Caches scenarios of files: tests create thousands of environments. @param named default: the initial scenario */
    loadScenario: (named?: string | object, request: LoadRequest = {}): LoadedScenario => {
      if (typeof named === 'object' || request.seed === 'random') return read(named, request);
      const key = JSON.stringify([named, request.seed]);
      const loaded = cached.get(key) ?? read(named, request);
      if (cached.size >= MOST_CACHED) cached.clear();
      cached.set(key, loaded);
      return loaded;
    },
    listScenarios: () => listScenarios(common.fixturesDir),
    forget: (): void => cached.clear(),
  };
};

/** Loads the content, not the file, which changes while the mock runs: a reset goes back to the start. */
const loadSaved = ({ file, content }: Saved, options: LoadOptions): LoadedScenario => {
  try {
    return { ...loadScenario(content, options), name: file };
  } catch (error) {
    loadScenario(resolve(file), options); // throws the same error with lines and columns; a whole path is not a name
    throw error;
  }
};

/** The fixtures folder's absolute path; default: the built-in scenarios' folder. @throws Error for a missing folder */
export const fixturesFolder = (fixtures: string | undefined): string => {
  if (fixtures === undefined) return join(packageRoot(), 'fixtures');
  const folder = resolve(fixtures);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Error(
    `There is no folder ${fixtures}. Create it, or leave out --fixtures for the built-in ones.`,
  );
};

/**
 * Loads the scenario again whenever one of its files changes: its environments restart, but not those that were created at run
 * time. Each error is logged only once, because the log can be a file in the watched folder, where each entry causes another load.
 * @returns a function that stops watching
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
      loader.forget();
      const scenario = loader.loadScenario();
      environments.replaceScenario(scenario);
      logged = undefined;
      log({ event: 'reloaded', message: `Reloaded ${scenario.name}, because its files changed.` });
      return scenario.files;
    } catch (error) {
      const message = `The scenario changed but cannot be loaded, so the mock keeps the old scenario:\n${describe(error)}`;
      if (message !== logged) log({ event: 'reload_failed', message });
      logged = message;
      return undefined;
    }
  });
};
