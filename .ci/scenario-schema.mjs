// Writes fixtures/scenario.schema.json from the contract, for editors. Needs no build: the one module it takes from
// the sources is bundled on the fly, since plain Node 20 does not read TypeScript.
import { readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { parse } from 'yaml';

const { outputFiles } = await build({
  entryPoints: ['src/scenario/schema.ts'],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
  logLevel: 'warning',
});
const address = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`;
const { scenarioSchema } = await import(address);
const schema = scenarioSchema(parse(await readFile('openapi.yaml', 'utf8')));
await writeFile('fixtures/scenario.schema.json', `${JSON.stringify(schema, undefined, 2)}\n`);
