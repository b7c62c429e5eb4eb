/**
 * Builds the command and the entries of the package's `exports`, with the code of the packages that they use, so that
 * installing the package installs no other. The build has common chunks, so that a command loads only the code that it
 * needs. The chunks are CommonJS, which every Node, Jest and bundler can load by `import` and by `require`; so there is
 * one build of everything, and one class of each error. An entry that is named `.mjs` stays an ES module.
 */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { argv } from 'node:process';
import { context, transform } from 'esbuild';
import { leaveOut } from './left-out.mjs';
import { writeLicences } from './licences.mjs';
import { writeYamlAsJson } from './yaml.mjs';

// Short lines, since Node prints the whole line that causes an error.
const TARGET = { platform: 'node', target: 'node20', logLevel: 'warning', lineLimit: 120 };

/**
 * The source files, by the name of their output. `exports` names `./dist/types/mock/client.d.ts`, which comes from
 * `src/mock/client.ts`.
 */
const entryPoints = { cli: 'src/cli/main.ts' };
const { exports, peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const entries = Object.values(exports).filter((entry) => entry.types);
for (const { types, default: file } of entries)
  entryPoints[parse(file).name] = types.replace('./dist/types/', 'src/').replace(/[.]d[.](m?ts)$/, '.$1');

/** Replaces `import.meta.url`, which is empty in CommonJS. */
const ADDRESS = "const importMetaUrl=require('node:url').pathToFileURL(__filename).href;";

const toCommonJs = async (text) => {
  const { code } = await transform(text, {
    ...TARGET,
    format: 'cjs',
    minifyWhitespace: true,
    supported: { 'dynamic-import': false }, // require() finds its way quicker
    define: { 'import.meta.url': 'importMetaUrl' },
    ...(text.includes('import.meta.url') && { banner: ADDRESS }),
  });
  return code;
};

const modules = entries
  .filter((entry) => entry.default.endsWith('.mjs'))
  .map((entry) => parse(entry.default).name);

const writeOutput = async ({ path, text }) => {
  await mkdir(dirname(path), { recursive: true });
  if (modules.includes(parse(path).name)) await writeFile(path.replace(/js$/, 'mjs'), text);
  else await writeFile(path, await toCommonJs(text));
};

/** Makes a function that builds into a folder. A second build reads only the files that changed. */
export const createBuild = async (outdir) => {
  const { rebuild, dispose } = await context({
    ...TARGET,
    entryPoints,
    outdir,
    bundle: true,
    external: Object.keys(peerDependencies), // test runners, of which a project has its own
    plugins: [leaveOut],
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    write: false,
    legalComments: 'none', // whole licences are written beside, not those alone that are in comments
  });
  const build = async () => {
    const built = await rebuild();
    await rm(outdir, { recursive: true, force: true });
    await Promise.all(built.outputFiles.map(writeOutput));
    await writeFile(`${outdir}/package.json`, JSON.stringify({ type: 'commonjs' }));
    await chmod(`${outdir}/cli.js`, 0o755);
    await writeLicences(`${outdir}/LICENSES.txt`, [built]);
    await writeYamlAsJson(`${outdir}/yaml.json`);
  };
  return { build, dispose };
};

if (argv[1] === import.meta.filename) {
  // Tests build into another folder than `dist`. It is below this folder, so that the code finds the contract.
  const { build, dispose } = await createBuild(argv[2] ?? 'dist');
  await build();
  await dispose();
}
