/**
 * Runs before npm packs this folder. Builds, and removes from package.json the parts for development, so that users'
 * npm does not report scripts that never run there. `node .ci/pack.mjs restore` restores the file afterwards.
 */
import { execSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const FILE = 'package.json';
const KEPT = 'node_modules/.package.json.before-pack';

if (process.argv[2] === 'restore') renameSync(KEPT, FILE);
else {
  execSync('node .ci/prepare.mjs', { stdio: 'inherit' });
  copyFileSync(FILE, KEPT);
  const { scripts, devDependencies, overrides, allowScripts, imports, jest, knip, ...rest } = JSON.parse(
    readFileSync(FILE, 'utf8'),
  );
  writeFileSync(FILE, `${JSON.stringify(rest, null, 2)}\n`);
}
