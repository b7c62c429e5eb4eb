/**
 * Runs the examples of test runners that this project does not depend on, in a project of someone else made for them:
 * `node test/examples/outside.mjs`. Needs `npm run build`, and Chromium. Cypress is left out: its program comes from no
 * package registry.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startServerProcess } from '../support/server-process.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const EXAMPLES = [
  { file: 'vitest.test.mjs', packages: ['vitest@3.2.7'], command: ['vitest', 'run', 'vitest.test.mjs'] },
  {
    file: 'playwright.spec.mjs',
    packages: ['@playwright/test@1.65.1'],
    command: ['playwright', 'test', '--reporter', 'line'],
    config: {
      name: 'playwright.config.mjs',
      text: `export default { use: { launchOptions: ${JSON.stringify({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu'],
      })} } };\n`,
    },
  },
];

/** The folder of a project that has this package, built, among its own. */
const makeProject = ({ file, packages, config }) => {
  const project = mkdtempSync(join(tmpdir(), 'ca-mock-'));
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "someone-else", "private": true, "type": "module" }\n',
  );
  if (config) writeFileSync(join(project, config.name), config.text);
  cpSync(join(import.meta.dirname, file), join(project, file));
  const { status } = run(project, ['npm', 'install', '--no-audit', '--no-fund', ...packages]);
  if (status !== 0) throw new Error(`${packages.join(', ')} could not be installed.`);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(project, 'node_modules/connected-accounts-mock'));
  return project;
};

const run = (cwd, [program, ...args], variables = {}) =>
  spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  });

const server = await startServerProcess();
let failed = 0;
for (const example of EXAMPLES) {
  const project = makeProject(example);
  const { status } = run(project, ['npx', '--no-install', ...example.command], { MOCK_URL: server.url });
  rmSync(project, { recursive: true, force: true });
  console.log(`${status === 0 ? 'ok' : 'FAILED'} ${example.file}`);
  if (status !== 0) failed += 1;
}
await server.stop();
process.exitCode = failed === 0 ? 0 : 1;
