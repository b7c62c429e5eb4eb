/**
 * Builds the package once for a whole run of tests, in a folder of its own, so that several runs can build at the same
 * time.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

export default () => {
  // The folder is inside the repository, so that the code finds the contract.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'ca-mock-'));
  execFileSync(process.execPath, ['.ci/build.mjs', folder, 'for-tests'], { cwd: ROOT });
  process.env.BUILT_MOCK = folder;
  // Sources look for the parsed documents of a build here, and parse them for each test file otherwise.
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  copyFileSync(join(folder, 'yaml.json'), join(ROOT, 'dist/yaml.new.json'));
  renameSync(join(ROOT, 'dist/yaml.new.json'), join(ROOT, 'dist/yaml.json'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
};
