/**
 * Proves that the tests can fail: breaks one rule of src/RULES.md at a time in a copy of the repository, and demands
 * that a test which names the rule fails.
 *
 *   node test/mutants/run.mjs [--only A4,V2]
 *   node test/mutants/run.mjs --figures         writes the figures of the guide instead
 *
 * Exit code 1 if a mutant survives. Needs `npm ci` and `npm run generate`.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');
// Node 20 reads no TypeScript; below node_modules, so that packages are found from there.
const outfile = join(ROOT, 'node_modules/.cache/mutants/main.mjs');

process.chdir(ROOT);
await build({
  entryPoints: [join(import.meta.dirname, 'main.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  logLevel: 'warning',
});
const { main } = await import(pathToFileURL(outfile).href);
process.exitCode = await main(process.argv.slice(2), ROOT);
