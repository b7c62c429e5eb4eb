/**
 * Runs the example projects as their users would, each in its own folder with the packed package and the runner of its
 * package.json: `node test/examples/outside.mjs [NAME...]`. The Playwright examples need Chromium. The examples for pytest, Go
 * and JUnit are skipped if there is no Python, Go or Maven. The Cypress example is left out, since no package registry has the
 * program of Cypress. `ARCHIVE` is the package if it is already packed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

const run = (cwd, [program, ...args], env = process.env) =>
  spawnSync(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;

const requireRun = (...given) => {
  if (!run(...given)) throw new Error(`${given[1].join(' ')} failed in ${given[0]}.`);
};

const pack = (folder) => {
  requireRun(ROOT, ['npm', 'pack', '--silent', '--pack-destination', folder]);
  return join(folder, readdirSync(folder)[0]);
};

const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => done(String(port)));
    });
  });

/** Copies and installs an example. Returns its folder, and the environment variables that it runs with. */
const prepare = async (name, archive, folder) => {
  const project = join(folder, name);
  const { from } = JSON.parse(readFileSync(join(import.meta.dirname, name, 'package.json'), 'utf8'));
  // The same files with other versions, if `from` names another example.
  for (const part of from ? [from, name] : [name])
    cpSync(join(import.meta.dirname, part), project, { recursive: true });
  const file = join(project, 'package.json');
  const description = JSON.parse(readFileSync(file, 'utf8'));
  description.devDependencies['connected-accounts-mock'] = `file:${archive}`;
  writeFileSync(file, JSON.stringify(description, null, 2));
  requireRun(project, ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']);
  const variables = { PORT: await freePort(), ...(existsSync(CHROMIUM) && { CHROMIUM }) };
  if (!existsSync(join(project, 'requirements.txt'))) return { project, variables };
  requireRun(project, ['python3', '-m', 'venv', 'venv']);
  requireRun(project, ['venv/bin/pip', 'install', '--quiet', '--requirement', 'requirements.txt']);
  return {
    project,
    variables: { ...variables, PATH: join(project, 'venv/bin') + delimiter + process.env.PATH },
  };
};

/** For a file that only some examples have: a command that fails if this machine cannot run them. */
const NEEDS = {
  'requirements.txt': ['python3', '-c', 'import venv, ensurepip'],
  'pom.xml': ['mvn', '--version'],
  'go.mod': ['go', 'version'],
};

/** @returns the command that fails for an example; undefined if the example can run */
const missingFor = (name) =>
  Object.entries(NEEDS)
    .filter(([file]) => existsSync(join(import.meta.dirname, name, file)))
    .map(([, command]) => command)
    .find(([program, ...args]) => spawnSync(program, args, { stdio: 'ignore' }).status !== 0);

const [...wanted] = process.argv.slice(2);
const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (wanted.length === 0 || wanted.includes(entry.name)))
  .map((entry) => entry.name);
const folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));
const failed = [];
try {
  const archive = process.env.ARCHIVE ?? pack(folder);
  for (const name of names) {
    const missing = missingFor(name);
    if (missing) {
      console.log(`skipped ${name}: ${missing.join(' ')} fails here`);
      continue;
    }
    const startedAt = performance.now();
    const { project, variables } = await prepare(name, archive, folder);
    const installedAt = performance.now();
    const isGreen = run(project, ['npm', 'test', '--silent'], { ...process.env, ...variables });
    const seconds = (from, to) => `${((to - from) / 1_000).toFixed(1)} s`;
    const times = `installed in ${seconds(startedAt, installedAt)}, run in ${seconds(installedAt, performance.now())}`;
    console.log(`${isGreen ? 'ok' : 'FAILED'} ${name} (${times})`);
    if (!isGreen) failed.push(name);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (names.length === 0) throw new Error(`There is no example ${wanted.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
