/**
 * What a start would otherwise work out each time, worked out at build: the values of the YAML files that are shipped,
 * and the code of the scenario validators. Both take the place of a module that holds nothing in the sources. A file
 * that cannot be served fails the build.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { build } from 'esbuild';

/** @returns an esbuild plugin that fills the two modules */
export const prebuilt = async () => {
  const sources = await loadSources();
  const contract = sources.loadContract().document;
  const modules = {
    'openapi/prebuilt-values.ts': `export const PREBUILT_VALUES = ${JSON.stringify(await readValues(sources))};`,
    'scenario/prebuilt-validators.ts': writeValidators(sources, contract),
  };
  return {
    name: 'prebuilt',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]prebuilt-(?:values|validators)\.ts$/ }, ({ path }) => ({
        contents: modules[path.split(/[\\/]/).slice(-2).join('/')],
        loader: 'js',
      }));
    },
  };
};

/** The sources that are needed here, bundled on the fly: plain Node 20 does not read TypeScript. */
const loadSources = async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { _ } from 'ajv';
        export { default as standalone } from 'ajv/dist/standalone/index.js';
        export { loadContract, readDocument } from './src/openapi/load.ts';
        export { createFaults } from './src/scenario/fault.ts';
        export { scenarioSchema } from './src/scenario/schema.ts';
        export { textSource } from './src/scenario/source.ts';
        export { createCompiler, SCHEMAS } from './src/scenario/validators.ts';`,
      resolveDir: '.',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'warning',
    // A module from memory lies nowhere: packages and the contract are found from this file.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
    },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
};

const FIXTURES = 'fixtures/';

const readValues = async ({ readDocument, createFaults, textSource }) => {
  const values = {};
  const keep = (text, value) => {
    values[createHash('sha256').update(text).digest('hex')] = JSON.stringify(value);
  };
  for (const file of ['openapi.yaml', 'src/control/control.yaml']) {
    const text = await readFile(file, 'utf8');
    keep(text, readDocument(text, file));
  }
  for (const name of await readdir(FIXTURES)) {
    if (!name.endsWith('.yaml')) continue;
    const text = await readFile(FIXTURES + name, 'utf8');
    const faults = createFaults();
    const { value } = textSource(FIXTURES + name, text, faults);
    faults.throwIfAny();
    keep(text, value);
  }
  return values;
};

const writeValidators = (sources, contract) => {
  const { _, createCompiler, scenarioSchema, SCHEMAS, standalone } = sources;
  const ajv = createCompiler(scenarioSchema(contract), {
    source: true,
    esm: true,
    optimize: 2,
    formats: _`FORMATS`,
  });
  for (const reference of Object.values(SCHEMAS)) ajv.compile({ $ref: reference });
  const code = (standalone.default ?? standalone)(ajv, SCHEMAS);
  const helpers = new Map();
  const body = code.replaceAll(/require\("([^"]+)"\)/g, (_call, name) => {
    if (!helpers.has(name)) helpers.set(name, `helper${helpers.size}`);
    return helpers.get(name);
  });
  const imports = [...helpers].map(([name, local]) => `import ${local} from '${name}.js';`);
  return [
    "import { FORMATS } from './formats.ts';",
    ...imports,
    body,
    'export const PREBUILT_VALIDATORS = { scenario, environment };',
  ].join('\n');
};
