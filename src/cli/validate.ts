/** `ca-mock validate`: what is wrong with scenario files, all of it. */
import { ScenarioError } from '../scenario/fault.ts';
import { scenarioNames } from '../scenario/files.ts';
import { loadScenario } from '../scenario/scenario.ts';
import { readArguments } from './arguments.ts';
import type { Run } from './commands.ts';
import { localScenarios, packageFixtures } from './places.ts';
import { FIXTURES_FLAG } from './start-flags.ts';

export const validate: Run = async (argv, process) => {
  const { values, operands } = readArguments(argv, { fixtures: FIXTURES_FLAG }, process.env);
  const places = { fixturesDir: values.fixtures ?? packageFixtures(), workingDirectory: process.cwd() };
  const named =
    operands.length > 0
      ? operands
      : [...localScenarios(places.workingDirectory), ...scenarioNames(places.fixturesDir)];
  if (named.length === 0) throw new Error(`There are no scenarios in ${places.fixturesDir}.`);
  let exitCode = 0;
  for (const each of named) {
    try {
      loadScenario(each, places);
      process.stdout.write(`${each}: no faults\n`);
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      process.stdout.write(`${error.message}\n`);
      exitCode = 1;
    }
  }
  return exitCode;
};
