/**
 * Fuzzes the built server with schemathesis, which generates its calls from the contract. Runs all its checks, and
 * follows the contract's links. A finding fails the run, unless schemathesis.toml allows it.
 *
 *   node test/fuzz/schemathesis.mjs [--requests 20000] [--seed 1]
 *
 * Each round has an environment and a seed of its own, so that data is not used up, and a round can be repeated. Needs `npm
 * run build`, python3 and, the first time, the package registry.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startMock } from '../../dist/index.js';

const VERSION = '4.32.5';
const ROOT = resolve(import.meta.dirname, '../..');
/** How many examples the tool generates for an operation in a round, so that some are unusual. */
const EXAMPLES = 100;

const install = () => {
  const folder = join(ROOT, `node_modules/.cache/schemathesis-${VERSION}`);
  const program = join(folder, 'bin/st');
  if (existsSync(program)) return program;
  execFileSync('python3', ['-m', 'venv', '--clear', folder], { stdio: 'inherit' });
  const pip = ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`];
  execFileSync(join(folder, 'bin/pip'), pip, { stdio: 'inherit' });
  return program;
};

/** Runs the tool once in a fresh environment, with about 4,000 requests. @returns its report and its output */
const round = async (program, mock, seed, folder) => {
  const { accessToken } = (await mock.createEnvironment()).credentials;
  const report = join(folder, `${seed}.json`);
  const args = [
    ...['--config-file', join(import.meta.dirname, 'schemathesis.toml'), '--no-color', 'run', 'openapi.yaml'],
    ...['--url', mock.url, '--header', `Authorization: Bearer ${accessToken}`],
    ...['--max-examples', String(EXAMPLES), '--seed', String(seed), '--workers', '1'],
    ...['--generation-database', 'none', '--report', 'json', '--report-json-path', report],
  ];
  const run = (done) =>
    execFile(program, args, { cwd: ROOT, maxBuffer: 2 ** 28 }, (_error, ...said) => done(said.join('')));
  const output = await new Promise(run);
  if (!existsSync(report)) throw new Error(`schemathesis wrote no report:\n${output}`);
  return { seed, output, ...JSON.parse(readFileSync(report, 'utf8')) };
};

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const program = install();
const folder = mkdtempSync(join(tmpdir(), 'schemathesis-'));
const complaints = [];
const mock = await startMock({
  port: 0,
  log: (entry) => {
    if (entry.event !== 'request') complaints.push(entry);
  },
});
let sent = 0;
const rounds = [];
for (let seed = Number(values.seed); sent < Number(values.requests); seed += 1) {
  const result = await round(program, mock, seed, folder);
  sent += result.test_cases.generated;
  rounds.push(result);
}
await mock.close();
rmSync(folder, { recursive: true });
const failed = rounds.filter(({ exit_code }) => exit_code !== 0);
for (const { seed, output } of failed) console.log(`Round with seed ${seed}:\n${output}`);
for (const complaint of complaints) console.log('The server logged', JSON.stringify(complaint));
const findings = `${failed.length} rounds with findings, ${complaints.length} complaints of the server`;
console.log(
  `schemathesis ${VERSION}: ${sent} requests in ${rounds.length} rounds from seed ${values.seed}, ${findings}`,
);
process.exitCode = failed.length + complaints.length === 0 ? 0 : 1;
