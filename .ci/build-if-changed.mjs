/** Runs before `npm start`. Builds, unless all files that a build reads are as they were at the last build by this script. */
import { execSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMP = 'dist/.built-from';
const SOURCES = ['.ci', 'fixtures', 'src', 'openapi.yaml', 'package.json', 'node_modules/.package-lock.json'];
const MADE = join('src', 'console', 'public'); // by the build

const filesOf = (path) =>
  statSync(path).isFile() ? [path] : readdirSync(path, { recursive: true }).map((file) => join(path, file));

const sources = SOURCES.flatMap(filesOf).filter((file) => !file.startsWith(MADE));
const describe = (file) => {
  const stat = statSync(file);
  return stat.isDirectory() ? file : `${file} ${stat.mtimeMs} ${stat.size}`;
};
const state = sources.map(describe).join('\n');

// The stamp is absent if nothing was built, or if another command built.
const isBuilt = existsSync(STAMP) && existsSync(MADE) && readFileSync(STAMP, 'utf8') === state;
if (!isBuilt) {
  execSync('npm run --silent build', { stdio: 'inherit' });
  writeFileSync(STAMP, state);
}
