/** `ca-mock validate`: shows every problem of scenario files. */

import { basename } from 'node:path';
import { fixturesFolder, ownFiles } from '../mock/scenario.ts';
import { namesIn, type Places } from '../scenario/files.ts';
import { ScenarioError } from '../scenario/problem.ts';
import { loadScenario } from '../scenario/scenario.ts';
import type { Run } from './command.ts';
import type { SCENARIO_OPTIONS } from './options.ts';

export const run: Run<typeof SCENARIO_OPTIONS> = async ({ values, operands }, process) => {
  const places = { fixturesDir: fixturesFolder(values.fixtures), workingDirectory: process.cwd() };
  const own = ownFiles(places.workingDirectory).map((file) => basename(file));
  // Without scenarios of the user, check the scenarios of the package.
  const inFolder = values.fixtures === undefined && own.length > 0 ? [] : namesIn(places.fixturesDir);
  const named = operands.length > 0 ? operands : [...own, ...inFolder];
  const checked = named.map((each) => check(each, places));
  // Several files may extend the same faulty file; show its problems once.
  for (const line of new Set(checked.flatMap(({ lines }) => lines))) process.stdout.write(`${line}\n`);
  return checked.every(({ isValid }) => isValid) ? 0 : 1;
};

/**
 * Returns a line for each problem of a scenario. For a valid scenario, returns its warnings and a line that says so.
 */
const check = (
  named: string,
  places: Places,
): { readonly isValid: boolean; readonly lines: readonly string[] } => {
  try {
    const { warnings } = loadScenario(named, places);
    return {
      isValid: true,
      lines: [...warnings.map((each) => `${named}: warning: ${each}`), `${named}: no faults`],
    };
  } catch (error) {
    if (error instanceof ScenarioError) return { isValid: false, lines: error.message.split('\n') };
    throw error;
  }
};
