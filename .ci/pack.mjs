/**
 * Before npm packs this folder: builds, and takes out of package.json what is for work on the sources, so that nobody's
 * npm speaks of scripts that never run there. Afterwards (`node .ci/pack.mjs restore`): puts the file back.
 */
import { execSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const FILE = 'package.json';
const KEPT = 'node_modules/.package.json.before-pack';

if (process.argv[2] === 'restore') renameSync(KEPT, FILE);
else {
  execSync('node .ci/prepare.mjs', { stdio: 'inherit' });
  copyFileSync(FILE, KEPT);
  const { scripts, devDependencies, overrides, allowScripts, jest, knip, ...rest } = JSON.parse(
    readFileSync(FILE, 'utf8'),
  );
  writeFileSync(FILE, `${JSON.stringify(rest, null, 2)}\n`);
}
