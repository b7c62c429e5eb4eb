/**
 * `npm run bench`: measures the built package against its peers and writes RESULTS.md beside this file, for this machine.
 *
 *   npm run bench                          everything, about fifteen minutes; prints the targets with their figures
 *   npm run bench -- --quick               short rounds, to see that it works; the figures mean little
 *   npm run bench -- --only startup,growth some sections; RESULTS.md is left alone
 *   npm run bench -- --rounds 7 --seconds 3 --starts 9
 *
 * Peers are installed in a scratch folder (CA_MOCK_BENCH, by default below the system's folder for temporary files).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { SCRATCH } from './install.mjs';
import { describeMachine, requireMachine, runPinned } from './machine.mjs';
import { installPeers, ours } from './peers.mjs';
import { prepare, writeScenario } from './prepare.mjs';
import { presentResults } from './results.mjs';
import { measureFirstAnswers } from './sections/first-answers.mjs';
import { measureFirstRound } from './sections/first-round.mjs';
import { measureGrowth } from './sections/growth.mjs';
import { measureMemory } from './sections/memory.mjs';
import { measureOperations } from './sections/operations.mjs';
import { measureStartup } from './sections/startup.mjs';
import { measureThroughput } from './sections/throughput.mjs';
import { presentTargets } from './targets.mjs';
import { WORK } from './work.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;
const DIST = process.env.CA_MOCK_DIST ?? join(ROOT, 'dist');

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    starts: { type: 'string' },
  },
});
const { quick } = values;
const loads = [
  ...['list', 'list, first time', 'filtered', 'filtered, first time', 'auth', 'create', 'verify flow'].map(
    (work) => [work, 10],
  ),
  ...(quick
    ? []
    : [1, 50].flatMap((connections) => ['list', 'auth', 'create'].map((work) => [work, connections]))),
];
const options = {
  loads: loads.filter(([work]) => work in WORK),
  rounds: Number(values.rounds ?? (quick ? 1 : 5)),
  seconds: Number(values.seconds ?? (quick ? 0.5 : 1.5)),
  warmUp: quick ? 0.5 : 1.5,
  starts: Number(values.starts ?? (quick ? 2 : 9)),
  growthSeconds: quick ? 0.2 : 0.6,
};
const log = (line) => process.stderr.write(`${line}\n`);

requireMachine();
mkdirSync(SCRATCH, { recursive: true });
// This process mostly waits during measurements. It runs on the core that has no server.
execFileSync('taskset', ['-pc', '1', String(process.pid)], { stdio: 'ignore' });
const { files, list } = await prepare();
const { peers, missing } = installPeers();
for (const line of missing) log(`not installed: ${line}`);
const own = ours(files.scenario);
const unchecked = {
  ...ours(files.scenario, ['--validate-responses', 'off']),
  name: 'ca-mock, replies unchecked',
  works: ['list, first time', 'auth', 'create'],
};

const measureCore = async () => {
  const outfile = join(SCRATCH, 'core.mjs');
  const entryPoints = [new URL('core.ts', import.meta.url).pathname];
  const banner = {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  };
  const define = { 'import.meta.url': JSON.stringify(import.meta.url) };
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner,
    define,
    logLevel: 'error',
  });
  return JSON.parse(runPinned([outfile, join(ROOT, 'fixtures'), writeScenario(100), writeScenario(100_000)]));
};

const sections = {
  startup: () => measureStartup({ peers: [ours('default'), ...peers], files, options, log }),
  firstAnswers: () => measureFirstAnswers({ options, log }),
  firstRound: () => measureFirstRound({ dist: DIST, options, log }),
  throughput: () => measureThroughput({ peers: [own, unchecked, ...peers], files, list, options, log }),
  growth: () => measureGrowth({ options, log }),
  memory: () => measureMemory({ log }),
  operations: () => measureOperations({ files, list, options, log }),
  core: measureCore,
  inProcess: () =>
    JSON.parse(
      runPinned([
        new URL('in-process.mjs', import.meta.url).pathname,
        join(DIST, 'index.js'),
        files.scenario,
      ]),
    ),
  environments: () => measureEnvironments(),
};

/** Runs environments.mjs, which prints its figures even if it misses a target and exits with 1. */
const measureEnvironments = () => {
  const script = new URL('environments.mjs', import.meta.url).pathname;
  try {
    return runPinned(['--expose-gc', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  } catch (error) {
    return error.stdout;
  }
};

const wanted = values.only?.split(',') ?? Object.keys(sections);
const found = {};
for (const name of wanted) {
  log(`== ${name}`);
  try {
    found[name] = await sections[name]();
  } catch (error) {
    log(`${name} failed: ${error.stack ?? error}`);
  }
}
const text = presentResults(found, { machine: describeMachine(), peers, missing, options });
if (values.only) console.log(text);
else {
  writeFileSync(new URL('RESULTS.md', import.meta.url), text);
  console.log(presentTargets(found));
}
