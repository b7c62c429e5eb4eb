/** What npm runs after an install in this folder, and before it packs the folder, which it does to install it from git. */
import { execSync } from 'node:child_process';

// Mends a package (src/guide/decisions.md).
execSync('npx --no-install patch-package --error-on-fail', { stdio: ['ignore', 'ignore', 'inherit'] });

const run = (script) => execSync(`npm run --silent ${script}`, { stdio: ['ignore', 'ignore', 'inherit'] });
run('generate');
// `npm ci` is for those who work on the sources: `npm start` builds these, and declarations are for packages.
if (process.env.npm_command !== 'ci') {
  run('build');
  run('build:types');
}
