/** Loads the scenario again while the mock runs (`watch`). */

import { statSync } from 'node:fs';
import type { Environments } from '../environments/environments.ts';
import { watchFiles } from '../scenario/watch.ts';
import { describe, type Log } from './log.ts';
import type { ScenarioLoader } from './scenario.ts';

/** The largest file that is loaded again: reading more would delay every call by about a second. */
const MOST_BYTES = 1024 * 1024;

/** Refuses files that are too large to be loaded while calls wait. @throws Error that names the file */
const requireQuick = (files: readonly string[]): void => {
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
 * @returns a function that ends the watching
 * @throws Error for a file that is too large
 */
export const reloadOnChange = (
  environments: Environments,
  loader: ScenarioLoader,
  files: readonly string[],
  log: Log,
): (() => void) => {
  let logged: string | undefined;
  let watched = files;
  requireQuick(files);
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
