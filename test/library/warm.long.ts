/** After a runner's setup, the first round of calls costs the server little more than the second. */
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const SCRIPT = new URL('../bench/first-round.mjs', import.meta.url).pathname;

/** The CPU milliseconds of the first round of calls. */
const firstRound = (how: 'setup' | 'start'): number =>
  JSON.parse(
    execFileSync(process.execPath, [SCRIPT, process.env.BUILT_MOCK ?? '', how], { encoding: 'utf8' }),
  ).first;

test('the calls of the first test do not pay for the mock, since the setup has warmed it up', () => {
  expect(firstRound('setup')).toBeLessThan(firstRound('start') / 5); // ratios of CPU time hold on a busy machine
});
