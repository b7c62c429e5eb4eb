/**
 * Random sequences of every operation, control action and clock move, on two mocks beside a small model of its own.
 *
 *   MODEL_STEPS=10000 MODEL_SEED=42 npm test -- test/model
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ACCOUNT_COMMANDS } from './commands/accounts.ts';
import { AUTHORIZATION_COMMANDS } from './commands/authorization.ts';
import { LIST_COMMANDS } from './commands/lists.ts';
import { MEMBERSHIP_COMMANDS } from './commands/memberships.ts';
import { PROVIDER_COMMANDS } from './commands/providers.ts';
import { TIME_COMMANDS } from './commands/time.ts';
import { TOKEN_COMMANDS } from './commands/tokens.ts';
import { WRONG_CALLS } from './commands/wrong-calls.ts';
import { startRun } from './run.ts';
import { startTwins, type Twins } from './twins.ts';

const WANTED = Number(process.env.MODEL_STEPS ?? 1_500);
const SEED = Number(process.env.MODEL_SEED ?? 1);
/** Sequences between two looks at the count of steps. */
const BATCH = 20;
const LONGEST = 150;

/** Some several times: what the API is about comes more often than what ends a story, such as a reset. */
const commands = [
  ...Array.from({ length: 3 }, () => [
    ...ACCOUNT_COMMANDS,
    ...AUTHORIZATION_COMMANDS,
    ...MEMBERSHIP_COMMANDS,
  ]).flat(),
  ...LIST_COMMANDS,
  ...PROVIDER_COMMANDS,
  ...TIME_COMMANDS,
  ...TOKEN_COMMANDS,
  ...WRONG_CALLS,
  ...WRONG_CALLS,
];

let twins: Twins;
beforeAll(() => {
  twins = startTwins();
});
afterAll(() => twins.close());

test(
  'after any sequence of calls the mock behaves as the model predicts',
  async () => {
    const { first } = await startRun(twins);
    let steps = 0;
    let seed = SEED;
    const sequence = fc.asyncProperty(
      fc.commands(commands, { maxCommands: LONGEST, size: 'max' }),
      async (todo) => {
        const run = await startRun(twins);
        expect(run.first).toBe(first);
        try {
          await fc.asyncModelRun(() => ({ model: run, real: twins }), todo);
          await twins.requireNoLeak();
        } finally {
          steps += run.steps;
        }
      },
    );
    while (steps < WANTED) {
      await fc.assert(sequence, { seed, numRuns: BATCH, endOnFailure: false });
      seed += 1;
    }
    process.stderr.write(`${steps} steps of ${new Set(commands).size} kinds, seeds ${SEED} to ${seed - 1}\n`);
  },
  30 * 60_000,
);
