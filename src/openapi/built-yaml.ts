/** The YAML files of this package as JSON, which the build writes: reading the YAML would take most of a start. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** JSON by the text of the YAML file. */
let built: ReadonlyMap<string, string> | undefined;

/** The value of a YAML text of this package; undefined for any other text, so an edited file counts as it is now. */
export const builtValue = (text: string): unknown => {
  built ??= readBuilt();
  const json = built.get(text);
  return json === undefined ? undefined : JSON.parse(json);
};

const readBuilt = (): ReadonlyMap<string, string> => {
  const file = join(packageRoot(), 'dist/yaml.json');
  const pairs = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  return new Map(pairs as [string, string][]); // what the build writes (.ci/yaml.mjs)
};
