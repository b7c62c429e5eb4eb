/** The package's YAML files as JSON, written by the build: parsing the YAML would take most of the start-up time. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

/** The JSON for each YAML text. */
let built: ReadonlyMap<string, string> | undefined;

/** The value of a YAML text of this package; undefined for any other text, such as a file edited since the build. */
export const builtValue = (text: string): unknown => {
  built ??= readBuilt();
  const json = built.get(text);
  return json === undefined ? undefined : JSON.parse(json);
};

const readBuilt = (): ReadonlyMap<string, string> => {
  const file = join(packageRoot(), 'dist/yaml.json');
  const pairs = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  return new Map(pairs as [string, string][]); // the build writes this file (.ci/yaml.mjs)
};
