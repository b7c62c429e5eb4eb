/**
 * Builds the command and the entries of the package's `exports`, with the code of the packages that they use, so that
 * installing the package installs no other. The build has common chunks, so that a command loads only the code that it
 * needs. The chunks are CommonJS, which every Node, Jest and bundler can load by `import` and by `require`; so there is
 * one build of everything, and one class of each error. An entry that is named `.mjs` stays an ES module. If it also
 * has a name for `require`, it is written in both forms.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { argv } from 'node:process';
import { build, transform } from 'esbuild';
import { parse as parseYaml } from 'yaml';
import { leaveOut, OWN_ADDRESS, TARGET } from './bundle.mjs';
import { requireDependencies } from './bundled.mjs';
import { writeLicences } from './licences.mjs';
import { writeSbom } from './sbom.mjs';

// Tests build into a folder of their own, which is below this one, so that the code finds the contract. Their build is
// not minified and has source maps, so that errors and debuggers show the lines of `src`.
const [outdir = 'dist', kind] = argv.slice(2);
const forTests = kind === 'for-tests';
const MAPS = forTests && { sourcemap: 'inline', sourcesContent: false };

/**
 * The source files, by the name of their output. `exports` names `./dist/types/library/client.d.ts`, which comes from
 * `src/library/client.ts`.
 */
const entryPoints = { cli: 'src/cli/main.ts' };
const { exports, peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const entries = Object.values(exports).filter((entry) => entry.types);
for (const { types, default: file } of entries)
  entryPoints[parse(file).name] = types.replace('./dist/types/', 'src/').replace(/[.]d[.](m?ts)$/, '.$1');
if (forTests) entryPoints.mock = 'test/support/built/mock.ts';

const toCommonJs = async (text) => {
  const { code } = await transform(text, {
    ...TARGET,
    ...MAPS,
    format: 'cjs',
    minifyWhitespace: !forTests,
    supported: { 'dynamic-import': false }, // require() finds its way quicker
    ...(text.includes('import.meta.url') && OWN_ADDRESS),
  });
  return code;
};

const writeOutput = async ({ path, text }) => {
  await mkdir(dirname(path), { recursive: true });
  const entry = entries.find((one) => parse(one.default).name === parse(path).name) ?? {};
  const isModule = entry.default?.endsWith('.mjs');
  if (isModule) await writeFile(path.replace(/js$/, 'mjs'), text);
  if (!isModule || entry.require) await writeFile(path, await toCommonJs(text));
};

// The mutants of test/mutants, for their build.
const own = process.env.BUILD_PLUGIN ? [(await import(process.env.BUILD_PLUGIN)).default] : [];

const digestOf = (text) => createHash('sha256').update(text).digest('base64');

/** The YAML files of the package as JSON, each with a digest of the text that it comes from (src/engine/contract/package-root.ts). */
const yamlAsJson = async () => {
  const fixtures = (await readdir('fixtures')).filter((name) => name.endsWith('.yaml'));
  const files = [
    'openapi.yaml',
    'src/engine/control/control.yaml',
    'src/console/console.yaml',
    ...fixtures.map((name) => `fixtures/${name}`),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return JSON.stringify(texts.map((text) => [digestOf(text), JSON.stringify(parseYaml(text))]));
};

const built = await build({
  ...TARGET,
  entryPoints,
  outdir,
  bundle: true,
  external: Object.keys(peerDependencies), // test runners, of which a project has its own
  plugins: [leaveOut, ...own],
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  minifyWhitespace: !forTests,
  minifySyntax: !forTests,
  ...MAPS,
  metafile: true,
  write: false,
  legalComments: 'none', // LICENSES.txt has the whole licences
});
await requireDependencies(built.metafile);
await rm(outdir, { recursive: true, force: true });
await Promise.all(built.outputFiles.map(writeOutput));
await writeFile(`${outdir}/package.json`, JSON.stringify({ type: 'commonjs' }));
await chmod(`${outdir}/cli.js`, 0o755);
await writeLicences(`${outdir}/LICENSES.txt`, built);
await writeSbom(`${outdir}/sbom.cdx.json`, built, 'src/console/public/assets/sbom.cdx.json');
await writeFile(`${outdir}/yaml.json`, await yamlAsJson());
