/**
 * Runs random sequences of calls, control actions and clock moves on two mocks and on a small model, and compares them.
 * This finds faults in behaviour that depends on earlier calls.
 *
 *   MODEL_STEPS=10000 MODEL_SEED=42 npm test -- test/oracle
 */
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ACCOUNT_COMMANDS } from './commands/accounts.ts';
import { MEMBERSHIP_COMMANDS } from './commands/memberships.ts';
import { OTHER_COMMANDS } from './commands/others.ts';
import { startRun } from './run.ts';
import { startTwins } from './twins.ts';

const WANTED = Number(process.env.MODEL_STEPS ?? 1_500);
const SEED = Number(process.env.MODEL_SEED ?? 1);
/** The number of sequences after which the steps are counted. */
const BATCH = 20;
const LONGEST = 150;

/** Steps on accounts and memberships come more often than the others, such as a reset. */
const often = [...ACCOUNT_COMMANDS, ...MEMBERSHIP_COMMANDS];
const commands = [...often, ...often, ...often, ...OTHER_COMMANDS];

const twins = startTwins();
afterAll(() => twins.close());

test('after any sequence of calls, the mock behaves as the model predicts', async () => {
  const { exported: first } = await startRun(twins);
  let steps = 0;
  let seed = SEED;
  const sequence = fc.asyncProperty(
    fc.commands(commands, { maxCommands: LONGEST, size: 'max' }),
    async (todo) => {
      const run = await startRun(twins);
      expect(run.exported).toEqual(first);
      await fc.asyncModelRun(() => ({ model: run, real: undefined }), todo);
      await twins.requireNoLeak();
      steps += run.steps;
    },
  );
  for (; steps < WANTED; seed += 1) await fc.assert(sequence, { seed, numRuns: BATCH });
  process.stderr.write(`${steps} steps of ${new Set(commands).size} kinds, seeds ${SEED} to ${seed - 1}\n`);
});
