/** `ca-mock validate`: what is wrong with scenario files, all of it. */

import { type Places, scenarioNames } from '../scenario/files.ts';
import { ScenarioError } from '../scenario/problem.ts';
import { loadScenario } from '../scenario/scenario.ts';
import { readArguments } from './arguments.ts';
import type { Run } from './command.ts';
import { SCENARIO_OPTIONS } from './options.ts';
import { localScenarios, packageFixtures } from './places.ts';

export const validate: Run = async (argv, process) => {
  const { values, operands } = readArguments(argv, SCENARIO_OPTIONS, process.env);
  const places = { fixturesDir: values.fixtures ?? packageFixtures(), workingDirectory: process.cwd() };
  const named =
    operands.length > 0
      ? operands
      : [...localScenarios(places.workingDirectory), ...scenarioNames(places.fixturesDir)];
  if (named.length === 0) throw new Error(`There are no scenarios in ${places.fixturesDir}.`);
  const told = new Set<string>();
  const tell = (line: string): void => {
    // A file that several extend is as wrong for each of them, and told once.
    if (!told.has(line)) process.stdout.write(`${line}\n`);
    told.add(line);
  };
  const faults = named.map((each) => faultsOf(each, places));
  named.forEach((each, index) => {
    for (const line of faults[index] ?? [`${each}: no faults`]) tell(line);
  });
  return faults.some((lines) => lines !== undefined) ? 1 : 0;
};

/** A line for each fault of a scenario, or undefined where there is none. */
const faultsOf = (named: string, places: Places): readonly string[] | undefined => {
  try {
    loadScenario(named, places);
    return undefined;
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
};
