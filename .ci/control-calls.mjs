/**
 * Writes for the library (src/library/generated.ts), by operation id: method and path of each control call, and the actions
 * that the last part of a path can name; and of the contract the statuses of an account.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** The calls of the console that the library makes too. */
const OF_CONSOLE = ['getRow', 'exportScenario', 'getRun'];

const callsOf = async (file) => {
  const { paths } = parse(await readFile(file, 'utf8'));
  return Object.entries(paths).flatMap(([path, { parameters = [], ...verbs }]) =>
    Object.entries(verbs).map(([verb, { operationId: id }]) => {
      const actions = parameters.find(({ name, schema }) => path.endsWith(`{${name}}`) && schema?.enum);
      return { id, call: `${verb.toUpperCase()} ${path}`, actions: actions?.schema.enum };
    }),
  );
};
const control = await callsOf('src/engine/control/control.yaml');
const own = await callsOf('src/console/console.yaml');
const calls = [...control, ...own.filter(({ id }) => OF_CONSOLE.includes(id))];
const write = (name, value) => {
  const members = calls.flatMap((one) => (one[value] ? [[one.id, one[value]]] : []));
  return `export const ${name} = ${JSON.stringify(Object.fromEntries(members), null, 2)} as const;\n`;
};
const { components } = parse(await readFile('openapi.yaml', 'utf8'));
const statuses = `export const STATUSES = ${JSON.stringify(components.schemas.ConnectedAccountStatus.enum)} as const;\n`;
await writeFile('src/library/generated.ts', write('CALLS', 'call') + write('ACTIONS', 'actions') + statuses);
