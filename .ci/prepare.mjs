/**
 * npm runs this after an install in this folder, and before it packs the folder, for example to install it from git.
 */
import { execSync } from 'node:child_process';

// Patches a package (src/guide/proof.md#decisions).
execSync('npx --no-install patch-package --patch-dir .ci/patches --error-on-fail', {
  stdio: ['ignore', 'ignore', 'inherit'],
});

const run = (script) => execSync(`npm run --silent ${script}`, { stdio: ['ignore', 'ignore', 'inherit'] });
run('generate');
// `npm ci` is for development: `npm start` builds there, and only packages need declarations.
if (process.env.npm_command !== 'ci') {
  run('build');
  run('build:types');
}
