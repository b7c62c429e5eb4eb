/** Writes method and path of each control call, by operation id, for the library (src/library/generated.ts). */
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** The calls of the console that the library makes too. */
const OF_CONSOLE = ['getRow', 'exportScenario', 'getRun'];

const callsOf = async (file) => {
  const { paths } = parse(await readFile(file, 'utf8'));
  return Object.entries(paths).flatMap(([path, { parameters: _, ...verbs }]) =>
    Object.entries(verbs).map(([verb, { operationId }]) => [operationId, `${verb.toUpperCase()} ${path}`]),
  );
};
const control = await callsOf('src/engine/control/control.yaml');
const own = await callsOf('src/console/console.yaml');
const calls = Object.fromEntries([...control, ...own.filter(([id]) => OF_CONSOLE.includes(id))]);
await writeFile('src/library/generated.ts', `export const CALLS = ${JSON.stringify(calls, null, 2)};\n`);
