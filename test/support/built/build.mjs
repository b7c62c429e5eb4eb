/** Builds the package once for a whole run of tests, apart from `dist`, so that runs can go on side by side. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

export default () => {
  // Below the repository, so that the contract is found from it.
  const folder = join(ROOT, 'node_modules/.cache/ca-mock', String(process.pid));
  execFileSync(process.execPath, ['.ci/build.mjs', folder], { cwd: ROOT });
  process.env.CA_MOCK_BUILT = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
};
