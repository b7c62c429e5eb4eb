/**
 * Runs the example projects as their users would, each in its own folder with the packed package and the runner of its
 * package.json: `node test/examples/outside.mjs [NAME...]`. They are installed together, as the workspaces of one repository:
 * to install each alone takes twice as long. The Playwright examples need Chromium. The examples for pytest, Go and JUnit are
 * skipped if there is no Python, Go or Maven. The Cypress example is left out, since no package registry has the program of
 * Cypress. `ARCHIVE` is the package if it is already packed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/** Runs a program to its end. @throws Error if it fails */
const run = (cwd, [program, ...args], env = process.env) =>
  execFileSync(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });

const pack = (folder) => {
  run(ROOT, ['npm', 'pack', '--silent', '--pack-destination', folder]);
  return join(folder, readdirSync(folder)[0]);
};

const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => done(String(port)));
    });
  });

/** Copies an example. @returns its folder, outside of the workspaces if it has a package manager or a Vitest of its own (`alone`) */
const copy = (name, archive, folder) => {
  const { from, alone } = JSON.parse(readFileSync(join(import.meta.dirname, name, 'package.json'), 'utf8'));
  const project = join(folder, alone ? 'alone' : 'together', name);
  // The same files with other versions, if `from` names another example.
  for (const part of from ? [from, name] : [name])
    cpSync(join(import.meta.dirname, part), project, { recursive: true });
  const file = join(project, 'package.json');
  const description = JSON.parse(readFileSync(file, 'utf8'));
  description.devDependencies['connected-accounts-mock'] = `file:${archive}`;
  writeFileSync(file, JSON.stringify(description));
  return project;
};

const npmInstall = (project) =>
  run(project, ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']);

/** Installs the packages of all examples. Returns the environment variables that they run with. */
const install = async (projects, folder) => {
  const together = projects.filter((project) => dirname(project).endsWith('together'));
  const root = join(folder, 'together');
  mkdirSync(root, { recursive: true });
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ private: true, workspaces: together.map((project) => basename(project)) }),
  );
  npmInstall(root);
  for (const project of projects) if (!together.includes(project)) npmInstall(project);
  const lists = projects
    .map((project) => join(project, 'requirements.txt'))
    .filter((list) => existsSync(list));
  if (lists.length > 0) {
    run(folder, ['python3', '-m', 'venv', 'venv']);
    const flags = lists.flatMap((list) => ['--requirement', list]);
    run(folder, ['venv/bin/pip', 'install', '--quiet', ...flags]);
  }
  const PATH = join(folder, 'venv/bin') + delimiter + process.env.PATH;
  return { ...process.env, ...(existsSync(CHROMIUM) && { CHROMIUM }), PATH, PORT: await freePort() };
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

const wanted = process.argv.slice(2);
const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (wanted.length === 0 || wanted.includes(entry.name)))
  .map((entry) => entry.name)
  .filter((name) => {
    const missing = missingFor(name);
    if (missing) console.log(`skipped ${name}: ${missing.join(' ')} fails here`);
    return !missing;
  });
if (names.length === 0) throw new Error(`There is no example ${wanted.join(', ')} that can run here.`);
const folder = mkdtempSync(join(tmpdir(), 'ca-mock-'));
try {
  const archive = process.env.ARCHIVE ?? pack(folder);
  const projects = names.map((name) => copy(name, archive, folder));
  const env = await install(projects, folder);
  for (const project of projects) {
    console.time(basename(project));
    try {
      run(project, ['npm', 'test', '--silent'], env);
      console.timeEnd(basename(project));
    } catch ({ message }) {
      console.log(`FAILED ${basename(project)}: ${message}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
