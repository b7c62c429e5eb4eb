/**
 * Counts how many of our files one call runs after a warm-up, by V8's precise coverage. More than before means that a call
 * passes through more code. `node test/bench/touched-files.mjs --list` names the files.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = new URL('../../', import.meta.url).pathname;
const FOLDER = mkdtempSync(join(ROOT, 'node_modules/.touched-'));
const BUNDLE = join(FOLDER, 'index.js');

const CALLS = {
  create: [
    '/api/v1/connected_accounts',
    () => ({ connector: 'mail', identifier: `${randomUUID()}@acme.test` }),
  ],
  'clock/advance': ['/_mock/environments/development/clock/advance', () => ({ by: '1s' })],
};

// Without minifying, a comment names the source file of each part.
const bundled = {
  entryPoints: [join(ROOT, 'src/index.ts')],
  outfile: BUNDLE,
  bundle: true,
  packages: 'external',
};
await build({ ...bundled, platform: 'node', format: 'esm', absWorkingDir: ROOT });
const parts = [...readFileSync(BUNDLE, 'utf8').matchAll(/^\/\/ (\S+)$/gm)];

const { startMock } = await import(pathToFileURL(BUNDLE));
const mock = await startMock({ port: 0, log: 'silent' });
const session = new Session();
session.connect();
await session.post('Profiler.enable');
for (const [name, [path, makeBody]] of Object.entries(CALLS)) {
  const call = async () => {
    const headers = { authorization: 'Bearer dev-token', 'content-type': 'application/json' };
    const response = await fetch(mock.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(makeBody()),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.text();
  };
  for (let warm = 0; warm < 5; warm += 1) await call();
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await call();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const { functions } = result.find(({ url }) => url === pathToFileURL(BUNDLE).href);
  const files = functions
    .filter(({ ranges: [{ count }] }) => count > 0)
    .map(({ ranges: [{ startOffset }] }) => parts.findLast(({ index }) => index <= startOffset)?.[1])
    .filter((file) => file?.startsWith('src/'));
  const touched = [...new Set(files)].sort();
  console.log(`${name}: ${touched.length} files`);
  if (process.argv.includes('--list')) console.log(touched.join('\n'));
}
session.disconnect();
await mock.close();
rmSync(FOLDER, { recursive: true });
