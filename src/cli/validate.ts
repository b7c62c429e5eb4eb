/** `ca-mock validate`: what is wrong with scenario files, all of it. */

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
  // Those of the package only where there are no others.
  const inFolder = values.fixtures === undefined && own.length > 0 ? [] : namesIn(places.fixturesDir);
  const named = operands.length > 0 ? operands : [...own, ...inFolder];
  const problems = named.map((each) => problemsOf(each, places));
  // A file that several extend is as wrong for each of them, and shown once.
  const lines = new Set(named.flatMap((each, index) => problems[index] ?? `${each}: no faults`));
  for (const line of lines) process.stdout.write(`${line}\n`);
  return problems.every((found) => found === undefined) ? 0 : 1;
};

/** A line for each problem of a scenario, or undefined where there is none. */
const problemsOf = (named: string, places: Places): readonly string[] | undefined => {
  try {
    loadScenario(named, places);
    return undefined;
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
};
