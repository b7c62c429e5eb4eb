// Builds the files of the console's pages and the guide, and bundles our browser code.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { requireDependencies } from './bundled.mjs';
import { writeGuide } from './guide.mjs';
import { writeLicences } from './licences.mjs';
import { writeSbom } from './sbom.mjs';

const source = 'src/console/browser';
const target = 'src/console/public';
const assets = `${target}/assets`;

await rm(target, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
const built = await build({
  entryPoints: {
    console: `${source}/main.tsx`,
    guide: `${source}/guide.ts`,
    style: `${source}/style/index.css`,
  },
  outdir: assets,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});

await requireDependencies(built.metafile);
await Promise.all([
  // The same page twice: its script draws the console or a reference, depending on the address.
  ...['index.html', 'docs.html'].map((page) => copyFile(`${source}/index.html`, `${target}/${page}`)),
  copyFile(`${source}/icon.svg`, `${assets}/icon.svg`),
  copyFile('fixtures/scenario.schema.json', `${assets}/scenario.schema.json`), // forms for rows are made from it
  writeLicences(`${assets}/LICENSES.txt`, built),
  writeSbom(`${assets}/sbom.cdx.json`, built),
  writeGuide(`${target}/guide`),
]);

// Writes each file compressed too, so that the server does not compress it during a call.
for (const file of (await readdir(target, { recursive: true })).filter((name) =>
  /[.](?:html|js|json|css|svg)$/.test(name),
)) {
  const copy = join(target, 'gzip', file);
  await mkdir(dirname(copy), { recursive: true });
  await writeFile(copy, gzipSync(await readFile(join(target, file)), { level: 9 }));
}
