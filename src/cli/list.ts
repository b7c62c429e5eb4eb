/** `ca-mock list`: the scenarios there are, your own first. */
import { join } from 'node:path';
import { describeScenario, listScenarios } from '../scenario/list.ts';
import { readArguments, requireNoOperands } from './arguments.ts';
import { columns } from './columns.ts';
import type { Run } from './command.ts';
import { LIST_OPTIONS } from './options.ts';
import { localScenarios, packageFixtures } from './places.ts';

export const list: Run = async (argv, process) => {
  const { values, operands } = readArguments(argv, LIST_OPTIONS, process.env);
  requireNoOperands(operands);
  const folder = values.fixtures ?? packageFixtures();
  const own = localScenarios(process.cwd()).map((name) => ({
    name,
    description: describeScenario(join(process.cwd(), name)),
  }));
  const scenarios = [...own, ...listScenarios(folder)];
  if (scenarios.length === 0) throw new Error(`There are no scenarios in ${folder}.`);
  const table = columns(scenarios.map(({ name, description }) => [name, description]));
  process.stdout.write(`${values.json ? JSON.stringify(scenarios, null, 2) : table}\n`);
  return 0;
};
