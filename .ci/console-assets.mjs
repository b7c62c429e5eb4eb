// Makes what the console's pages load: our browser code bundled, and the files of Swagger UI as they are.
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = 'src/console/browser';
const target = 'src/console/assets';

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
await build({
  entryPoints: { console: `${source}/main.tsx`, docs: `${source}/docs.ts` },
  outdir: target,
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
const own = ['index.html', 'docs.html', 'icon.svg'].map((name) => `${source}/${name}`);
const licences = ['preact/LICENSE', 'swagger-ui-dist/LICENSE', 'swagger-ui-dist/NOTICE'];
await Promise.all([
  ...[...own, ...vendored].map((file) => copyFile(file, `${target}/${basename(file)}`)),
  ...licences.map((file) => copyFile(`node_modules/${file}`, `${target}/${file.replace('/', '-')}.txt`)),
]);
