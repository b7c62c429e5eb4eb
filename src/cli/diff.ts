/** `ca-mock diff`: shows what another version of the contract breaks for an application. */
import { countOf, diffText } from '../relied-on/change.ts';
import { compare } from '../relied-on/diff.ts';
import { readContract } from '../relied-on/other-contract.ts';
import { readUsed } from '../relied-on/used.ts';
import { UsageError } from './arguments.ts';
import type { Run } from './command.ts';
import type { DIFF_OPTIONS } from './options.ts';

export const run: Run<typeof DIFF_OPTIONS> = async ({ values, operands }, process) => {
  const [file, source] = operands;
  if (file === undefined || source === undefined)
    throw new UsageError('diff needs two arguments: what an application relies on, and an OpenAPI document.');
  const used = readUsed(file);
  const changes = compare(used, await readContract(source));
  process.stdout.write(values.json ? `${JSON.stringify({ changes }, null, 2)}\n` : diffText(changes, used));
  return countOf(changes, 'breaks') > 0 ? 1 : 0;
};
