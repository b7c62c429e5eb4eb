/**
 * `npm run dev -- FLAGS`: serves from the sources, and restarts when a file of `src`, a fixture or the contract changes.
 * Errors and debuggers show the lines of `src`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { argv, execPath } from 'node:process';
import { context } from 'esbuild';
import { leaveOut, OWN_ADDRESS, TARGET } from './bundle.mjs';

// Below this folder, so that the code finds the contract.
const outfile = 'node_modules/.cache/ca-mock-dev/cli.cjs';
const { define, banner } = OWN_ADDRESS;
const bundle = await context({
  ...TARGET,
  entryPoints: ['src/cli/main.ts'],
  outfile,
  bundle: true,
  format: 'cjs',
  sourcemap: 'inline',
  define,
  banner: { js: banner },
  plugins: [leaveOut],
});

let server;
const restart = async () => {
  try {
    await bundle.rebuild();
  } catch {
    return; // esbuild has printed the mistake; the old server goes on
  }
  const start = () => {
    server = spawn(execPath, ['--enable-source-maps', outfile, ...argv.slice(2)], { stdio: 'inherit' });
  };
  if (!server || server.exitCode !== null) return start();
  server.once('exit', start);
  server.kill();
};

/** Collects the events of one save, since an editor writes a file in several steps. */
let timer;
const onChange = (_event, file) => {
  if (/generated[.]ts$|^console.(?:public|browser)/.test(file ?? '')) return;
  clearTimeout(timer);
  timer = setTimeout(restart, 50);
};
for (const folder of ['src', 'fixtures']) watch(folder, { recursive: true }, onChange);
watch('openapi.yaml', (...event) => {
  execFileSync(execPath, ['.ci/scenario.mjs'], { stdio: 'inherit' }); // the check of scenarios comes from the contract
  onChange(...event);
});
await restart();
