// Bundles our own sources. For those who import the package, packages stay external, so that npm installs and
// deduplicates them as usual; the command carries them, since reading a hundred small files doubles its start.
import { chmod, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { writeLicences } from './.ci/licences.mjs';
import { writeYamlAsJson } from './.ci/yaml.mjs';

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const packages = Object.keys(dependencies);
// A CommonJS program cannot require these on every Node we support, so its bundle carries them.
const esmOnly = ['nanoid'];
// Node finds its exports one level deeper than other loaders of modules do, such as that of Vitest for a linked package.
const ambiguous = ['sorted-btree'];

// Where to; tests build for themselves, apart from `dist`. Below this folder, so that packages are found from it.
const [, , outdir = 'dist'] = process.argv;

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  metafile: true,
  legalComments: 'none', // whole licences are written beside, not those alone that stand in comments
};
const small = { minifyWhitespace: true, minifySyntax: true };
const external = (names) => names.flatMap((name) => [name, `${name}/*`]);

await rm(outdir, { recursive: true, force: true });
const builds = await Promise.all([
  // Split, so that gRPC is loaded by those alone who ask for it.
  build({
    ...shared,
    entryPoints: { index: 'src/index.ts' },
    outdir,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: true,
    external: external(packages.filter((name) => !ambiguous.includes(name))),
  }),
  build({
    ...shared,
    entryPoints: ['src/index.ts'],
    outfile: `${outdir}/index.cjs`,
    format: 'cjs',
    sourcemap: true,
    external: external(packages.filter((name) => !esmOnly.includes(name))),
    // `import.meta` is empty in CommonJS; this gives the sources the same address they have as a module.
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  }),
  // Split, so that a command loads what it needs and no more: help waits for no server.
  build({
    ...shared,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir,
    format: 'esm',
    splitting: true,
    chunkNames: 'cli/[name]-[hash]',
    ...small,
    // CommonJS packages within a module ask for Node's own modules by this.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  }),
]);
await writeLicences(`${outdir}/LICENSES.txt`, builds);
await writeYamlAsJson(`${outdir}/yaml.json`);
await chmod(`${outdir}/cli.js`, 0o755);
