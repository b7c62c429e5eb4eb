// Makes what the console's pages load, and the guide: our browser code bundled, and the files of Swagger UI as they are.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { writeGuide } from './guide.mjs';

const source = 'src/console/browser';
const target = 'src/console/public';
const assets = `${target}/assets`;

await rm(target, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
await build({
  entryPoints: {
    console: `${source}/main.tsx`,
    hub: `${source}/live/hub.ts`,
    docs: `${source}/docs.ts`,
    guide: `${source}/guide.ts`,
  },
  outdir: assets,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});

// Swagger UI is served from here and no dependency of the package: one of its own would report every install.
const vendored = [
  import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
].map((url) => fileURLToPath(url));
const pages = ['index.html', 'docs.html'].map((name) => `${source}/${name}`);
const licences = ['preact/LICENSE', 'swagger-ui-dist/LICENSE', 'swagger-ui-dist/NOTICE'];
await Promise.all([
  ...pages.map((file) => copyFile(file, `${target}/${basename(file)}`)),
  ...[`${source}/icon.svg`, ...vendored].map((file) => copyFile(file, `${assets}/${basename(file)}`)),
  ...licences.map((file) => copyFile(`node_modules/${file}`, `${assets}/${file.replace('/', '-')}.txt`)),
]);

await writeGuide(`${target}/guide`);

// Each file once more, compressed, so that no server has to do it while somebody waits.
for (const file of (await readdir(target, { recursive: true })).filter((name) =>
  /[.](?:html|js|json|css|svg)$/.test(name),
)) {
  const copy = join(target, 'gzip', file);
  await mkdir(dirname(copy), { recursive: true });
  await writeFile(copy, gzipSync(await readFile(join(target, file)), { level: 9 }));
}
