/**
 * Proves that the tests can fail: breaks one rule of src/RULES.md at a time in a copy of the repository. A test that
 * names the rule must fail.
 *
 *   node test/mutants/run.mjs [--only A4,V2]
 *
 * Exit code 1 if a mutant survives. Needs `npm ci` and `npm run generate`.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');
// Node 20 does not read TypeScript.
const outdir = join(ROOT, 'node_modules/.cache/mutants');
await build({
  entryPoints: ['hunt', 'lane', 'plugin'].map((name) => join(import.meta.dirname, `${name}.ts`)),
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outdir,
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
});
const { main } = await import(pathToFileURL(join(outdir, 'hunt.mjs')).href);
process.exitCode = await main(process.argv.slice(2), ROOT);
