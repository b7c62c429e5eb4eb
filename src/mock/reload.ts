/** Loading the scenario again while the mock runs (`watch`). */

import type { Environments } from '../environments/environments.ts';
import { replaceScenario } from '../environments/replace-scenario.ts';
import { watchFiles } from '../scenario/watch.ts';
import { describe, type Log } from './log.ts';
import type { ScenarioLoader } from './scenario.ts';

/**
 * Loads the scenario again whenever one of its files changes: its environments start again, those made at runtime stay.
 * What cannot be loaded is logged and changes nothing; once, since the log may be a file in the folder that is watched.
 * @param files that the scenario was read from
 * @returns ends it
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
      replaceScenario(environments, scenario);
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
