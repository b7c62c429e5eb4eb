// Bundles our own sources; packages stay external, so that npm installs and deduplicates them as usual.
import { chmod, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const packages = Object.keys(dependencies);
// A CommonJS program cannot require these on every Node we support, so its bundle carries them.
const esmOnly = ['nanoid'];

const shared = { bundle: true, platform: 'node', target: 'node20', sourcemap: true, logLevel: 'warning' };
const external = (names) => names.flatMap((name) => [name, `${name}/*`]);
const esm = { ...shared, format: 'esm', external: external(packages) };

await rm('dist', { recursive: true, force: true });
await Promise.all([
  build({ ...esm, entryPoints: ['src/index.ts'], outfile: 'dist/index.js' }),
  // The source itself has no `#!` line.
  build({
    ...esm,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli.js',
    banner: { js: '#!/usr/bin/env node' },
  }),
  build({
    ...shared,
    entryPoints: ['src/index.ts'],
    outfile: 'dist/index.cjs',
    format: 'cjs',
    external: external(packages.filter((name) => !esmOnly.includes(name))),
    // `import.meta` is empty in CommonJS; this gives the sources the same address they have as a module.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  }),
]);
await chmod('dist/cli.js', 0o755);
