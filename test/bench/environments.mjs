// Measures the cost of isolated environments of the `large` scenario: the time to create one, its memory and a reset.
// Run on the built package: `npm run build && node --expose-gc test/bench/environments.mjs`; exits with 1 if a target
// is missed.
import { createMock } from '../../dist/index.js';

/** A server can have 10,000 environments, including the scenario's own. */
const COUNT = 9_990;
const TARGETS = { 'µs per environment': 500, 'bytes per environment': 10_240, 'µs per reset': 500 };

const mock = createMock({ scenario: 'large', log: 'silent' });
for (let warm = 0; warm < 200; warm += 1) await (await mock.createEnvironment()).delete();

const heap = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};
const timed = async (times, act) => {
  const begun = performance.now();
  for (let nth = 0; nth < times; nth += 1) await act(nth);
  return ((performance.now() - begun) / times) * 1_000;
};

const before = heap();
const environments = [];
const making = await timed(COUNT, async () => environments.push((await mock.createEnvironment()).name));
const bytes = (heap() - before) / COUNT;
const last = await mock.environment(environments.at(-1));
const resetting = await timed(COUNT, () => last.reset());

const measured = {
  'µs per environment': making,
  'bytes per environment': bytes,
  'µs per reset': resetting,
};
for (const [name, value] of Object.entries(measured)) {
  const isMissed = value > TARGETS[name];
  console.log(
    `${name.padEnd(24)} ${value.toFixed(1).padStart(10)}  target ${TARGETS[name]}${isMissed ? '  MISSED' : ''}`,
  );
  if (isMissed) process.exitCode = 1;
}
await mock.close();
