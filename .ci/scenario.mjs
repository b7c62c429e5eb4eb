/**
 * Generates files for scenarios from the contract: their schema, for editors (fixtures/scenario.schema.json), and the
 * code of their validators (src/service/checks/generated.ts), since compiling the validators would take a third of a start.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { _, Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { parse } from 'yaml';
import { importSources } from './sources.mjs';

const { SCENARIO_FORMATS, scenarioSchema, sections } = await importSources(`
  export { SCENARIO_FORMATS } from './src/engine/scenario/times.ts';
  export { scenarioSchema } from './src/engine/scenario/schema.ts';
  export { sections } from './src/service/sections.ts';`);
const read = async (file) => parse(await readFile(file, 'utf8'));
const schema = scenarioSchema(
  { contract: { document: await read('openapi.yaml') }, sections },
  await read('src/engine/control/control.yaml'),
);
await writeFile('fixtures/scenario.schema.json', `${JSON.stringify(schema, undefined, 2)}\n`);

// Rows are validated one by one (src/engine/scenario/check.ts), so this schema only requires lists. Ajv would look up the
// URI of the draft.
const { $schema, ...own } = structuredClone(schema);
const { Environment } = own.$defs;
const lists = Object.keys(Environment.properties).filter((name) => name in own.$defs);
for (const name of lists) Environment.properties[name] = { type: 'array' };
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  validateSchema: false,
  meta: false,
  formats: SCENARIO_FORMATS,
  code: { source: true, esm: true, optimize: 2, formats: _`SCENARIO_FORMATS` },
}).addSchema(own, 'scenario');
const code = standalone.default(ajv, {
  scenario: 'scenario',
  environment: 'scenario#/$defs/Environment',
  ...Object.fromEntries(lists.map((name) => [name, `scenario#/$defs/${name}`])),
});
// Ajv loads its few helpers by `require`, even in a module.
const helpers = [...new Set([...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name))];
await writeFile(
  'src/service/checks/generated.ts',
  [
    '// @ts-nocheck: made by .ci/scenario.mjs',
    "import { SCENARIO_FORMATS } from '../../engine/scenario/times.ts';",
    ...helpers.map((name, nth) => `import helper${nth} from '${name}.js';`),
    code.replaceAll(/require\("([^"]+)"\)/g, (_call, name) => `helper${helpers.indexOf(name)}`),
  ].join('\n'),
);
