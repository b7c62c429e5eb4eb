/** `ca-mock list`: the scenarios there are. */
import { listScenarios } from '../scenario/list.ts';
import { readArguments, requireNoOperands } from './arguments.ts';
import { columns } from './columns.ts';
import type { Run } from './commands.ts';
import { packageFixtures } from './places.ts';
import { FIXTURES_FLAG } from './start-flags.ts';

export const list: Run = async (argv, process) => {
  const { values, operands } = readArguments(argv, { fixtures: FIXTURES_FLAG }, process.env);
  requireNoOperands(operands);
  const folder = values.fixtures ?? packageFixtures();
  const scenarios = listScenarios(folder);
  if (scenarios.length === 0) throw new Error(`There are no scenarios in ${folder}.`);
  process.stdout.write(`${columns(scenarios.map(({ name, description }) => [name, description]))}\n`);
  return 0;
};
