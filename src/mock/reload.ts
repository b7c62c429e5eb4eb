/** Loading the scenario again while the mock runs (`watch`). */

import { statSync } from 'node:fs';
import type { Environments } from '../environments/environments.ts';
import { replaceScenario } from '../environments/replace-scenario.ts';
import { watchFiles } from '../scenario/watch.ts';
import { describe, type Log } from './log.ts';
import type { ScenarioLoader } from './scenario.ts';

/** More bytes would hold every call for about a second while they are read. */
const MOST_BYTES = 1024 * 1024;

/** @throws Error that names a file which is too large to be loaded while others wait */
const requireQuick = (files: readonly string[]): void => {
  const large = files.find((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES);
  if (large === undefined) return;
  throw new Error(
    `${large} is larger than 1 MiB, and loading it again would hold all calls. Start without --watch, or write less, such as "repeat: N" for rows.`,
  );
};

/**
 * Loads the scenario again whenever one of its files changes: its environments start again, those made at runtime stay.
 * What cannot be loaded is logged and changes nothing; once, since the log may be a file in the folder that is watched.
 * @param files that the scenario was read from
 * @returns ends it
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
      replaceScenario(environments, scenario);
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
