/** Breaks one rule at a time, and prints the test that fails. run.mjs starts it; `lane.ts` has the copies and Jest. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { readMutants } from './mutants.ts';

/** The number of mutants that run at the same time. */
const LANES = 2;

/** Milliseconds after which a mutant that hangs is ended. */
const LONGEST = 600_000;

/** @returns the exit code: 0 if every mutant is caught, 1 if one survives, 2 for wrong arguments */
export const main = async (argv: readonly string[], root: string): Promise<number> => {
  const { values } = parseArgs({ args: [...argv], options: { only: { type: 'string', multiple: true } } });
  const wanted = values.only?.flatMap((rules) => rules.split(','));
  const mutants = [...readMutants(root).entries()].filter(([, { rule }]) => !wanted || wanted.includes(rule));
  if (mutants.length === 0) {
    console.error(`--only names no rule that has a mutant: ${wanted?.join(', ')}. Write it as --only A4,V2.`);
    return 2;
  }
  const waiting = mutants.values();
  let caught = 0;
  const lane = async (): Promise<void> => {
    let jest: ChildProcess | undefined;
    for (const [number, { rule, breaks }] of waiting) {
      jest = jest?.connected ? jest : startLane(root);
      const tests = await failingTests(jest, number);
      if (tests.length > 0) caught += 1;
      console.log(
        `${tests.length > 0 ? 'caught  ' : 'SURVIVES'} ${rule.padEnd(3)} ${breaks}${foundBy(tests)}`,
      );
    }
    if (jest?.connected) jest.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(LANES, mutants.length) }, lane));
  console.log(`${caught} of ${mutants.length} mutants caught`);
  return caught === mutants.length ? 0 : 1;
};

const foundBy = ([test, ...others]: readonly string[]): string => {
  const more = others.length > 0 ? ` (${others.length} more)` : '';
  return test === undefined ? '' : `\n    test: ${test}${more}`;
};

const startLane = (root: string): ChildProcess =>
  fork(new URL('lane.mjs', import.meta.url), [root], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--experimental-vm-modules'],
  });

/** @returns the names of the tests that fail; none for a mutant that hangs @throws Error if the lane fails */
const failingTests = async (lane: ChildProcess, number: number): Promise<readonly string[]> => {
  const end = setTimeout(() => lane.kill(), LONGEST);
  const settled = new AbortController();
  const { signal } = settled;
  lane.send(number);
  const ended = once(lane, 'exit', { signal }).then(([code]) => {
    if (code !== null) throw new Error(`A lane ended with ${code}.`);
    console.error(`ended after ${LONGEST / 1000} s:`);
    return [[]];
  });
  const [names] = await Promise.race([once(lane, 'message', { signal }), ended]);
  settled.abort();
  clearTimeout(end);
  return names;
};
