/** Measures what the first round of calls costs the server that a test run starts, with and without its warm-up. */
import { runPinned } from '../machine.mjs';
import { median, round, table } from '../stats.mjs';

const SCRIPT = new URL('../first-round.mjs', import.meta.url).pathname;

export const measureFirstRound = ({ dist, options, log }) => {
  const found = { setup: [], start: [] };
  for (let nth = 0; nth < options.starts; nth += 1)
    for (const how of Object.keys(found)) found[how].push(JSON.parse(runPinned([SCRIPT, dist, how])));
  log(`first round: ${round(firstRoundOf({ firstRound: found }))} ms CPU after a runner's setup`);
  return found;
};

/** The CPU milliseconds of the first round after a runner's setup said ready. */
export const firstRoundOf = ({ firstRound }) => median(firstRound.setup.map(({ first }) => first));

export const presentFirstRound = (found) =>
  table(
    [
      'environment, token, read, write, fault and journal read',
      'first round, ms CPU',
      'second round, ms CPU',
    ],
    Object.entries(found).map(([how, rounds]) => [
      how === 'setup' ? "after a runner's setup" : 'after `startMock`, which does not warm up',
      ...['first', 'second'].map((name) => round(median(rounds.map((one) => one[name])))),
    ]),
  );
