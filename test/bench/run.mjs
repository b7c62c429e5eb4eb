/**
 * `npm run bench`: measures start, calls and memory of the built package on this machine, beside servers that people
 * write by hand, and prints tables.
 *
 *   npm run bench                       everything
 *   npm run bench -- --quick            short rounds, to see that it works; the figures mean little
 *   npm run bench -- --only start       one of start, calls, memory
 *
 * Peers are installed in a scratch folder (CA_MOCK_BENCH, by default below the system's folder for temporary files).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine, requireMachine } from './machine.mjs';
import { installPeers, ours, SCRATCH } from './peers.mjs';
import { prepare } from './prepare.mjs';
import { measureMemory } from './sections/memory.mjs';
import { measureStartup } from './sections/startup.mjs';
import { measureThroughput } from './sections/throughput.mjs';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const options = values.quick
  ? { rounds: 1, seconds: 0.5, warmUp: 0.5, starts: 2 }
  : { rounds: 5, seconds: 1.5, warmUp: 1.5, starts: 9 };

requireMachine();
mkdirSync(SCRATCH, { recursive: true });
// This process mostly waits during measurements. It runs on the core that has no server.
execFileSync('taskset', ['-pc', '1', String(process.pid)], { stdio: 'ignore' });
const { files, list } = await prepare();
const peers = installPeers();

const sections = {
  start: () => measureStartup({ peers: [ours('default'), ...peers], files, options }),
  calls: () => measureThroughput({ peers: [ours(files.scenario), ...peers], files, list, options }),
  memory: measureMemory,
};

console.log(describeMachine());
for (const name of values.only?.split(',') ?? Object.keys(sections))
  console.log(`\n## ${name}\n\n${await sections[name]()}`);
