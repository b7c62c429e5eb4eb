// Bundles our own sources; packages stay external, so that npm installs and deduplicates them as usual.
import { chmod, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const packages = Object.keys(dependencies);
// A CommonJS program cannot require these on every Node we support, so its bundle carries them.
const esmOnly = ['nanoid'];

// Where to; tests build for themselves, apart from `dist`. Below this folder, so that packages are found from it.
const [, , outdir = 'dist'] = process.argv;

const shared = { bundle: true, platform: 'node', target: 'node20', sourcemap: true, logLevel: 'warning' };
const external = (names) => names.flatMap((name) => [name, `${name}/*`]);

await rm(outdir, { recursive: true, force: true });
await Promise.all([
  // Split, so that a command loads what it needs and no more: help waits for no server.
  build({
    ...shared,
    entryPoints: { index: 'src/index.ts', cli: 'src/cli/main.ts' },
    outdir,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: external(packages),
  }),
  build({
    ...shared,
    entryPoints: ['src/index.ts'],
    outfile: `${outdir}/index.cjs`,
    format: 'cjs',
    external: external(packages.filter((name) => !esmOnly.includes(name))),
    // `import.meta` is empty in CommonJS; this gives the sources the same address they have as a module.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  }),
]);
await chmod(`${outdir}/cli.js`, 0o755);
