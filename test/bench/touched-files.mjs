/**
 * Counts how many of our files and functions one call runs after a warm-up, by V8's precise coverage: `node
 * test/bench/touched-files.mjs`. A higher number than before means that a call passes through more code. `--list` names
 * the files.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { round, table } from './stats.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;
const FOLDER = join(ROOT, 'node_modules/.cache/ca-mock-touched');
const BUNDLE = join(FOLDER, 'index.js');

/** Bundles without minifying, so that a comment names the source file of each part. @returns where the parts begin */
const bundle = async () => {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/index.ts')],
    outfile: BUNDLE,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    absWorkingDir: ROOT,
    write: false,
  });
  const [{ text }] = outputFiles;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(BUNDLE, text);
  return [...text.matchAll(/^\/\/ (\S+)$/gm)].map(({ index, 1: file }) => ({ index, file }));
};

const CREDENTIALS = { authorization: 'Bearer dev-token', 'content-type': 'application/json' };
let serial = 0;
const CALLS = {
  create: (url) => {
    serial += 1;
    const body = JSON.stringify({ connector: 'mail', identifier: `person-${serial}@acme.test` });
    return fetch(`${url}/api/v1/connected_accounts`, { method: 'POST', headers: CREDENTIALS, body });
  },
  'clock/advance': (url) =>
    fetch(`${url}/_mock/environments/development/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"1s"}',
    }),
};

const parts = await bundle();
const { startMock } = await import(pathToFileURL(BUNDLE));
const mock = await startMock({ port: 0, log: 'silent' });
const session = new Session();
session.connect();
await session.post('Profiler.enable');
const rows = [];
for (const [name, call] of Object.entries(CALLS)) {
  for (let warm = 0; warm < 5; warm += 1) await requireSuccess(call);
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await requireSuccess(call);
  rows.push([name, ...countTouched(await session.post('Profiler.takePreciseCoverage'))]);
}
session.disconnect();
await mock.close();
rmSync(FOLDER, { recursive: true });
console.log(table(['call', 'files', 'functions', 'calls'], rows));

async function requireSuccess(call) {
  const response = await call(mock.url);
  if (!response.ok) throw new Error(await response.text());
  await response.text();
}

function countTouched({ result }) {
  const { functions } = result.find(({ url }) => url === pathToFileURL(BUNDLE).href);
  const run = functions
    .map(({ ranges: [range] }) => ({ count: range.count, file: fileAt(range.startOffset) }))
    .filter(({ count, file }) => count > 0 && file?.startsWith('src/'));
  const calls = run.reduce((sum, { count }) => sum + count, 0);
  const files = [...new Set(run.map(({ file }) => file))].sort();
  if (process.argv.includes('--list')) console.log(`${files.join('\n')}\n`);
  return [files.length, run.length, round(calls)];
}

function fileAt(offset) {
  return parts.findLast(({ index }) => index <= offset)?.file;
}
